import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, samplesOf } from '../../src/audio/bytes.js'

describe('samplesOf and bytesOf', () => {
  it('undo each other', () => {
    fc.assert(
      fc.property(fc.int16Array(), (samples) => {
        expect(samplesOf(bytesOf(samples))).toEqual(samples)
      }),
    )
  })

  it('are little-endian', () => {
    expect([...bytesOf(Int16Array.of(0x0102, -2))]).toEqual([0x02, 0x01, 0xfe, 0xff])
  })

  it('read from anywhere in a buffer, and leave a copy', () => {
    const buffer = Uint8Array.of(9, 1, 0, 2, 0, 9)
    const samples = samplesOf(buffer.subarray(1, 5))
    buffer.fill(0)
    expect([...samples]).toEqual([1, 2])
  })

  it('read big buffers', () => {
    expect(samplesOf(new Uint8Array(8_000_000))).toHaveLength(4_000_000)
  })

  it('refuse audio of an odd number of bytes and say what to do', () => {
    expect(() => samplesOf(new Uint8Array(3))).toThrow('audio of an odd number of bytes (3)')
  })
})
