import type { AssistantItem } from '../../conversation/history.js'
import type { Sound } from '../track.js'
import { type Evidence, inputs, itemsOf, ms, quote } from './evidence.js'

/** A sound and the item that remembers it. */
interface Pair {
  readonly sound: Sound & { readonly from: number }
  readonly item: AssistantItem | null
}

/** L2: the text of each answer is what was heard of it, no more and no less. */
export function heardOnly(evidence: Evidence): string[] {
  return [...byReports(evidence), ...bySound(evidence)]
}

/** L7: the order of the history is the order of what was heard. */
export function inOrder(evidence: Evidence): string[] {
  const { history } = evidence
  const ids = history.map(({ id }) => id)
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  const back = history.flatMap((item, index) => {
    const before = history[index - 1]
    return before && before.at > item.at
      ? [`item ${item.id} of ${ms(item.at)} follows item ${before.id} of ${ms(before.at)}`]
      : []
  })
  const astray = pairsOf(evidence).flatMap(({ sound, item }) =>
    item && Math.abs(item.at - sound.from) > 60
      ? [`${quote(item.text)} stands at ${ms(item.at)} in the history, and was heard from ${ms(sound.from)}`]
      : [],
  )
  return [...twice.map((id) => `the id ${id} is there twice`), ...back, ...astray]
}

/** The sounds that were heard, in order, with the items in order. */
function pairsOf(evidence: Evidence): Pair[] {
  const items = itemsOf(evidence, 'assistant')
  const unrecorded = inputs(evidence, 'say')
    .filter(({ input }) => !input.record)
    .map(({ input }) => input.text ?? '')
  let next = 0
  return soundsOf(evidence).map((sound) => {
    const item = items[next]
    const secret = unrecorded.some((text) => text.startsWith(sound.text))
    const remembered = item && (isKnown(evidence, sound) ? sound.text !== '' : agree(made(sound), item.text))
    if (!remembered || (secret && !begins(item.text, sound.text))) return { sound, item: null }
    next++
    return { sound, item }
  })
}

/** How far a sound was heard is known where the line has told it, and the voice has told its words, or has said them all. */
const isKnown = ({ aligned }: Evidence, { reported, end }: Sound): boolean =>
  reported !== null && !(aligned === 'nothing' && end === 'cut')

/** One says no other words than the other, as far as both go. */
const agree = (one: string, other: string): boolean => begins(one, other) || begins(other, one)

const made = ({ words }: Sound): string => words.map(({ text }) => text).join('')

const soundsOf = ({ sounds = [] }: Evidence): Pair['sound'][] =>
  sounds.filter((sound): sound is Pair['sound'] => sound.from !== null).sort((a, b) => a.from - b.from)

/** By what the line played, where the words can be read in the sound. */
function bySound(evidence: Evidence): string[] {
  if (!evidence.sounds || soundsOf(evidence).some(({ words }) => words.length === 0)) return []
  const pairs = pairsOf(evidence)
  const unheard = itemsOf(evidence, 'assistant').filter(
    (item) => item.text !== '' && !pairs.some((pair) => pair.item === item),
  )
  return [
    ...unheard.map((item) => `the history says that the agent said ${quote(item.text)}; the line did not play it`),
    ...pairs.flatMap((pair) => misremembered(pair, evidence)),
  ]
}

function misremembered({ sound, item }: Pair, evidence: Evidence): string[] {
  if (!item) {
    const secret = inputs(evidence, 'say').some(
      ({ input }) => !input.record && (input.text ?? '').startsWith(sound.text),
    )
    return sound.text === '' || secret || !isKnown(evidence, sound)
      ? []
      : [`the agent was heard to say ${quote(sound.text)}; the history does not know of it`]
  }
  const most = evidence.aligned === 'nothing' ? made(sound) : sound.text
  const right = item.done && sound.reported !== null ? isRight(evidence, sound, item) : begins(most, item.text)
  return right
    ? []
    : [
        `the history says that the agent said ${quote(item.text)}; up to ${ms(sound.position)} of it, the words that were heard are ${quote(sound.text)}`,
      ]
}

/** Words of a piece of sound are told by the pace of a voice, which is not that of each word: one in four may be off. */
const unsure = ({ words }: Sound): number => Math.max(1, Math.round(words.length / 4))

/** Cut words are remembered to the word, as well as the voice has told them. */
function isRight({ aligned = 'words' }: Evidence, sound: Sound, { text }: AssistantItem): boolean {
  const [said, heard] = [plain(text), plain(sound.text)]
  if (said === heard) return true
  if (aligned === 'words' || sound.end === 'whole') return false
  if (aligned === 'nothing') return agree(made(sound), said) // nobody can know better
  const [shorter, longer] = said.length < heard.length ? [said, heard] : [heard, said]
  return begins(longer, shorter) && longer.split(' ').length - shorter.split(' ').length <= unsure(sound)
}

/** By what came into the session: the marks of the words, and the position at which the line ended. */
function byReports(evidence: Evidence): string[] {
  const marks = inputs(evidence, 'voice-mark')
  const items = itemsOf(evidence, 'assistant').filter(({ done }) => done)
  const secret = inputs(evidence, 'say').some(({ input }) => !input.record)
  const ends = inputs(evidence, 'playout-end').map(({ input: { speech, position } }) => {
    const heard = marks
      .filter(({ input }) => input.speech === speech && input.at <= position + 0.5)
      .map(({ input }) => input.chars)
    return { speech, position, chars: Math.max(0, ...heard) }
  })
  const told = ends.filter(({ chars }) => chars > 0)
  if (secret || told.length !== items.length) return []
  return items.flatMap((item, index) => {
    const { speech, position, chars } = told[index]!
    const off = chars - item.text.length
    return off >= 0 && off <= 2
      ? []
      : [
          `the line played ${speech} up to ${ms(position)}, that is ${chars} characters; the history has ${item.text.length}: ${quote(item.text)}`,
        ]
  })
}

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ')
const begins = (whole: string, part: string): boolean => plain(whole).startsWith(plain(part))
