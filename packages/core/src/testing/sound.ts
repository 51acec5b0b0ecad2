/**
 * Sound that can be read back: each spoken word is a run of samples with a value of its own, so that a line knows which words
 * it played, whatever came between the voice and the line.
 */

/** A word with the space around it, and where it stands in its sound, ms. */
export interface SpokenWord {
  readonly text: string
  readonly start: number
  readonly end: number
}

const values = 32_767
const words: (string | undefined)[] = new Array(values + 1)
let last = 0

/** `text` as sound: one run of samples, `length` of them. */
export function soundOf(text: string, length: number): Int16Array {
  last = (last % values) + 1
  words[last] = text
  return new Int16Array(length).fill(last)
}

/** A run of equal samples. */
export interface Run {
  readonly value: number
  readonly length: number
}

export function runsOf(samples: Int16Array): Run[] {
  const runs: Run[] = []
  let from = 0
  for (let to = 1; to <= samples.length; to++) {
    if (to < samples.length && samples[to] === samples[from]) continue
    runs.push({ value: samples[from]!, length: to - from })
    from = to
  }
  return runs
}

/** The word of a run; undefined when it is silence, or sound of another origin. */
export const wordOf = ({ value }: Run): string | undefined => (value > 0 ? words[value] : undefined)

/** Spreads the words of `text` over `duration` ms: evenly, or by their syllables. */
export function layOut(text: string, duration: number, by: 'words' | 'syllables'): SpokenWord[] {
  const pieces = text.match(/\s*\S+\s*/g) ?? []
  const weights = pieces.map((piece) => (by === 'words' ? 1 : syllables(piece)))
  const unit = duration / weights.reduce((sum, weight) => sum + weight, 0)
  let said = 0
  return pieces.map((piece, index) => {
    const start = said * unit
    said += weights[index]!
    return { text: piece, start: Math.round(start), end: Math.round(said * unit) }
  })
}

/** Roughly: groups of vowels, a silent e at the end not counted. */
function syllables(word: string): number {
  const letters = word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return Math.max(1, letters.replace(/e$/, '').match(/[aeiouyäöü]+/g)?.length ?? 1)
}
