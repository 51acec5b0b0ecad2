import type { WordTime } from 'antiphon'
import { cheapestPath } from './cheapest-path.js'

/** A sound of speech, ms from the start of the audio. `pau` is a pause. */
export interface Phone {
  readonly name: string
  readonly start: number
  readonly end: number
}

interface Span {
  readonly start: number
  readonly end: number
}

const PAUSE = 'pau'
const MOST_PHONES_OF_A_WORD = 16
const MOST_WORDS_OF_A_TOKEN = 24

/** Reads what Flite prints of its phones: each with the second at which it ends, as `hh:0.255 ax:0.304`. */
export function parsePhones(printed: string): Phone[] {
  let start = 0
  return [...printed.matchAll(/([a-z]+):([\d.]+)/g)].map(([, name = '', seconds]) => {
    const phone = { name, start, end: Number(seconds) * 1_000 }
    start = phone.end
    return phone
  })
}

/**
 * When each written word of `text` is said. `spoken`: the words as the voice says them, which are other words than the
 * written ones where there are numbers, abbreviations and addresses.
 */
export function alignWords(text: string, spoken: readonly string[], phones: readonly Phone[]): WordTime[] {
  const written = text.split(/\s+/).filter((word) => letters(word) !== '')
  const audible = spoken.filter((word) => letters(word) !== '')
  const times = timeWords(audible, phones)
  let first = 0
  return groupWords(written, audible).flatMap((count, index) => {
    const from = times[first]
    first += count
    const to = times[first - 1]
    return from && to && count > 0 ? [{ text: written[index]!, start: from.start, end: to.end }] : []
  })
}

/** When each spoken word is said: pauses are firm borders; between them the number of phones is fitted to the spelling. */
function timeWords(words: readonly string[], phones: readonly Phone[]): Span[] {
  const runs = cheapestPath({
    takers: words.length,
    things: phones.length,
    most: MOST_PHONES_OF_A_WORD,
    cost(word, from, count) {
      const expected = expectedPhones(words[word]!)
      const broken = phones.slice(from, from + count).some(({ name }) => name === PAUSE)
      return count === 0 || broken ? Number.POSITIVE_INFINITY : (count - expected) ** 2 / expected
    },
    skip: (phone) => phones[phone]?.name === PAUSE,
  })
  return runs.map(({ from, count }) => ({ start: phones[from]!.start, end: phones[from + count - 1]!.end }))
}

/** How many spoken words each written one becomes: itself, or several if it is a number, an abbreviation, an address. */
function groupWords(written: readonly string[], spoken: readonly string[]): number[] {
  const runs = cheapestPath({
    takers: written.length,
    things: spoken.length,
    most: MOST_WORDS_OF_A_TOKEN,
    cost(word, from, count) {
      const token = letters(written[word]!)
      const said = spoken
        .slice(from, from + count)
        .map(letters)
        .join('')
      if (said === token) return 0
      const beginning = token[0] === said[0] ? 0 : 0.2
      const isWord = WORD.test(written[word]!)
      return beginning + (isWord ? 2 + Math.abs(count - 1) * 2 : 0.3 + count * 0.02)
    },
    skip: () => false,
  })
  return runs.map(({ count }) => count)
}

/** Letters, and signs before and after them. */
const WORD = /^[^\p{L}\p{N}]*[\p{L}']+[^\p{L}\p{N}]*$/u

const DIGRAPHS = /(ch|sh|th|ph|ck|gh|wh|ng|qu|tt|ss|ll|rr|nn|mm|pp|ff|zz|ee|oo|ea|ai|ay|ou|ow|oa|ie|ey|ei|au|aw)/g

const expectedPhones = (word: string) => Math.max(1, letters(word).replace(/e$/, '').replace(DIGRAPHS, 'x').length)

const letters = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
