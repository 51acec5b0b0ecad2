import { UsageError } from '../api/errors.js'

/**
 * Samples from bytes of 16-bit little-endian PCM, wherever they lie in their buffer. The samples are a copy.
 *
 * @throws {UsageError} when half a sample is left over
 */
export function samplesOf(bytes: Uint8Array): Int16Array {
  if (bytes.byteLength % 2 !== 0) {
    throw new UsageError(
      `This is audio of an odd number of bytes (${bytes.byteLength}), but a sample has two: ` +
        'keep a byte that is left over and put it before the next chunk.',
    )
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const samples = new Int16Array(bytes.byteLength / 2)
  for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(i * 2, true)
  return samples
}

/** The same samples as bytes of 16-bit little-endian PCM. */
export function bytesOf(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < samples.length; i++) view.setInt16(i * 2, samples[i]!, true)
  return bytes
}
