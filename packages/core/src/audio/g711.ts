/**
 * ITU-T G.711, the coding of telephone lines: 8 bits a sample at 8 kHz. Both laws write a sign, the segment (three bits, an
 * exponent) and the step within it (four bits).
 */

export function encodeMuLaw(samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, muLawOf)
}

export function decodeMuLaw(codes: Uint8Array): Int16Array {
  return Int16Array.from(codes, (code) => muLawSamples[code]!)
}

export function encodeALaw(samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, aLawOf)
}

export function decodeALaw(codes: Uint8Array): Int16Array {
  return Int16Array.from(codes, (code) => aLawSamples[code]!)
}

/** Works on 14 bits. The bias of 33 makes every segment begin at a power of two. */
function muLawOf(sample: number): number {
  const magnitude = Math.min(0x1fff, ((sample < 0 ? ~sample : sample) >> 2) + 33)
  const segment = 26 - Math.clz32(magnitude)
  const step = (magnitude >> (segment + 1)) & 0x0f
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | step) & 0xff
}

function muLawSample(code: number): number {
  const bits = ~code & 0xff
  const segment = (bits >> 4) & 0x07
  const magnitude = ((((bits & 0x0f) << 1) + 33) << segment) - 33
  return (bits & 0x80 ? -magnitude : magnitude) << 2
}

/** Works on 12 bits and a sign. The lowest two segments have the same step; every second bit is turned over. */
function aLawOf(sample: number): number {
  const magnitude = (sample < 0 ? ~sample : sample) >> 4
  const segment = Math.max(0, 28 - Math.clz32(magnitude))
  const step = segment === 0 ? magnitude : (magnitude >> (segment - 1)) & 0x0f
  return ((sample < 0 ? 0 : 0x80) | (segment << 4) | step) ^ 0x55
}

function aLawSample(code: number): number {
  const bits = code ^ 0x55
  const segment = (bits >> 4) & 0x07
  const step = ((bits & 0x0f) << 4) + 8
  const magnitude = segment === 0 ? step : (step + 0x100) << (segment - 1)
  return bits & 0x80 ? magnitude : -magnitude
}

const everyCode = Uint8Array.from({ length: 256 }, (_, code) => code)
const muLawSamples = Int16Array.from(everyCode, muLawSample)
const aLawSamples = Int16Array.from(everyCode, aLawSample)
