/** An async iterable that is pushed into. */
export class Pushed<T> implements AsyncIterableIterator<T> {
  readonly #items: T[] = []
  readonly #waiting: { resolve: (result: IteratorResult<T>) => void; reject: (error: Error) => void }[] = []
  #ended = false
  #error: Error | undefined

  push(item: T): void {
    if (this.#ended) return
    const next = this.#waiting.shift()
    if (next) next.resolve({ value: item, done: false })
    else this.#items.push(item)
  }

  /** Whoever reads it next is thrown `error`; after that it goes on. */
  fail(error: Error): void {
    const next = this.#waiting.shift()
    if (next) next.reject(error)
    else this.#error = error
  }

  end(): void {
    this.#ended = true
    for (const next of this.#waiting.splice(0)) next.resolve({ value: undefined, done: true })
  }

  /** Items nobody has read. */
  get length(): number {
    return this.#items.length
  }

  /** Forgets the oldest item that nobody has read. */
  drop(): void {
    this.#items.shift()
  }

  next(): Promise<IteratorResult<T>> {
    const item = this.#items.shift()
    if (item !== undefined) return Promise.resolve({ value: item, done: false })
    if (this.#error) {
      const error = this.#error
      this.#error = undefined
      return Promise.reject(error)
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  return(): Promise<IteratorResult<T>> {
    this.end()
    return Promise.resolve({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
