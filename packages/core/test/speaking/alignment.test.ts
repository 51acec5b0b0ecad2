import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Spoken } from '../../src/api/models.js'
import { Alignment } from '../../src/speaking/alignment.js'
import type { WordMark } from '../../src/speaking/words.js'

const brief = (marks: readonly WordMark[]) => marks.map(({ chars, at }) => [chars, Math.round(at)])

function after(text: string): Alignment {
  const alignment = new Alignment()
  alignment.given(text)
  return alignment
}

describe('a voice that tells the times of its words', () => {
  it('has marks at those times, counted over all of its sound', () => {
    const alignment = after('Hello there. How are you?')
    const first = alignment.sounded(
      {
        words: [
          { text: 'Hello', start: 10, end: 300 },
          { text: 'there.', start: 320, end: 600 },
        ],
      },
      700,
    )
    expect(first).toEqual([
      { chars: 5, start: 10, at: 300, precise: true },
      { chars: 12, start: 320, at: 600, precise: true },
    ])
    expect(brief(alignment.sounded({ words: [{ text: 'how', start: 0, end: 200 }] }, 250))).toEqual([[16, 900]])
    expect(brief(alignment.finished())).toEqual([
      [20, 925],
      [25, 950],
    ])
  })

  it('may say numbers in words: what lies between is shared out', () => {
    const alignment = after('It costs $5 today.')
    const words = ['it', 'costs', 'five', 'dollars', 'today'].map((text, i) => ({
      text,
      start: i * 100,
      end: i * 100 + 100,
    }))
    expect(brief(alignment.sounded({ words }, 500))).toEqual([
      [2, 100],
      [8, 200],
      [11, 400],
      [18, 500],
    ])
  })

  it('may give parts of words, and several words at once', () => {
    const alignment = after('New York is wonderful')
    const words = [
      { text: 'New York', start: 0, end: 400 },
      { text: 'is', start: 400, end: 500 },
      { text: 'won', start: 500, end: 600 },
      { text: 'derful', start: 600, end: 900 },
    ]
    expect(alignment.sounded({ words }, 900)).toEqual([
      { chars: 3, start: 0, at: 200, precise: false },
      { chars: 8, start: 200, at: 400, precise: false },
      { chars: 11, start: 400, at: 500, precise: true },
      { chars: 21, start: 500, at: 900, precise: true },
    ])
  })

  it('may say something else than is written: markdown, another case, marks', () => {
    const alignment = after('**Hello**, <b>dear</b> [friend](https://example.com)!')
    const words = ['HELLO', 'dear', 'friend'].map((text, i) => ({ text, start: i * 100, end: i * 100 + 100 }))
    alignment.sounded({ words }, 300)
    expect(brief(alignment.finished()).at(-1)).toEqual([53, 300])
  })

  it('is not led astray by a short word that comes later', () => {
    const alignment = after('Twenty-one is a number that I like')
    expect(alignment.sounded({ words: [{ text: 'I', start: 0, end: 50 }] }, 60)).toEqual([])
  })

  it('with times that are none is taken to have told none', () => {
    const alignment = after('Yes sir')
    const marks = alignment.sounded({ text: 'Yes sir', words: [{ text: 'Yes', start: Number.NaN, end: 5 }] }, 400)
    expect(brief(marks)).toEqual([
      [3, 200],
      [7, 400],
    ])
  })
})

describe('a voice that tells what a piece of sound says', () => {
  it('has the words shared out over the piece', () => {
    const alignment = after('Hello there. Good day.')
    expect(brief(alignment.sounded({ text: 'Hello there. ' }, 600))).toEqual([
      [5, 400],
      [12, 600],
    ])
    expect(brief(alignment.sounded({ text: 'Good day.' }, 400))).toEqual([
      [17, 800],
      [22, 1_000],
    ])
    expect(alignment.finished()).toEqual([])
  })
})

describe('a voice that tells nothing', () => {
  it('is taken to have said a sentence when it asks for the next', () => {
    const alignment = after('Hello there. ')
    alignment.sounded({}, 300)
    alignment.sounded({}, 300)
    expect(brief(alignment.asked())).toEqual([
      [5, 400],
      [12, 600],
    ])
    alignment.given('Bye.')
    alignment.sounded({}, 200)
    expect(brief(alignment.finished())).toEqual([[17, 800]])
  })

  it('is not when it cannot have said it yet', () => {
    const alignment = after('This is a sentence of many words. ')
    alignment.sounded({}, 300)
    expect(alignment.asked()).toEqual([])
    alignment.given('Bye.')
    alignment.sounded({}, 2_000)
    expect(brief(alignment.finished()).at(-1)).toEqual([38, 2_300])
  })

  it('has words marked by its pace while a long sentence goes on', () => {
    const alignment = after('one two three four five six seven eight nine ten one two three four')
    const marks: WordMark[] = []
    for (let i = 0; i < 40; i++) {
      const fresh = alignment.sounded({}, 100)
      expect(fresh.every(({ at }) => at <= alignment.made)).toBe(true)
      marks.push(...fresh)
    }
    expect(marks.length).toBeGreaterThan(5)
    marks.push(...alignment.finished())
    expect(brief(marks).at(-1)).toEqual([67, 4_000])
  })
})

describe('a voice that is cut', () => {
  it('and has told nothing, has said what its pace lets it say by then', () => {
    const alignment = after('one two three four. ')
    alignment.sounded({}, 1_000)
    expect(brief(alignment.cut(600))).toEqual([
      [3, 263],
      [7, 526],
    ])
  })

  it('has not said what it had not made', () => {
    const alignment = after('one two three four. ')
    alignment.sounded({}, 300)
    expect(brief(alignment.cut(5_000))).toEqual([[3, 263]])
  })

  it('and has told its words, is not guessed at', () => {
    const alignment = after('one two three four. ')
    alignment.sounded({ words: [{ text: 'one', start: 0, end: 200 }] }, 1_000)
    expect(alignment.cut(900)).toEqual([])
  })
})

describe('whatever a voice tells', () => {
  type Step = 'asked' | { given: string } | ({ duration: number } & Pick<Spoken, 'text' | 'words'>)
  const time = fc.oneof(fc.integer({ min: -100, max: 3_000 }), fc.constant(Number.NaN))
  const words = fc.array(
    fc.record({ text: fc.constantFrom('one', 'two', 'thr', 'ee', 'x', '', '你'), start: time, end: time }),
  )
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.constantFrom('one two. ', 'three ', '<b>one</b>', '你好', '… ', 'two', ' ').map((given) => ({ given })),
    fc.record({ duration: fc.integer({ min: 1, max: 3_000 }), words }),
    fc.record({ duration: fc.integer({ min: 1, max: 3_000 }), text: fc.constantFrom('one two. ', 'three', '你', '') }),
    fc.record({ duration: fc.integer({ min: 1, max: 3_000 }) }),
    fc.constant('asked' as const),
  )

  const take = (alignment: Alignment, each: Step): WordMark[] => {
    if (each === 'asked') return alignment.asked()
    if ('duration' in each) return alignment.sounded(each, each.duration)
    alignment.given(each.given)
    return []
  }

  it('the marks never go back, and the last is the end of the text', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const alignment = new Alignment()
        const text = steps.map((each) => (typeof each === 'object' && 'given' in each ? each.given : '')).join('')
        const marks = [...steps.flatMap((each) => take(alignment, each)), ...alignment.finished()]
        const past = (i: number) => marks[i - 1] ?? { chars: 0, at: 0 }
        expect(marks.filter((mark, i) => mark.chars <= past(i).chars || mark.at < past(i).at)).toEqual([])
        expect(marks.at(-1)?.chars ?? 0).toBe(text.length)
      }),
      { numRuns: 1000 },
    )
  })
})
