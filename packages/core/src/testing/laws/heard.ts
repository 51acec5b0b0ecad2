import type { AssistantItem } from '../../conversation/history.js'
import type { Sound } from '../sound.js'
import { type Evidence, inputs, itemsOf, ms, quote } from './evidence.js'

/** A sound and the item that remembers it. */
interface Pair {
  readonly sound: Sound & { readonly from: number }
  readonly item: AssistantItem | undefined
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
  const heard = pairsOf(evidence)
  const astray = heard.flatMap(({ sound, item }) =>
    item && Math.abs(item.at - sound.from) > 60
      ? [`${quote(item.text)} stands at ${ms(item.at)} in the history, and was heard from ${ms(sound.from)}`]
      : [],
  )
  const places = heard.flatMap(({ item }) => (item ? [history.indexOf(item)] : []))
  const passed = places.filter((place, index) => place < (places[index - 1] ?? 0))
  return [
    ...twice.map((id) => `the id ${id} is there twice`),
    ...back,
    ...astray,
    ...passed.map((place) => `item ${history[place]!.id} was heard after one that follows it`),
  ]
}

/** The sounds that were heard, in order, with their items. */
function pairsOf(evidence: Evidence): Pair[] {
  const items = new Map(itemsOf(evidence, 'assistant').map((item) => [item.id, item]))
  const { sounds = [] } = evidence
  return sounds
    .filter((sound): sound is Pair['sound'] => sound.from !== null)
    .sort((a, b) => a.from - b.from)
    .map((sound) => ({ sound, item: items.get(sound.speech) }))
}

/** By what the line played, where the words can be read in the sound. */
function bySound(evidence: Evidence): string[] {
  const pairs = pairsOf(evidence)
  if (!evidence.sounds || pairs.some(({ sound }) => sound.words.length === 0)) return []
  const heard = new Set(pairs.map(({ sound }) => sound.speech))
  return [
    ...itemsOf(evidence, 'assistant')
      .filter(({ id, text }) => text !== '' && !heard.has(id))
      .map(({ text }) => `the history says that the agent said ${quote(text)}; the line did not play it`),
    ...pairs.flatMap((pair) => misremembered(pair, evidence)),
  ]
}

function misremembered({ sound, item }: Pair, evidence: Evidence): string[] {
  if (isRight(evidence, sound, item) || (!item && isSecret(evidence, sound))) return []
  return item
    ? [
        `the history says that the agent said ${quote(item.text)}; up to ${ms(sound.position)} of it, the words that were heard are ${quote(sound.text)}`,
      ]
    : [`the agent was heard to say ${quote(sound.text)}; the history does not know of it`]
}

/** It was said on the condition that it is not remembered. */
const isSecret = (evidence: Evidence, { text }: Sound): boolean =>
  inputs(evidence, 'say').some(({ input }) => !input.record && begins(input.text ?? '', text))

/** What was heard is remembered to the word, as well as the line and the voice have told it. */
function isRight({ aligned = 'words' }: Evidence, sound: Sound, item: AssistantItem | undefined): boolean {
  const [said, heard] = [plain(item?.text ?? ''), plain(sound.text)]
  if (said === heard) return true
  const isTold = sound.reported !== null && (item?.done ?? true)
  if (!isTold && begins(heard, said)) return true
  if (aligned === 'words' || (isTold && sound.end === 'whole')) return false
  // of a voice that tells nothing, all that it has made may have been heard
  const made = plain(sound.words.map(({ text }) => text).join(''))
  return isNear(said, heard) || (aligned === 'nothing' && begins(made, said))
}

/**
 * Words inside a piece of sound are told by the pace of voices, which may be a quarter off that of this one; the word at
 * the cut may fall on either side of it.
 */
function isNear(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  return begins(longer, shorter) && wordsIn(longer) - wordsIn(shorter) <= 1 + Math.floor(wordsIn(longer) / 4)
}

/** By what came into the session: the marks of the words, and the position at which the line ended. */
function byReports(evidence: Evidence): string[] {
  const items = new Map(itemsOf(evidence, 'assistant').map((item) => [item.id, item]))
  const marks = inputs(evidence, 'voice-mark')
  return inputs(evidence, 'playout-end').flatMap(({ input: { speech, position } }) => {
    const item = items.get(speech)
    if (!item?.done) return []
    const heard = marks
      .filter(({ input }) => input.speech === speech && input.at <= position + 0.5)
      .map(({ input }) => input.chars)
    const chars = Math.max(0, ...heard)
    const off = chars - item.text.length
    return off >= 0 && off <= 2
      ? []
      : [
          `the line played ${speech} up to ${ms(position)}, that is ${chars} characters; the history has ${item.text.length}: ${quote(item.text)}`,
        ]
  })
}

const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0
const plain = (text: string): string => text.trim().replace(/\s+/g, ' ')
const begins = (whole: string, part: string): boolean => plain(whole).startsWith(plain(part))
