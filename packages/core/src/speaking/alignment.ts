import type { Spoken, WordTime } from '../api/models.js'
import { estimate, lettersOf, spread, type Word, type WordMark, wordsOf } from './words.js'

/** Syllables in a second: what a voice is taken to say until it is known, and what none can say. */
const usual = 3.8
const impossible = 8
/** ms of sound without a mark before words are told by their usual pace. */
const patience = 2_000

/**
 * Finds the words of a text in the sound of it, as the sound comes. A voice may tell the times of its words, or what part
 * of the text a piece of sound says, or nothing: then a sentence is taken to be said when the voice asks for the next.
 *
 * The marks that come out never go back, neither in the text nor in time.
 */
export class Alignment {
  /** Words given to the voice and not marked yet, with their places in the whole text. */
  #words: Word[] = []
  /** Of the first of them: how many of its letters were found already, and since when they sound. */
  #begun: { readonly letters: number; readonly since: number } | null = null
  #length = 0
  #made = 0
  #last = { chars: 0, at: 0 }
  /** The voice says what it says, and so need not be guessed at. */
  #tells = false
  /** Syllables in a second. */
  #pace = usual

  /** ms of sound so far. */
  get made(): number {
    return this.#made
  }

  /** The voice was given more of the text. */
  given(piece: string): void {
    for (const word of wordsOf(piece)) {
      this.#words.push({ ...word, start: word.start + this.#length, end: word.end + this.#length })
    }
    this.#length += piece.length
  }

  /** The voice asks for more text: what it had is said, if the sound so far can hold it. */
  asked(): WordMark[] {
    const seconds = (this.#made - this.#last.at) / 1000
    const weight = weightOf(this.#words)
    if (this.#tells || weight === 0 || weight > impossible * seconds) return []
    this.#pace = weight / seconds
    return this.#place(this.#words.length, this.#last.at, this.#made)
  }

  /** The voice made `duration` ms of sound. */
  sounded(spoken: Pick<Spoken, 'text' | 'words'>, duration: number): WordMark[] {
    const from = this.#made
    this.#made += duration
    const precise = spoken.words !== undefined && spoken.words.length > 0 && spoken.words.every(isTimed)
    const parts = precise ? spoken.words : paced(spoken.text ?? '', duration)
    // a voice that tells nothing goes on for long: it is not waited for until it asks for more
    if (parts.length === 0) return this.#tells || from - this.#last.at < patience ? [] : this.#byPace(from)
    this.#tells = true
    return parts.flatMap(({ text, start, end }) => this.#find(lettersOf(text), from + start, from + end, precise))
  }

  /** The voice has said all. The last mark is the end of the text. */
  finished(): WordMark[] {
    const end = Math.max(this.#made, this.#last.at)
    const marks = this.#place(this.#words.length, this.#last.at, end)
    if (this.#last.chars === this.#length) return marks
    const last = marks.pop() ?? { start: end, at: end, precise: false }
    return [...marks, { ...last, chars: this.#length }]
  }

  /** The voice says these letters, a word more or less, from `start` to `end`. */
  #find(letters: string, start: number, end: number, precise: boolean): WordMark[] {
    const found = this.#search(letters)
    if (found === null) return []
    const { skipped, covered, rest } = found
    const since = skipped === 0 && this.#begun ? this.#begun.since : start
    const marks = this.#place(skipped, this.#last.at, since)
    marks.push(...this.#place(covered, since, end, precise && covered === 1))
    this.#begun = rest > 0 ? { letters: rest, since: covered === 0 ? since : end } : null
    return marks
  }

  /**
   * Where the letters stand among the words: behind what was found, or at the beginning of a word a little ahead, the
   * farther the more letters there are. What lies between was said in a way that cannot be recognised.
   */
  #search(letters: string): { skipped: number; covered: number; rest: number } | null {
    let passed = 0
    for (let skipped = 0; skipped < this.#words.length && passed <= letters.length && letters !== ''; skipped++) {
      const match = matched(this.#words, skipped, skipped === 0 ? (this.#begun?.letters ?? 0) : 0, letters)
      if (match && (passed === 0 || match.rest === 0)) return { skipped, ...match }
      if (this.#words[skipped]!.letters !== '') passed++
    }
    return null
  }

  /** The voice was cut when `position` ms of it had been heard. Where it has told nothing, its pace says what it said by then. */
  cut(position: number): WordMark[] {
    return this.#tells ? [] : this.#byPace(Math.min(position, this.#made))
  }

  #byPace(until: number): WordMark[] {
    const time = until - this.#last.at
    let weight = 0
    let count = 0
    while (count + 1 < this.#words.length && weight + this.#words[count]!.weight <= (time / 1000) * this.#pace) {
      weight += this.#words[count]!.weight
      count++
    }
    return this.#place(count, this.#last.at, this.#last.at + (weight / this.#pace) * 1000)
  }

  /** The first `count` words sound from `from` to `to`. */
  #place(count: number, from: number, to: number, precise = false): WordMark[] {
    if (count === 0) return []
    this.#begun = null
    return spread(this.#words.splice(0, count), from, to).map((mark) => {
      const at = Math.max(mark.at, this.#last.at)
      this.#last = { chars: mark.chars, at }
      return { ...mark, at, precise }
    })
  }
}

/** How `letters` go on from letter `offset` of word `index`: words ended by them, letters begun of the next. */
function matched(
  words: readonly Word[],
  index: number,
  offset: number,
  letters: string,
): { covered: number; rest: number } | null {
  let covered = 0
  let from = offset
  let left = letters
  for (; left !== ''; covered++, from = 0) {
    const word = words[index + covered]?.letters.slice(from)
    if (word === undefined || (covered === 0 && word === '')) return null
    if (word.startsWith(left) && word !== left) return { covered, rest: from + left.length }
    if (!left.startsWith(word)) return null
    left = left.slice(word.length)
  }
  return { covered, rest: 0 }
}

/** What a piece of sound says, when the voice tells no times. */
function paced(text: string, duration: number): WordTime[] {
  return estimate(text, duration).map(({ chars, start, at }, index, all) => ({
    text: text.slice(all[index - 1]?.chars ?? 0, chars),
    start,
    end: at,
  }))
}

function isTimed({ start, end }: WordTime): boolean {
  return Number.isFinite(start) && Number.isFinite(end) && end >= start
}

function weightOf(words: readonly Word[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0)
}
