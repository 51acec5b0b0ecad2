import type { Audio } from 'antiphon'

/** ms of a frame. */
const FRAME = 20

/** What a line hears, cut into frames of 20 ms, for one listener. */
export class Incoming {
  readonly #rate: number
  readonly #stream: ReadableStream<Audio>
  #frames!: ReadableStreamDefaultController<Audio>
  #frame: Int16Array
  #filled = 0
  #ended = false

  constructor(rate: number) {
    this.#rate = rate
    this.#frame = new Int16Array((rate * FRAME) / 1_000)
    this.#stream = new ReadableStream<Audio>({
      start: (frames) => {
        this.#frames = frames
      },
      cancel: () => {
        this.#ended = true
      },
    })
  }

  /** The frames; `listened` is called when somebody begins to listen. */
  begin(listened: () => void): AsyncIterable<Audio> {
    const stream = this.#stream
    return {
      [Symbol.asyncIterator]() {
        listened()
        return stream[Symbol.asyncIterator]()
      },
    }
  }

  append(samples: Int16Array): void {
    for (let taken = 0; taken < samples.length; ) {
      const part = samples.subarray(taken, taken + this.#frame.length - this.#filled)
      this.#frame.set(part, this.#filled)
      this.#filled += part.length
      taken += part.length
      if (this.#filled === this.#frame.length) this.#emit()
    }
  }

  end(): void {
    if (!this.#ended) this.#frames.close()
    this.#ended = true
  }

  /** Whoever listens is told what went wrong. */
  fail(error: Error): void {
    if (!this.#ended) this.#frames.error(error)
    this.#ended = true
  }

  #emit(): void {
    if (!this.#ended) this.#frames.enqueue({ samples: this.#frame, rate: this.#rate })
    this.#frame = new Int16Array(this.#frame.length)
    this.#filled = 0
  }
}
