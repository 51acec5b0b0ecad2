/** How sound and words flow between rooms that run at their own pace. Every wait ends when a signal aborts. */

/** Something to wait for that may happen again and again. */
export class Bell {
  readonly #waiting = new Set<() => void>()

  ring(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  /** Resolves at the next ring, or when `signal` aborts. */
  heard(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const wake = () => {
        this.#waiting.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal?.addEventListener('abort', wake)
    })
  }
}

/** A queue from one who must not wait to one who may. Read by one reader, who ends it when he leaves. */
export class Channel<T> implements AsyncIterable<T> {
  readonly #bell = new Bell()
  #items: T[] = []
  #ended = false

  push(item: T): void {
    if (this.#ended) return
    this.#items.push(item)
    this.#bell.ring()
  }

  /** Nothing more comes; what is there can still be read. */
  end(): void {
    this.#ended = true
    this.#bell.ring()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    try {
      for (;;) {
        const items = this.#items
        this.#items = []
        yield* items
        if (this.#items.length > 0) continue
        if (this.#ended) return
        await this.#bell.heard()
      }
    } finally {
      this.#items = []
      this.end()
    }
  }
}

/**
 * The same stream, but it ends as soon as `signal` aborts, whether or not the source obeys. What the source still does
 * afterwards goes unnoticed.
 */
export async function* abortable<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void, void> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await unlessAborted(iterator.next(), signal)
      if (next === undefined || next.done) return
      yield next.value
    }
  } finally {
    // Not awaited: a source that hangs in its own wait cannot return before that wait ends.
    Promise.resolve(iterator.return?.()).catch(ignore)
  }
}

/** What `promise` resolves to; undefined as soon as `signal` aborts. Rejects as `promise` does, unless aborted. */
export function unlessAborted<T>(promise: PromiseLike<T> | T, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve(undefined)
    const leave = () => signal.removeEventListener('abort', abort)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
    void Promise.resolve(promise).then(resolve, reject).finally(leave)
  })
}

function ignore(): void {
  // Whoever has left does not want to know.
}
