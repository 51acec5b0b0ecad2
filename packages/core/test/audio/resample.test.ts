import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { join, RateConverter, Resampler, resample } from '../../src/audio/resample.js'

const amplitude = 16_000

function tone(frequency: number, rate: number, length: number): Int16Array {
  return Int16Array.from({ length }, (_, i) => Math.round(amplitude * Math.sin((2 * Math.PI * frequency * i) / rate)))
}

/** Loudness against that of a whole tone, dB; the edges, where the tone begins and ends, left out. */
function level(samples: Int16Array): number {
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4)
  const power = middle.reduce((sum, sample) => sum + sample ** 2, 0) / middle.length
  return 10 * Math.log10(Math.max(power, 1e-6) / (amplitude ** 2 / 2))
}

const rates = [
  [48_000, 16_000],
  [24_000, 16_000],
  [16_000, 48_000],
  [8_000, 16_000],
  [16_000, 8_000],
  [44_100, 16_000],
  [22_050, 16_000],
  [16_000, 24_000],
] as const

describe.each(rates)('from %d to %d Hz', (from, to) => {
  const nyquist = Math.min(from, to) / 2

  it('keeps the pass band flat', () => {
    for (const part of [0.02, 0.1, 0.3, 0.5, 0.7, 0.85]) {
      expect(Math.abs(level(resample(tone(part * nyquist, from, from / 4), from, to)))).toBeLessThan(0.2)
    }
  })

  it('leaves nothing of what the lower rate cannot hold', () => {
    for (const part of from > to ? [1.01, 1.1, 1.25, 1.5, 1.9] : []) {
      const frequency = part * nyquist
      if (frequency < from / 2) expect(level(resample(tone(frequency, from, from / 4), from, to))).toBeLessThan(-50)
    }
  })

  it('makes no mirror images', () => {
    for (const part of [0.1, 0.5, 0.8]) {
      const frequency = part * nyquist
      const made = resample(tone(frequency, from, from / 4), from, to)
      const wrong = made.map(
        (sample, i) => sample - Math.round(amplitude * Math.sin((2 * Math.PI * frequency * i) / to)),
      )
      expect(level(wrong)).toBeLessThan(-40)
    }
  })

  it('makes n ms of n ms, at the same times', () => {
    const click = new Int16Array(from / 10)
    click.fill(amplitude, from / 50, from / 25)
    const made = resample(click, from, to)
    expect(made.length).toBe(Math.ceil((click.length * to) / from))
    const loud = [...made].map((sample) => sample > amplitude / 2)
    expect(Math.abs(loud.indexOf(true) - to / 50)).toBeLessThanOrEqual(1)
    expect(Math.abs(loud.lastIndexOf(true) - to / 25)).toBeLessThanOrEqual(2)
  })
})

describe('Resampler', () => {
  it('makes the same of a stream however it is cut', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 20 })
    fc.assert(
      fc.property(fc.constantFrom(...rates), cuts, ([from, to], lengths) => {
        const whole = tone(440, from, 4_000)
        const resampler = new Resampler(from, to)
        const parts: Int16Array[] = []
        let at = 0
        for (const length of lengths) {
          parts.push(resampler.push(whole.subarray(at, at + length)))
          at += length
        }
        parts.push(resampler.push(whole.subarray(at)), resampler.flush())
        expect(join(...parts)).toEqual(resample(whole, from, to))
      }),
      { numRuns: 30 },
    )
  })

  it('begins anew after a flush', () => {
    const resampler = new Resampler(48_000, 16_000)
    const sound = tone(500, 48_000, 960)
    const first = join(resampler.push(sound), resampler.flush())
    expect(join(resampler.push(sound), resampler.flush())).toEqual(first)
  })

  it('passes on what needs no change', () => {
    const sound = tone(500, 16_000, 100)
    expect(resample(sound, 16_000, 16_000)).toEqual(sound)
  })

  it('does not turn over at the peak', () => {
    const square = Int16Array.from({ length: 4_800 }, (_, i) => (i % 96 < 48 ? 32_767 : -32_768))
    const made = resample(square, 48_000, 16_000)
    expect(made.filter((_, i) => i % 32 === 8).every((sample) => sample > 25_000)).toBe(true)
  })

  it('copes with rates that have nothing in common', () => {
    const made = resample(tone(1_000, 47_999, 4_800), 47_999, 16_001)
    expect(made.length).toBe(Math.ceil((4_800 * 16_001) / 47_999))
    expect(Math.abs(level(made))).toBeLessThan(0.1)
  })

  it('refuses rates that no sound has', () => {
    expect(() => new Resampler(0, 16_000)).toThrow('8000 to 192000')
    expect(() => new Resampler(16_000, 1e9)).toThrow('8000 to 192000')
  })
})

describe('RateConverter', () => {
  it('goes on when the rate of the pieces changes, without losing any', () => {
    const converter = new RateConverter(16_000)
    const parts = [
      converter.push({ samples: tone(400, 48_000, 4_800), rate: 48_000 }),
      converter.push({ samples: tone(400, 8_000, 800), rate: 8_000 }),
      converter.flush(),
    ]
    expect(join(...parts).length).toBe(3_200)
  })

  it('has nothing to flush before the first piece', () => {
    expect(new RateConverter(16_000).flush()).toHaveLength(0)
  })
})
