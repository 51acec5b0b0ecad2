import type { Clock } from '../api/clock.js'

/** The one timer of a session. */
export class Alarm {
  readonly #clock: Clock
  readonly #ring: () => void
  #timer: Disposable | null = null

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock
    this.#ring = ring
  }

  /** Rings at `at`, and no more at the time it was set to before. null: not at all. */
  set(at: number | null): void {
    this.#timer?.[Symbol.dispose]()
    this.#timer = at === null ? null : this.#clock.at(at, this.#ring)
  }
}

/** Whether `work` has settled within `ms`. */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.at(clock.now() + ms, () => resolve(false))
    const done = () => {
      timer[Symbol.dispose]()
      resolve(true)
    }
    work.then(done, done)
  })
}
