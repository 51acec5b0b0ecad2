/** Sound that grows at one end and is forgotten at the other. Positions are samples from its beginning. */
export class Recording {
  #samples: Float32Array<ArrayBuffer> = new Float32Array(1 << 16)
  /** Position of the first sample that is kept. */
  #first = 0
  #length = 0

  /** How much was recorded so far. */
  get length(): number {
    return this.#length
  }

  append(samples: Int16Array): void {
    const kept = this.#length - this.#first
    if (kept + samples.length > this.#samples.length) this.#grow(kept + samples.length)
    for (const [index, sample] of samples.entries()) this.#samples[kept + index] = sample / 32_768
    this.#length += samples.length
  }

  /** A copy of a part, from -1 to 1. */
  slice(from: number, to: number): Float32Array<ArrayBuffer> {
    return this.#samples.slice(Math.max(0, from - this.#first), Math.max(0, Math.min(to, this.#length) - this.#first))
  }

  /** Nobody will ask for what lies before `position`. */
  forget(position: number): void {
    const dropped = Math.min(position, this.#length) - this.#first
    if (dropped < this.#samples.length / 2) return
    this.#samples.copyWithin(0, dropped)
    this.#first += dropped
  }

  /** The middle of the quietest stretch of `width` samples in a part: where words are least likely to be cut. */
  quietest(from: number, to: number, width: number): number {
    const part = this.slice(from, to)
    let energy = 0
    let least = Number.POSITIVE_INFINITY
    let best = to
    for (const [index, sample] of part.entries()) {
      energy += sample * sample - (part[index - width] ?? 0) ** 2
      if (index < width - 1 || energy >= least) continue
      least = energy
      best = from + index + 1 - Math.round(width / 2)
    }
    return best
  }

  #grow(needed: number): void {
    const grown = new Float32Array(2 ** Math.ceil(Math.log2(needed)))
    grown.set(this.#samples)
    this.#samples = grown
  }
}
