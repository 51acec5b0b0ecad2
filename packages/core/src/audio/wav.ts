import { UsageError } from '../api/errors.js'
import { samplesOf } from './bytes.js'
import { checkRate } from './frames.js'

/** A recording: one array of samples for mono, two for stereo (left, right), all of one length. */
export interface Wav {
  /** Hz. */
  readonly rate: number
  readonly channels: readonly Int16Array[]
}

const header = 44
const pcm = 1
/** The format is named further behind. */
const extensible = 0xfffe

/**
 * Reads a RIFF WAV file of 16-bit PCM, mono or stereo.
 *
 * @throws {UsageError} that says what else it is
 */
export function readWav(file: Uint8Array): Wav {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.byteLength < 12 || tag(view, 0) !== 'RIFF' || tag(view, 8) !== 'WAVE')
    refuse('it does not begin with RIFF … WAVE')
  let format: { channels: number; rate: number } | null = null
  for (let at = 12; at + 8 <= file.byteLength; ) {
    const name = tag(view, at)
    const size = view.getUint32(at + 4, true)
    const body = at + 8
    if (name === 'fmt ') format = readFormat(view, body, size)
    if (name === 'data') {
      if (!format) refuse('its sound comes before the chunk `fmt ` that describes it')
      return { rate: format.rate, channels: deinterleave(sound(file, body, size), format.channels) }
    }
    at = body + size + (size % 2)
  }
  return refuse('it has no chunk `data`')
}

/**
 * A RIFF WAV file of 16-bit PCM.
 *
 * @throws {UsageError} when there are not one or two channels of one length, or the rate is none that sound has
 */
export function writeWav({ rate, channels }: Wav): Uint8Array<ArrayBuffer> {
  checkRate(rate)
  const length = channels[0]?.length ?? 0
  if (channels.length < 1 || channels.length > 2 || channels.some((channel) => channel.length !== length)) {
    throw new UsageError('A WAV file is written of one or two channels of one length.')
  }
  const width = channels.length * 2
  const file = new Uint8Array(header + length * width)
  const view = new DataView(file.buffer)
  const ascii = new TextEncoder()
  file.set(ascii.encode('RIFF    WAVEfmt '))
  view.setUint32(4, file.length - 8, true)
  view.setUint32(16, 16, true)
  view.setUint16(20, pcm, true)
  view.setUint16(22, channels.length, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * width, true)
  view.setUint16(32, width, true)
  view.setUint16(34, 16, true)
  file.set(ascii.encode('data'), 36)
  view.setUint32(40, length * width, true)
  channels.forEach((channel, side) => {
    for (let i = 0; i < length; i++) view.setInt16(header + i * width + side * 2, channel[i]!, true)
  })
  return file
}

function readFormat(view: DataView, at: number, size: number): { channels: number; rate: number } {
  if (size < 16 || at + size > view.byteLength) refuse('its chunk `fmt ` is too short')
  const named = view.getUint16(at, true)
  const format = named === extensible && size >= 26 ? view.getUint16(at + 24, true) : named
  const bits = view.getUint16(at + 14, true)
  if (format !== pcm || bits !== 16) refuse(`it holds format ${format} with ${bits} bits a sample`)
  const channels = view.getUint16(at + 2, true)
  if (channels < 1 || channels > 2) refuse(`it has ${channels} channels`)
  const rate = view.getUint32(at + 4, true)
  checkRate(rate)
  return { channels, rate }
}

/** Programs that write into a pipe do not know the size: they leave it 0, or all ones. */
function sound(file: Uint8Array, at: number, size: number): Uint8Array {
  const rest = file.subarray(at)
  if (size === 0 || size === 0xffff_ffff) return rest
  if (size > rest.length) refuse(`it ends early: ${size} bytes of sound are promised, ${rest.length} are there`)
  return rest.subarray(0, size)
}

function deinterleave(bytes: Uint8Array, count: number): Int16Array[] {
  if (bytes.length % (2 * count) !== 0) refuse(`its ${bytes.length} bytes of sound are not whole samples`)
  const samples = samplesOf(bytes)
  return Array.from({ length: count }, (_, side) =>
    Int16Array.from({ length: samples.length / count }, (_, i) => samples[i * count + side]!),
  )
}

function tag(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)))
}

function refuse(because: string): never {
  throw new UsageError(`This file cannot be read: ${because}. It must be a WAV file of 16-bit PCM, mono or stereo.`)
}
