/** Handles one thing at a time, each to its end. What comes in meanwhile waits its turn, so that nothing is re-entrant. */
export class Mailbox<T> {
  readonly #handle: (item: T) => void
  readonly #waiting: T[] = []
  #busy = false

  constructor(handle: (item: T) => void) {
    this.#handle = handle
  }

  get busy(): boolean {
    return this.#busy
  }

  put(item: T): void {
    this.#waiting.push(item)
    if (this.#busy) return
    this.#busy = true
    try {
      while (this.#waiting.length > 0) this.#handle(this.#waiting.shift() as T)
    } finally {
      this.#busy = false
    }
  }
}
