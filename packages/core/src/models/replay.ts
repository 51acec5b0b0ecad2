/** A stream that can be read again from its beginning, by one reader after another. */
export class Replay<T> implements AsyncIterable<T> {
  /** Resolves when there is something to read, or never will be. */
  readonly begun: Promise<void>
  readonly #source: AsyncIterator<T>
  readonly #seen: T[] = []
  #ended = false
  /** What a reader who has left was still waiting for belongs to the next. */
  #pull: Promise<void> | null = null
  #begin: () => void = () => {}

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]()
    this.begun = new Promise((resolve) => {
      this.#begin = resolve
    })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (let index = 0; ; index++) {
      while (index >= this.#seen.length && !this.#ended) await this.#more()
      if (index >= this.#seen.length) return
      yield this.#seen[index] as T
    }
  }

  #more(): Promise<void> {
    this.#pull ??= this.#read()
    return this.#pull
  }

  async #read(): Promise<void> {
    try {
      const { done, value } = await this.#source.next()
      if (done) this.#ended = true
      else this.#seen.push(value)
    } finally {
      this.#pull = null
      this.#begin()
    }
  }
}
