/** Characters of the first piece before it may end at a clause, so that the voice can begin early. */
const firstClause = 40
/** A piece that has become so long ends at a space … */
const long = 250
/** … and at last anywhere. */
const tooLong = 1_000

/** Words that end with a full stop in the middle of a sentence. */
const titles = new Set(
  'mr mrs ms mx dr prof rev gen sen rep gov capt lt col sgt st mt messrs mme mlle hr fr vs cf e.g i.e z.b d.h bzw p.ej'.split(
    ' ',
  ),
)
/** Words that may stand at the end of one, too. */
const abbreviations = new Set(
  'etc inc ltd co corp jr sr no nr vol art fig ave rd blvd dept est approx ca min max hrs tel ext usw bzgl'.split(' '),
)

const ender = /[.!?…]/
const unspacedEnder = /[。！？｡]/
const closer = /["'”’»)\]}」』）】*_]/
const clause = /[,;:—–]/
const unspacedClause = /[，、；：]/
const space = /\s/

/** What is known of a place in a text: a piece ends at this index, none ends here, or what follows must be seen first. */
type Verdict = number | 'goes on' | 'undecided'

/**
 * Cuts a stream of text into pieces that can be spoken: sentences, and for a quick start a first clause. The pieces in a
 * row are the text, character by character, and they are the same however it was chopped up on its way.
 */
export class SentenceSplitter {
  #rest = ''
  #first = true

  push(text: string): string[] {
    this.#rest += text
    const pieces: string[] = []
    for (;;) {
      const end = endOfPiece(this.#rest, this.#first)
      if (end === null) return pieces
      pieces.push(this.#take(end))
    }
  }

  /** Ends the passage: what is there is a piece, and the next may be quick again. */
  flush(): string[] {
    const rest = this.#rest === '' ? [] : [this.#take(this.#rest.length)]
    this.#first = true
    return rest
  }

  #take(length: number): string {
    const piece = this.#rest.slice(0, length)
    this.#rest = this.#rest.slice(length)
    this.#first = false
    return piece
  }
}

/** Where the first piece of `text` ends; null: that cannot be told yet. */
function endOfPiece(text: string, first: boolean): number | null {
  let lastSpace = 0
  for (let i = 0; i < text.length; i = next(text, i)) {
    const verdict = limit(text, i, lastSpace) ?? judge(text, i, first)
    if (verdict === 'undecided') return null
    if (verdict !== 'goes on') return verdict
    if (i > 0 && space.test(text[i]!)) lastSpace = i + 1
  }
  return null
}

/** The next place where a piece could end: none is within a tag. */
function next(text: string, i: number): number {
  const tag = endOfTag(text, i)
  return typeof tag === 'number' ? tag : i + 1
}

function limit(text: string, i: number, lastSpace: number): number | null {
  if (i >= long && lastSpace > 0) return lastSpace
  if (i < tooLong) return null
  return /[\uDC00-\uDFFF]/.test(text[i]!) ? i + 1 : i
}

function judge(text: string, i: number, first: boolean): Verdict {
  const character = text[i]!
  if (character === '<') return endOfTag(text, i) === 'undecided' ? 'undecided' : 'goes on'
  if (character === '\n') return text.slice(0, i).trim() === '' ? 'goes on' : i + 1
  if (isEnder(character)) return endOfSentence(text, i)
  return first ? endOfClause(text, i) : 'goes on'
}

function endOfClause(text: string, i: number): Verdict {
  if (unspacedClause.test(text[i]!)) return i >= firstClause / 2 ? i + 1 : 'goes on'
  if (i < firstClause || !clause.test(text[i]!)) return 'goes on'
  if (i + 1 === text.length) return 'undecided'
  return space.test(text[i + 1]!) ? i + 2 : 'goes on'
}

/** `i`: the first of some full stops and the like, which may have quotes, brackets or tags behind them. */
function endOfSentence(text: string, i: number): Verdict {
  if (i > 0 && isEnder(text[i - 1]!)) return 'goes on'
  const end = endOfRun(text, i)
  if (end === 'undecided' || end === text.length) return 'undecided'
  const run = text.slice(i, end)
  if (!space.test(text[end]!)) return unspacedEnder.test(run) ? end : 'goes on'
  const doubt = doubtAbout(text.slice(0, i), run)
  if (doubt === 'none') return end + 1
  return doubt === 'sure' ? 'goes on' : byWhatFollows(text, end)
}

function endOfRun(text: string, from: number): number | 'undecided' {
  for (let i = from; i < text.length; ) {
    const tag = endOfTag(text, i)
    if (tag === 'undecided') return tag
    if (typeof tag === 'number') i = tag
    else if (isEnder(text[i]!) || closer.test(text[i]!)) i++
    else return i
  }
  return text.length
}

/** Whether the full stop is one: it may belong to an abbreviation, an initial, a number in a list, or be left open … */
function doubtAbout(before: string, run: string): 'none' | 'some' | 'sure' {
  if (/^\.\.|…/.test(run)) return 'some'
  if (!run.startsWith('.')) return 'none'
  const word = /[\p{L}\p{N}.]+$/u.exec(before.slice(-16))?.[0] ?? ''
  if (titles.has(word.toLowerCase())) return 'sure'
  if (word !== 'I' && /^\p{Lu}$/u.test(word)) return 'sure'
  if (/^\d+$/.test(word) && before.trim() === word) return 'sure'
  if (abbreviations.has(word.toLowerCase()) || /^(\p{L}\.)+\p{L}$/u.test(word)) return 'some'
  return 'none'
}

/** A sentence that ends is followed by a new line, or by anything but a small letter or a number. `end`: a space. */
function byWhatFollows(text: string, end: number): Verdict {
  const gap = /^\s+/.exec(text.slice(end))![0]
  if (gap.includes('\n')) return end + 1
  const next = text.slice(end + gap.length)
  if (next === '' || /^[\uD800-\uDBFF]$/.test(next)) return 'undecided'
  return /^[\p{Ll}\p{N}]/u.test(next) ? 'goes on' : end + 1
}

/** Where the tag that begins at `i` ends. */
function endOfTag(text: string, i: number): Verdict {
  if (text[i] !== '<') return 'goes on'
  const begun = /^<(?:\/?[a-zA-Z][^<>\n]{0,200}|\/?$)/.exec(text.slice(i, i + 210))?.[0]
  if (!begun) return 'goes on'
  const end = i + begun.length
  if (end === text.length) return 'undecided'
  return text[end] === '>' ? end + 1 : 'goes on'
}

function isEnder(character: string): boolean {
  return ender.test(character) || unspacedEnder.test(character)
}
