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

/** What was heard of one speech. Times: ms on the clock; positions: ms into the sound. */
export interface Sound {
  /** The id of the speech, which is that of its item in the history. */
  readonly speech: string
  /** When its first sound was heard; null: nothing of it was. */
  readonly from: number | null
  /** When its last sound was heard; null: it still sounds, or waits. */
  readonly to: number | null
  /** Played to its end; cut; or given up before anything of it was heard. */
  readonly end: 'open' | 'whole' | 'cut' | 'unheard'
  /** The words that were heard whole. */
  readonly text: string
  /** How far it was played. */
  readonly position: number
  /** Where it was held, and until when. */
  readonly pauses: readonly { readonly at: number; readonly position: number; readonly until: number | null }[]
  /** When it was lowered. */
  readonly ducks: readonly { readonly at: number; readonly until: number | null }[]
  /** The stretches in which it was audible. */
  readonly stretches: readonly {
    readonly from: number
    readonly to: number
    readonly start: number
    readonly end: number
  }[]
  /** All words whose sound reached the line. */
  readonly words: readonly SpokenWord[]
  /** The position that the line reported at its end; null: it did not. */
  readonly reported: number | null
  /** Pieces of sound that came after the line had reported the end. */
  readonly late: number
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
