/** A word, or a character of a script that leaves no spaces, with what clings to it: `text.slice(start, end)`. */
export interface Word {
  readonly start: number
  readonly end: number
  /** What can be heard of it: its letters and digits, in lower case. '' for markup and for marks that stand alone. */
  readonly letters: string
  /** How long it takes to say, in syllables more or less. 0 for what is not said. */
  readonly weight: number
  /** How long the voice rests after it, in the same unit. */
  readonly rest: number
}

/** A word in the sound of a speech. */
export interface WordMark {
  /** The word is the last before this many characters of the text. */
  readonly chars: number
  /** When it begins and ends, ms into the sound. */
  readonly start: number
  readonly at: number
  /** The voice itself has told the times. */
  readonly precise: boolean
}

const markup = /<\/?[a-zA-Z][^<>\n]{0,200}>/
const token = new RegExp(`${markup.source}|<|[^\\s<]+`, 'gu')
/** Scripts in which spaces do not part the words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The words of a text, in order. Tags like `<break time="1s"/>` are words that take no time. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: part, index } of text.matchAll(token)) {
    if (isMarkup(part)) words.push({ start: index, end: index + part.length, letters: '', weight: 0, rest: 0 })
    else for (const [start, end] of splitUnspaced(part)) words.push(word(part.slice(start, end), index + start))
  }
  return words
}

/** Something in the text can be said. */
export function isSpeakable(text: string): boolean {
  return wordsOf(text).some(({ letters }) => letters !== '')
}

/** When each word of `text` begins and ends, in a sound of `duration` ms that says nothing else: by their weights. */
export function estimate(text: string, duration: number): WordMark[] {
  return spread(wordsOf(text), 0, duration)
}

/** The same for words whose sound goes from `from` to `to`. */
export function spread(words: readonly Word[], from: number, to: number): WordMark[] {
  const silent = words.every(({ weight }) => weight === 0)
  const weight = (word: Word) => (silent ? 1 : word.weight)
  // No rest after the last word that is said: the sound is taken to end with it.
  const last = words.findLastIndex((word) => weight(word) > 0)
  const rest = (word: Word, index: number) => (index < last ? word.rest : 0)
  const total = words.reduce((sum, word, index) => sum + weight(word) + rest(word, index), 0)
  let spent = 0
  const time = () => from + ((to - from) * spent) / total
  return words.map((word, index) => {
    const start = time()
    spent += weight(word)
    const at = index >= last ? to : time()
    spent += rest(word, index)
    return { chars: word.end, start: Math.min(start, at), at, precise: false }
  })
}

/** What counts when words are compared: letters and digits, whatever their case and form. */
export function lettersOf(text: string): string {
  if (isMarkup(text.trim())) return ''
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
}

function isMarkup(part: string): boolean {
  return part.length > 1 && part.startsWith('<') && part.endsWith('>')
}

/** Ranges of one word each; marks cling to the character before them, at the beginning to the one behind. */
function splitUnspaced(part: string): [start: number, end: number][] {
  if (!unspaced.test(part)) return [[0, part.length]]
  const ranges: [number, number][] = []
  let open: 'letters' | 'marks' | 'closed' = 'closed'
  for (const { segment, index } of graphemes.segment(part)) {
    const end = index + segment.length
    const isMark = lettersOf(segment) === ''
    const alone = !isMark && unspaced.test(segment)
    const last = ranges.at(-1)
    if (last && (isMark || open === 'marks' || (open === 'letters' && !alone))) last[1] = end
    else ranges.push([index, end])
    if (!isMark) open = alone ? 'closed' : 'letters'
    else if (!last) open = 'marks'
  }
  return ranges
}

function word(text: string, start: number): Word {
  const letters = lettersOf(text)
  const rest = /[.!?…。！？]["'”’)\]」』]*$/u.test(text) ? 1.5 : /[,;:，、；：—–]["'”’)\]」』]*$/u.test(text) ? 0.7 : 0
  return { start, end: start + text.length, letters, weight: syllables(letters), rest: letters ? rest : 0 }
}

const vowels = /[aeiouyáàâäãåæéèêëíìîïóòôöõøœúùûüýÿаеёиоуыэюяіїєαεηιουωάέήίόύώ]+/g

/** Roughly: groups of vowels, each digit, each character that is a syllable of its own. */
function syllables(letters: string): number {
  if (letters === '') return 0
  const digits = letters.match(/\p{N}/gu)?.length ?? 0
  const whole = letters.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  const groups = letters.match(vowels)?.length ?? 0
  // "one", "like", but not "table", "be".
  const mute = groups > 1 && /[^aeiouyl]e$|[aeiouy]le$/.test(letters) ? 1 : 0
  const counted = digits + whole + groups - mute
  return counted > 0 ? counted : Math.max(1, Math.round(letters.length / 2.5))
}
