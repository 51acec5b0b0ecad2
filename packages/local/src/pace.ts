import type { Clock } from 'antiphon'

/** ms between two looks at the clock while nobody asks. */
const TICK = 20

/**
 * Keeps sound in step with a clock. Whoever is about to change something calls `catchUp` first, so that the change falls on
 * the very sample of its moment, however late the timers of a busy machine are.
 */
export class Pace {
  readonly #clock: Clock
  readonly #rate: number
  readonly #move: (samples: number) => void
  #began: number | null = null
  #moved = 0
  #timer: Disposable | null = null
  #stopped = false

  /** `move`: so many samples of time have passed. */
  constructor(clock: Clock, rate: number, move: (samples: number) => void) {
    this.#clock = clock
    this.#rate = rate
    this.#move = move
  }

  /** Samples that have passed. */
  get position(): number {
    return this.#moved
  }

  start(): void {
    if (this.#began !== null || this.#stopped) return
    this.#began = this.#clock.now()
    this.#schedule(this.#began)
  }

  catchUp(): void {
    if (this.#began === null || this.#stopped) return
    const passed = Math.floor(((this.#clock.now() - this.#began) * this.#rate) / 1_000) - this.#moved
    if (passed <= 0) return
    this.#moved += passed
    this.#move(passed)
  }

  stop(): void {
    this.catchUp()
    this.#stopped = true
    this.#timer?.[Symbol.dispose]()
  }

  #schedule(began: number): void {
    const next = began + (Math.floor((this.#clock.now() - began) / TICK) + 1) * TICK
    this.#timer = this.#clock.at(next, () => {
      this.catchUp()
      if (!this.#stopped) this.#schedule(began)
    })
  }
}
