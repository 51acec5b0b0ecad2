import { UsageError } from '../api/errors.js'
import type { Audio } from '../api/models.js'

/** Hz. What lies outside is a mistake, and not a sound. */
const rates = { lowest: 8_000, highest: 192_000 }
/** ms. Nobody gets more at a time. */
const longestPiece = 10_000

/** ms that so many samples sound. */
export function durationOf(samples: number, rate: number): number {
  return (samples * 1000) / rate
}

/** Samples in so many ms, rounded. */
export function samplesIn(ms: number, rate: number): number {
  return Math.round((ms * rate) / 1000)
}

/** @throws {UsageError} when `rate` is none that sound has. */
export function checkRate(rate: number): void {
  if (Number.isFinite(rate) && rate >= rates.lowest && rate <= rates.highest && Number.isInteger(rate)) return
  throw new UsageError(
    `A sample rate of ${rate} Hz cannot be used: give a whole number from ${rates.lowest} to ${rates.highest}.`,
  )
}

/**
 * What may pass of sound that comes from outside: nothing of an empty piece, a long one in parts of at most 10 s.
 *
 * @throws {UsageError} when it is no `Int16Array`, or its rate is none that sound has
 */
export function admit({ samples, rate }: Audio): Audio[] {
  if (!(samples instanceof Int16Array)) {
    throw new UsageError('Audio must be an Int16Array of samples; make one of bytes with `samplesOf(bytes)`.')
  }
  checkRate(rate)
  const pieces: Audio[] = []
  const size = samplesIn(longestPiece, rate)
  for (let at = 0; at < samples.length; at += size) pieces.push({ samples: samples.subarray(at, at + size), rate })
  return pieces
}

/** Cuts chunks of any size into frames of one size, in samples. What is left over waits for the next chunk. */
export class Framer {
  readonly #frame: Int16Array
  #filled = 0

  /** @throws {UsageError} when `size` is not a positive whole number */
  constructor(size: number) {
    if (!Number.isInteger(size) || size < 1) {
      throw new UsageError(`A frame of ${size} samples cannot be cut: give a positive whole number.`)
    }
    this.#frame = new Int16Array(size)
  }

  push(chunk: Int16Array): Int16Array[] {
    const frames: Int16Array[] = []
    const size = this.#frame.length
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + size - this.#filled)
      this.#frame.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === size) frames.push(this.rest())
    }
    return frames
  }

  /** Takes out what is left over, shorter than a frame. */
  rest(): Int16Array {
    const rest = this.#frame.slice(0, this.#filled)
    this.#filled = 0
    return rest
  }
}
