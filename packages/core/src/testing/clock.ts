import type { Clock } from '../api/clock.js'
import { UsageError } from '../api/errors.js'

interface Timer {
  readonly time: number
  readonly order: number
  readonly run: () => void
}

/** Rounds without anything new after which the world is taken to be at rest, and the most that are waited for. */
const quietRounds = 2
const maxRounds = 10_000

/**
 * A clock that stands still until it is told to go on, and lets every promise settle between two ticks: half a minute of
 * talk takes milliseconds, and takes the same course each time.
 *
 * ```ts
 * const clock = new VirtualClock()
 * const session = start(host, { line: new TestLine({ clock }), llm, tts, clock })
 * await clock.advance(5_000)
 * ```
 */
export class VirtualClock implements Clock {
  #now = 0
  #order = 0
  /** Sorted by time, and by the order in which they were asked for. */
  readonly #timers: Timer[] = []
  #advancing = false

  now(): number {
    return this.#now
  }

  /** Timers that were neither run nor disposed of. */
  get openTimers(): number {
    return this.#timers.length
  }

  at(time: number, run: () => void): Disposable {
    if (Number.isNaN(time)) throw new UsageError('a timer needs a time in ms; it got NaN')
    const timer: Timer = { time: Math.max(time, this.#now), order: this.#order++, run }
    this.#timers.splice(this.#placeOf(timer), 0, timer)
    return { [Symbol.dispose]: () => this.#remove(timer) }
  }

  /** Resolves `ms` from now; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(reasonOf(signal))
      const wake = () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      const timer = this.at(this.#now + ms, wake)
      const stop = () => {
        timer[Symbol.dispose]()
        reject(reasonOf(signal))
      }
      signal?.addEventListener('abort', stop, { once: true })
    })
  }

  /** The process sleeps for `ms`: what falls due meanwhile runs late, when it wakes up. For an act, a tool or a timer to call. */
  suspend(ms: number): void {
    this.#now += ms
  }

  /** Lets `ms` pass. */
  advance(ms: number): Promise<void> {
    return this.advanceTo(this.#now + ms)
  }

  /**
   * Lets time pass until `time`, running what falls due on the way.
   *
   * @throws {UsageError} when somebody else is advancing it already; what a timer throws.
   */
  async advanceTo(time: number): Promise<void> {
    if (!Number.isFinite(time)) throw new UsageError(`the clock can be advanced to a number of ms; it got ${time}`)
    if (this.#advancing) {
      throw new UsageError(
        'the clock is being advanced already: inside a tool, a hook or a timer, wait with clock.sleep(ms)',
      )
    }
    this.#advancing = true
    try {
      await this.settle()
      let atOnce = 0
      for (let next = this.#timers[0]; next !== undefined && next.time <= time; next = this.#timers[0]) {
        atOnce = next.time > this.#now ? 0 : atOnce + 1
        if (atOnce > maxRounds) throw endless()
        this.#timers.shift()
        this.#now = Math.max(this.#now, next.time)
        next.run()
        await this.settle()
      }
      this.#now = Math.max(this.#now, time)
    } finally {
      this.#advancing = false
    }
  }

  /** Lets every promise that can settle do so, without letting time pass. */
  async settle(): Promise<void> {
    let quiet = 0
    for (let round = 0; quiet < quietRounds; round++) {
      if (round > maxRounds) throw endless()
      const order = this.#order
      const due = this.#timers.length
      await new Promise<void>((resolve) => setImmediate(resolve))
      quiet = order === this.#order && due === this.#timers.length ? quiet + 1 : 0
    }
  }

  #placeOf(timer: Timer): number {
    let low = 0
    let high = this.#timers.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#timers[middle]!.time <= timer.time) low = middle + 1
      else high = middle
    }
    return low
  }

  #remove(timer: Timer): void {
    const place = this.#timers.indexOf(timer)
    if (place >= 0) this.#timers.splice(place, 1)
  }
}

const endless = () => new UsageError('time stands still: something asks for one timer after another at the same moment')

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new DOMException(String(reason ?? 'aborted'), 'AbortError')
}
