import { describe, expect, it } from 'vitest'
import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw } from '../../src/audio/g711.js'

const every = Uint8Array.from({ length: 256 }, (_, code) => code)
const table = (codes: readonly number[]) => Uint8Array.from(codes)

/** From the tables of ITU-T G.711: a code of each segment, with its decoder output scaled to 16 bits. */
const muLaw: [code: number, sample: number][] = [
  [0xff, 0],
  [0xfe, 8],
  [0xf0, 120],
  [0xef, 132],
  [0xdf, 396],
  [0xcf, 924],
  [0xbf, 1_980],
  [0xaf, 4_092],
  [0x9f, 8_316],
  [0x8f, 16_764],
  [0x80, 32_124],
  [0x7e, -8],
  [0x70, -120],
  [0x00, -32_124],
]
const aLaw: [code: number, sample: number][] = [
  [0xd5, 8],
  [0xd4, 24],
  [0xda, 248],
  [0xc5, 264],
  [0xf5, 528],
  [0xe5, 1_056],
  [0x95, 2_112],
  [0x85, 4_224],
  [0xb5, 8_448],
  [0xa5, 16_896],
  [0xaa, 32_256],
  [0x55, -8],
  [0x25, -16_896],
  [0x2a, -32_256],
]

describe('µ-law', () => {
  it.each(muLaw)('code %d is the sample %d', (code, sample) => {
    expect([...decodeMuLaw(table([code]))]).toEqual([sample])
    expect([...encodeMuLaw(Int16Array.of(sample))]).toEqual([code])
  })

  it('gives each code back, but for the second zero', () => {
    const again = encodeMuLaw(decodeMuLaw(every))
    expect([...again]).toEqual([...every].map((code) => (code === 0x7f ? 0xff : code)))
  })

  it('cuts off what is too loud', () => {
    expect([...encodeMuLaw(Int16Array.of(32_767, -32_768))]).toEqual([0x80, 0x00])
  })
})

describe('A-law', () => {
  it.each(aLaw)('code %d is the sample %d', (code, sample) => {
    expect([...decodeALaw(table([code]))]).toEqual([sample])
    expect([...encodeALaw(Int16Array.of(sample))]).toEqual([code])
  })

  it('gives each code back', () => {
    expect(encodeALaw(decodeALaw(every))).toEqual(every)
  })

  it('cuts off what is too loud', () => {
    expect([...encodeALaw(Int16Array.of(32_767, -32_768))]).toEqual([0xaa, 0x2a])
  })
})

describe('both laws', () => {
  it.each([
    ['µ-law', encodeMuLaw, decodeMuLaw],
    ['A-law', encodeALaw, decodeALaw],
  ] as const)('%s is never farther off than half a step of its segment', (_, encode, decode) => {
    const samples = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768)
    const back = decode(encode(samples))
    const tooFar = samples.filter((sample, i) => Math.abs(sample - back[i]!) > (Math.abs(sample) + 400) / 32)
    expect(tooFar).toHaveLength(0)
  })
})
