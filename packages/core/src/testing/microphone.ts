import type { Audio } from '../api/models.js'
import type { VirtualClock } from './clock.js'
import { Pushed } from './queue.js'

/** Loudness of a scripted voice. Silence is 0. */
const voice = 8_000
/** Frames that wait when nobody reads them. */
const capacity = 100

/** What the caller's side of a line hears: silence, and the voices it is told of. */
export class Microphone {
  readonly incoming: AsyncIterable<Audio>
  readonly #clock: VirtualClock
  readonly #rate: number
  readonly #frame: number
  readonly #frames = new Pushed<Audio>()
  readonly #voices: { readonly from: number; readonly to: number }[] = []
  #timer: Disposable | undefined
  #open = false

  constructor(clock: VirtualClock, { rate, frame }: { readonly rate: number; readonly frame: number }) {
    this.#clock = clock
    this.#rate = rate
    this.#frame = frame
    this.incoming = {
      [Symbol.asyncIterator]: () => {
        if (!this.#open) this.#begin()
        return this.#frames
      },
    }
  }

  /** A voice, or a noise, from one time on the clock to another. */
  sound(from: number, to: number): void {
    this.#voices.push({ from, to })
  }

  /** The caller leaves. */
  end(): void {
    this.#timer?.[Symbol.dispose]()
    this.#frames.end()
  }

  #begin(): void {
    this.#open = true
    const tick = (from: number) => {
      this.#timer = this.#clock.at(from + this.#frame, () => {
        this.#frames.push(this.#hear(from))
        if (this.#frames.length > capacity) this.#frames.drop()
        tick(from + this.#frame)
      })
    }
    tick(this.#clock.now())
  }

  #hear(from: number): Audio {
    const perMs = this.#rate / 1_000
    const samples = new Int16Array(Math.round(this.#frame * perMs))
    for (const each of this.#voices) {
      const start = Math.max(0, (each.from - from) * perMs)
      if (start < samples.length && each.to > from) samples.fill(voice, start, (each.to - from) * perMs)
    }
    return { samples, rate: this.#rate }
  }
}
