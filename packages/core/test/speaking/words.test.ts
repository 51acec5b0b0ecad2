import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimate, isSpeakable, wordsOf } from '../../src/speaking/words.js'

const texts = (text: string) => wordsOf(text).map(({ start, end }) => text.slice(start, end))
const weights = (text: string) => wordsOf(text).map(({ weight }) => weight)

describe('wordsOf', () => {
  it('parts words at spaces, with what clings to them', () => {
    expect(texts('  "Hello, world!"\n(Yes.) ')).toEqual(['"Hello,', 'world!"', '(Yes.)'])
  })

  it('parts scripts without spaces by character', () => {
    expect(texts('你好，世界。')).toEqual(['你', '好，', '世', '界。'])
    expect(texts('「はい」と言った')).toEqual(['「は', 'い」', 'と', '言', 'っ', 'た'])
    expect(texts('iPhone是USB的')).toEqual(['iPhone', '是', 'USB', '的'])
    expect(texts('ที่นี่')).toEqual(['ที่', 'นี่'])
    expect(texts('한국어 말')).toEqual(['한국어', '말'])
  })

  it('keeps a tag in one piece, and lets it take no time', () => {
    const text = 'Wait <break time="1 s"/> here <laugh/><b>now</b> 3 < 4'
    expect(texts(text)).toEqual([
      'Wait',
      '<break time="1 s"/>',
      'here',
      '<laugh/>',
      '<b>',
      'now',
      '</b>',
      '3',
      '<',
      '4',
    ])
    expect(weights(text)).toEqual([1, 0, 1, 0, 0, 1, 0, 1, 0, 1])
  })

  it('covers every character that is no space, once and in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        expect(texts(text).join('')).toBe(text.replace(/\s+/gu, ''))
        const words = wordsOf(text)
        expect(words.every((word, i) => word.end > word.start && word.start >= (words[i - 1]?.end ?? 0))).toBe(true)
      }),
    )
  })

  it('weighs by syllables', () => {
    expect(weights('one two three four five six seven eight nine ten')).toEqual([1, 1, 1, 1, 1, 1, 2, 1, 1, 1])
    expect(weights('a table please, beautiful 2024 – 你 안녕 привет')).toEqual([1, 2, 1, 3, 4, 0, 1, 2, 2])
    expect(weights('شكرا تلفزيون')).toEqual([2, 3])
  })

  it('knows whether anything can be said', () => {
    expect(['Yes', '你', '7'].every(isSpeakable)).toBe(true)
    expect(['', ' … ', '<laugh/>', '👍'].some(isSpeakable)).toBe(false)
  })
})

describe('estimate', () => {
  it('gives each word its share of the sound', () => {
    const marks = estimate('one seven two', 4_000)
    expect(marks).toEqual([
      { chars: 3, start: 0, at: 1_000, precise: false },
      { chars: 9, start: 1_000, at: 3_000, precise: false },
      { chars: 13, start: 3_000, at: 4_000, precise: false },
    ])
  })

  it('rests at commas and full stops, but not at the end', () => {
    const [yes, no] = estimate('Yes, no.', 1_000)
    expect(no!.start).toBeGreaterThan(yes!.at)
    expect(no!.at).toBe(1_000)
  })

  it('gives tags no time, and does not divide by zero when there is nothing else (X-18)', () => {
    expect(estimate('<b>Yes</b>', 500).map(({ start, at }) => [start, at])).toEqual([
      [0, 0],
      [0, 500],
      [500, 500],
    ])
    expect(estimate('<laugh/>', 500)).toEqual([{ chars: 8, start: 0, at: 500, precise: false }])
    expect(estimate('', 500)).toEqual([])
  })

  it('never goes back, and ends with the sound', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 0, max: 60_000 }),
        (text, duration) => {
          const marks = estimate(text, duration)
          for (const [i, mark] of marks.entries()) {
            expect(mark.start).toBeLessThanOrEqual(mark.at)
            expect(mark.start).toBeGreaterThanOrEqual(marks[i - 1]?.at ?? 0)
          }
          if (marks.length > 0) expect(marks.at(-1)!.at).toBe(duration)
        },
      ),
    )
  })
})
