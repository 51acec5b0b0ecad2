import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SentenceSplitter } from '../../src/speaking/sentences.js'

function split(...chunks: string[]): string[] {
  const splitter = new SentenceSplitter()
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.flush()]
}

/** Text with much of what makes splitting hard. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '. ',
        '.',
        '... ',
        '? ',
        '!" ',
        ', ',
        '\n',
        ' ',
        '  ',
        '。',
        '、',
        'Dr. ',
        'e.g. ',
        'p.m. ',
        'etc. ',
        'J. ',
        '3.14',
      ),
      fc.constantFrom(
        '<break time="1. 5s"/>',
        '<',
        '</b>',
        'bob@example.com',
        '1. ',
        'Wort',
        'end',
        'World',
        '…',
        '👍',
        '东京',
        '「',
        '」',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

const cut = (whole: string, places: readonly number[]): string[] => {
  const at = [...new Set([0, ...places.map((place) => place % (whole.length + 1)), whole.length])].sort((a, b) => a - b)
  return at.slice(1).map((end, i) => whole.slice(at[i], end))
}

describe('SentenceSplitter', () => {
  it('never loses or alters a character', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 20 }), (whole, places) => {
        expect(split(...cut(whole, places)).join('')).toBe(whole)
      }),
      { numRuns: 500 },
    )
  })

  it('gives the same pieces however the text is chopped up on its way', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 20 }), (whole, places) => {
        expect(split(...cut(whole, places))).toEqual(split(whole))
      }),
      { numRuns: 1000 },
    )
  })

  it('never cuts a character in two, and keeps pieces short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' }), (whole) => {
        for (const piece of split(whole)) {
          expect(piece.length).toBeLessThanOrEqual(1_003)
          expect(piece).not.toMatch(/\p{Surrogate}/u)
        }
      }),
      { numRuns: 50 },
    )
  })

  it.each<[what: string, pieces: string[]]>([
    ['sentences', ['Hello there. ', 'How are you? ', 'Fine!']],
    ['quotes and brackets behind the full stop', ['He said "stop." ', 'Then he left (at last.) ', 'So?']],
    ['tags behind the full stop', ['Hello.<break time="1s"/> ', 'World. ']],
    ['lines', ['Choose:\n', '- tea\n', '- coffee\n', '\nNow.']],
    ['titles', ['Dr. Smith and Mrs. Jones met Prof. Lee. ', 'They talked.']],
    ['initials', ['J. R. R. Tolkien wrote it. ', 'So did I. ', 'Really.']],
    ['times of the day', ['We open at 9 a.m. and close at 5 p.m. on Sundays. ', 'Come at 3 p.m. ', 'Good?']],
    ['abbreviations', ['Bring tea, milk, etc. for two. ', 'Ask at Acme Inc. ', 'They know.']],
    ['examples', ['Take fruit, e.g. Apples or pears, i.e. Something sweet. ', 'Thanks.']],
    ['decimals', ['It is 3.14 or 1,000.50 dollars. ', 'Yes.']],
    ['lists', ['1. Open the door. ', '2. Go in.']],
    ['numbers at the end', ['It costs 3. ', 'Is that fine?']],
    ['the word no', ['No. ', 'I mean no. 5 in the list.']],
    [
      'addresses',
      ['Write to bob.smith@example.com. ', 'Or see https://example.com/a.b?c=d. ', 'Or say example dot com.'],
    ],
    ['ellipses', ['Well... maybe. ', 'Wait... ', 'What?! ', 'Hm… ', 'Fine.']],
    ['scripts without spaces', ['你好。', '「东京は大きい。」', '本当ですか？！', 'はい。']],
  ])('cuts %s where people would', (_, pieces) => {
    expect(split(pieces.join(''))).toEqual(pieces)
  })

  it('lets the first piece end at a clause once it is long, for a quick start', () => {
    const first = 'Thank you very much for calling us today, '
    expect(split(`${first}what may I do for you, my friend, on this fine morning?`)).toEqual([
      first,
      'what may I do for you, my friend, on this fine morning?',
    ])
    expect(split('Thank you, dear caller. Bye.')).toEqual(['Thank you, dear caller. ', 'Bye.'])
    expect(split('We have sold exactly one million, or 1,000,000 of them.')).toHaveLength(1)
  })

  it('gives a sentence as soon as the space behind it is there', () => {
    const splitter = new SentenceSplitter()
    expect(splitter.push('Hello there.')).toEqual([])
    expect(splitter.push(' ')).toEqual(['Hello there. '])
  })

  it('ends a passage at a flush, and begins the next as quickly as the first', () => {
    const splitter = new SentenceSplitter()
    splitter.push('One moment')
    expect(splitter.flush()).toEqual(['One moment'])
    expect(splitter.flush()).toEqual([])
    expect(splitter.push('I have found the book you were looking for, and it is here')).toHaveLength(1)
  })

  it('cuts endless text at a space, and at last anywhere', () => {
    expect(split('word '.repeat(200)).every((piece) => piece.length <= 250)).toBe(true)
    expect(split('x'.repeat(2_500)).map((piece) => piece.length)).toEqual([1_000, 1_000, 500])
  })

  it('does not get slow with text that has no end', () => {
    const splitter = new SentenceSplitter()
    const pieces = Array.from({ length: 20_000 }, () => splitter.push('x')).flat()
    expect([...pieces, ...splitter.flush()].join('')).toHaveLength(20_000)
  })
})
