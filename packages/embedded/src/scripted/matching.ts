type Vector = ReadonlyMap<string, number>

/** Words that say little of what somebody wants. */
const COMMON = new Set(
  'a an the to of is it i you me my do does can could will would like please for on in at and that this there are was be have'.split(
    ' ',
  ),
)
const WEIGHTS = { word: 2, common: 0.3, pair: 1, letters: 0.5 }
const SHORTEST_LETTERS = 3
const LONGEST_LETTERS = 5

/**
 * Finds out which of some things a text is most like, by examples of each: words, pairs of words and runs of letters,
 * weighed by how rare they are among the examples. Runs of letters forgive a recogniser's mistakes.
 */
export class Matcher<Thing> {
  readonly #documents = new Map<string, number>()
  readonly #examples: readonly { readonly thing: Thing; readonly vector: Vector }[]
  readonly #count: number

  constructor(things: readonly Thing[], examplesOf: (thing: Thing) => readonly string[]) {
    const examples = things.flatMap((thing) => examplesOf(thing).map((text) => ({ thing, text })))
    this.#count = examples.length
    for (const { text } of examples) {
      for (const feature of features(text).keys()) {
        this.#documents.set(feature, (this.#documents.get(feature) ?? 0) + 1)
      }
    }
    this.#examples = examples.map(({ thing, text }) => ({ thing, vector: this.#vector(text) }))
  }

  /** The things from the likeliest to the least, each with a score from 0 to 1. */
  rank(text: string): { readonly thing: Thing; readonly score: number }[] {
    const vector = this.#vector(text)
    const scores = new Map<Thing, number[]>()
    for (const example of this.#examples) {
      const known = scores.get(example.thing) ?? []
      scores.set(example.thing, [...known, similarity(vector, example.vector)])
    }
    const ranked = [...scores].map(([thing, all]) => ({ thing, score: meanOfBestTwo(all) }))
    return ranked.sort((left, right) => right.score - left.score)
  }

  #vector(text: string): Vector {
    const weighed = [...features(text)].map(([feature, weight]) => {
      const rarity = Math.log(1 + this.#count / (this.#documents.get(feature) ?? 1))
      return [feature, weight * rarity] as const
    })
    const length = Math.hypot(...weighed.map(([, weight]) => weight)) || 1
    return new Map(weighed.map(([feature, weight]) => [feature, weight / length]))
  }
}

function features(text: string): Map<string, number> {
  const found = new Map<string, number>()
  const add = (feature: string, weight: number) => found.set(feature, (found.get(feature) ?? 0) + weight)
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
  for (const [index, word] of words.entries()) {
    add(`word ${word}`, COMMON.has(word) ? WEIGHTS.common : WEIGHTS.word)
    if (!COMMON.has(word)) for (const run of runsOfLetters(`^${word}$`)) add(run, WEIGHTS.letters)
    if (index > 0) add(`pair ${words[index - 1]} ${word}`, WEIGHTS.pair)
  }
  return found
}

function* runsOfLetters(word: string): Iterable<string> {
  for (let length = SHORTEST_LETTERS; length <= LONGEST_LETTERS; length++) {
    for (let start = 0; start + length <= word.length; start++) yield word.slice(start, start + length)
  }
}

function similarity(left: Vector, right: Vector): number {
  let sum = 0
  for (const [feature, weight] of left) sum += weight * (right.get(feature) ?? 0)
  return sum
}

function meanOfBestTwo(scores: readonly number[]): number {
  const best = [...scores].sort((left, right) => right - left).slice(0, 2)
  return best.reduce((sum, score) => sum + score, 0) / best.length
}
