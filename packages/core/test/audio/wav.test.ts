import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readWav, writeWav } from '../../src/audio/wav.js'

const stereo = { rate: 48_000, channels: [Int16Array.of(1, 2, 3), Int16Array.of(-1, -2, -3)] }

/** A copy with some bytes at `at` replaced. */
function changed(file: Uint8Array, at: number, ...bytes: number[]): Uint8Array {
  const copy = Uint8Array.from(file)
  copy.set(bytes, at)
  return copy
}

describe('readWav and writeWav', () => {
  it('undo each other, mono and stereo', () => {
    const channels = fc.oneof(
      fc.int16Array().map((left) => [left]),
      fc
        .array(fc.tuple(fc.integer({ min: -32_768, max: 32_767 }), fc.integer({ min: -32_768, max: 32_767 })))
        .map((both) => [Int16Array.from(both, ([left]) => left), Int16Array.from(both, ([, right]) => right)]),
    )
    fc.assert(
      fc.property(fc.integer({ min: 8_000, max: 192_000 }), channels, (rate, each) => {
        expect(readWav(writeWav({ rate, channels: each }))).toEqual({ rate, channels: each })
      }),
    )
  })

  it('skip chunks they do not know, padded to even length', () => {
    const file = writeWav(stereo)
    const list = [...new TextEncoder().encode('LIST'), 3, 0, 0, 0, 1, 2, 3, 0]
    const longer = Uint8Array.from([...file.subarray(0, 36), ...list, ...file.subarray(36)])
    expect(readWav(longer)).toEqual(stereo)
  })

  it('read what was written into a pipe, where the size was not known', () => {
    const file = writeWav(stereo)
    expect(readWav(changed(file, 40, 0xff, 0xff, 0xff, 0xff))).toEqual(stereo)
    expect(readWav(changed(file, 40, 0, 0, 0, 0))).toEqual(stereo)
  })

  it('read the extensible format when it is PCM', () => {
    const file = writeWav(stereo)
    const extension = [22, 0, 16, 0, 3, 0, 0, 0, 1, 0, ...new Array(14).fill(0)]
    const longer = [
      ...changed(changed(file, 16, 40), 20, 0xfe, 0xff).subarray(0, 36),
      ...extension,
      ...file.subarray(36),
    ]
    expect(readWav(Uint8Array.from(longer))).toEqual(stereo)
  })

  it('read a file that lies at an odd place in its buffer', () => {
    const buffer = Uint8Array.from([0, ...writeWav(stereo)])
    expect(readWav(buffer.subarray(1))).toEqual(stereo)
  })
})

describe('a file that is none', () => {
  const file = writeWav(stereo)
  it.each([
    ['an empty file', new Uint8Array(0), 'RIFF … WAVE'],
    ['an mp3', Uint8Array.from({ length: 100 }, (_, i) => i), 'RIFF … WAVE'],
    ['floats', changed(file, 20, 3), 'format 3'],
    ['24 bits', changed(file, 34, 24), '24 bits'],
    ['six channels', changed(file, 22, 6), '6 channels'],
    ['a rate of 1 Hz', changed(file, 24, 1, 0, 0, 0), '8000 to 192000'],
    ['a file cut off', file.subarray(0, file.length - 2), 'ends early: 12 bytes of sound are promised, 10 are there'],
    ['half a sample', changed(file, 40, 11), 'not whole samples'],
    ['no sound', file.subarray(0, 36), 'no chunk `data`'],
    ['sound without a format', changed(file, 12, 0x78), 'before the chunk `fmt `'],
    ['a format cut off', file.subarray(0, 24), 'too short'],
  ])('is refused clearly: %s', (_, bytes, because) => {
    expect(() => readWav(bytes)).toThrow(because)
  })

  it('is not written: three channels, or two of different lengths', () => {
    const one = new Int16Array(1)
    expect(() => writeWav({ rate: 8_000, channels: [one, one, one] })).toThrow('one or two channels')
    expect(() => writeWav({ rate: 8_000, channels: [one, new Int16Array(2)] })).toThrow('of one length')
    expect(() => writeWav({ rate: 1, channels: [one] })).toThrow('8000 to 192000')
  })
})
