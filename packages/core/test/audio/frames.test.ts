import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admit, durationOf, Framer, samplesIn } from '../../src/audio/frames.js'

const samples = fc.int16Array({ maxLength: 50 })

describe('Framer', () => {
  it('cuts any sequence of chunks into frames of one size and keeps what is left over', () => {
    fc.assert(
      fc.property(fc.array(samples), fc.integer({ min: 1, max: 20 }), (chunks, size) => {
        const framer = new Framer(size)
        const frames = chunks.flatMap((chunk) => framer.push(chunk))
        const rest = framer.rest()
        expect(frames.every((frame) => frame.length === size)).toBe(true)
        expect(rest.length).toBeLessThan(size)
        expect([...frames, rest].flatMap((frame) => [...frame])).toEqual(chunks.flatMap((chunk) => [...chunk]))
      }),
    )
  })

  it('gives frames that later chunks do not change', () => {
    const framer = new Framer(2)
    const [frame] = framer.push(Int16Array.of(1, 2))
    framer.push(Int16Array.of(3, 4))
    expect([...frame!]).toEqual([1, 2])
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses frames of %d samples', (size) => {
    expect(() => new Framer(size)).toThrow('positive whole number')
  })
})

describe('durations', () => {
  it('are ms, and samples are rounded', () => {
    expect(durationOf(480, 16_000)).toBe(30)
    expect(samplesIn(30, 16_000)).toBe(480)
    expect(samplesIn(0.1, 8_000)).toBe(1)
  })
})

describe('admit', () => {
  it('ignores empty audio', () => {
    expect(admit({ samples: new Int16Array(0), rate: 16_000 })).toEqual([])
  })

  it('cuts a frame of more than 10 s into parts', () => {
    const pieces = admit({ samples: new Int16Array(8_000 * 25), rate: 8_000 })
    expect(pieces.map((piece) => durationOf(piece.samples.length, piece.rate))).toEqual([10_000, 10_000, 5_000])
  })

  it.each([0, 7_999, 192_001, 44_100.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a rate of %d Hz', (rate) => {
    expect(() => admit({ samples: new Int16Array(1), rate })).toThrow('8000 to 192000')
  })

  it('refuses what is no Int16Array and says what to do', () => {
    const bytes = new Uint8Array(4) as unknown as Int16Array
    expect(() => admit({ samples: bytes, rate: 16_000 })).toThrow('samplesOf(bytes)')
  })
})
