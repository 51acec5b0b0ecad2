import type { Clock } from '../api/clock.js'

/** A clock that counts the timers that somebody has of it. */
export class Meter implements Clock {
  readonly #clock: Clock
  readonly #open = new Set<Disposable>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get openTimers(): number {
    return this.#open.size
  }

  now(): number {
    return this.#clock.now()
  }

  at(time: number, run: () => void): Disposable {
    const timer = this.#clock.at(time, () => {
      this.#open.delete(timer)
      run()
    })
    const entry = {
      [Symbol.dispose]: () => {
        this.#open.delete(timer)
        timer[Symbol.dispose]()
      },
    }
    this.#open.add(timer)
    return entry
  }
}
