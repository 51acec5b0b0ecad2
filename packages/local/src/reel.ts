/** A recording that grows. */
export class Reel {
  #samples = new Int16Array(1 << 18)
  #length = 0

  append(samples: Int16Array): void {
    const length = this.#length + samples.length
    if (length > this.#samples.length) {
      const grown = new Int16Array(Math.max(length, this.#samples.length * 2))
      grown.set(this.#samples)
      this.#samples = grown
    }
    this.#samples.set(samples, this.#length)
    this.#length = length
  }

  /** What was recorded so far. */
  get samples(): Int16Array {
    return this.#samples.slice(0, this.#length)
  }
}
