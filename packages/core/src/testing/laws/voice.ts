import type { Sound } from '../sound.js'
import { type Evidence, inputs, itemsOf, ms, quote } from './evidence.js'

/** ms that a sound may be late to notice a voice that has just begun. */
const reaction = 60

/** L4: never two speeches at once, and none begins over a user who speaks. */
export function oneVoice(evidence: Evidence): string[] {
  return [...together(evidence), ...overUser(evidence), ...interleaved(evidence), ...late(evidence)]
}

function together({ sounds = [] }: Evidence): string[] {
  const stretches = sounds.flatMap((sound, index) => sound.stretches.map((stretch) => ({ ...stretch, sound, index })))
  return stretches.flatMap((one) =>
    stretches
      .filter((other) => other.index > one.index && other.from < one.to - 1 && one.from < other.to - 1)
      .map(
        (other) =>
          `${name(one.sound)} and ${name(other.sound)} are heard together from ${ms(Math.max(one.from, other.from))}`,
      ),
  )
}

function overUser(evidence: Evidence): string[] {
  // where somebody presses a button to talk, a voice alone does not have the floor
  if (evidence.settings.turns === 'manual' || mayBeProtected(evidence)) return []
  const voices = voicesOf(evidence)
  return (evidence.sounds ?? []).flatMap((sound) => {
    const starts = [
      ...(sound.from === null ? [] : [sound.from]),
      ...sound.pauses.flatMap(({ until }) => (until === null ? [] : [until])),
    ]
    return starts.flatMap((start) => {
      const voice = voices.find(({ from, to }) => start > from + reaction && start < to - 1)
      return voice ? [`${name(sound)} begins at ${ms(start)}, while the user speaks (since ${ms(voice.from)})`] : []
    })
  })
}

/** When the user was known to speak, and not merely to say "go on". */
function voicesOf(evidence: Evidence): { from: number; to: number }[] {
  const ends = inputs(evidence, 'user-speech-end').map(({ at }) => at)
  const nods = itemsOf(evidence, 'overheard').map(({ at }) => at)
  return inputs(evidence, 'user-speech-start')
    .map(({ at }) => ({ from: at, to: ends.find((end) => end >= at) ?? evidence.now }))
    .filter(({ from, to }) => !nods.some((at) => at >= from && at <= to))
}

/** Somebody asked for speech that does not yield: it may begin over the user, or go on after it has waited long enough. */
function mayBeProtected(evidence: Evidence): boolean {
  return (
    inputs(evidence, 'say').some(({ input }) => !input.interruptible) ||
    inputs(evidence, 'reply').some(({ input }) => !input.interruptible) ||
    inputs(evidence, 'reply-protect').some(({ input }) => !input.interruptible) ||
    inputs(evidence, 'task-start').some(({ input }) => input.speech === 'finish') ||
    inputs(evidence, 'user-overlap').some(({ input }) => input.verdict === 'backchannel')
  )
}

/** What the line reports of one speech does not go on after it has reported of the next. */
function interleaved(evidence: Evidence): string[] {
  const order: string[] = []
  const wrong = new Set<string>()
  for (const { input } of evidence.log) {
    if (input.type !== 'playout-position' && input.type !== 'playout-end') continue
    if (input.position === 0) continue
    if (order.at(-1) === input.speech) continue
    if (order.includes(input.speech)) wrong.add(input.speech)
    order.push(input.speech)
  }
  return [...wrong].map((speech) => `the line played on with ${speech} after it had begun another speech`)
}

const late = ({ sounds = [] }: Evidence): string[] =>
  sounds
    .filter((sound) => sound.late > 0)
    .map((sound) => `${sound.late} pieces of sound came to ${name(sound)} after its end`)

const name = ({ words }: Sound): string =>
  quote(
    words
      .map(({ text }) => text)
      .join('')
      .trim(),
  )
