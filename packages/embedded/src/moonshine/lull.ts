/** How much quieter than its loudest piece a voice must become, as a ratio of energies: 23 dB. */
const DROP = 200

/** Notices that a voice may have ended, long before a VAD is sure: the sound has become much quieter than it was. */
export class Lull {
  #loudest = 0
  #lasted = 0

  /** Samples for which it has been quiet. */
  get lasted(): number {
    return this.#lasted
  }

  /** Another utterance begins. */
  reset(): void {
    this.#loudest = 0
    this.#lasted = 0
  }

  hear(samples: Int16Array): void {
    let energy = 0
    for (const sample of samples) energy += sample * sample
    const loudness = energy / Math.max(1, samples.length)
    this.#loudest = Math.max(this.#loudest, loudness)
    this.#lasted = loudness * DROP < this.#loudest ? this.#lasted + samples.length : 0
  }
}
