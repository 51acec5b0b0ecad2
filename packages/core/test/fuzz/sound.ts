import type { Observed } from '../../src/testing/index.js'
import { isEnded, type Plan } from './moments.js'
import { beside, lastWords, lines, said, voiceOf } from './scene.js'

/** ms of silence that is too long while somebody is owed a word. */
const patience = 3_000

/** What is said is heard whole, held no longer than need be, said once, and over nobody. */
export const soundOf = (plan: Plan, seen: Observed): string[] => [
  ...cutShort(plan, seen),
  ...heldTooLong(plan, seen),
  ...overVoice(plan, seen),
  ...astray(seen),
]

/** The task was asked for before anything could cut the words beside it. */
function isProtected(plan: Plan): boolean {
  const { asked, final, decided } = plan.at
  const { speech, canPause, place } = plan
  const cutFrom = Math.min((final ?? Infinity) - 100, canPause ? Infinity : decided!)
  return speech === 'finish' && place !== 'alone' && asked! < cutFrom - 60 && !isEnded(plan)
}

/** Protected words are heard whole, and a noise cuts nothing that can be held. */
function cutShort(plan: Plan, { audible }: Observed): string[] {
  const mayBeCut = !isProtected(plan) && !(plan.at.final === null && plan.canPause)
  if (
    mayBeCut ||
    isEnded(plan) ||
    plan.at.stopped !== null ||
    audible.some(({ text, end }) => end === 'whole' && text === beside)
  )
    return []
  return ['the words beside the call were not heard whole']
}

function heldTooLong(plan: Plan, { audible }: Observed): string[] {
  const { asked, resumed } = plan.at
  const quiet = voiceOf(plan).to + 500
  return audible.flatMap(({ text, end, pauses }) => {
    const until = Math.max(quiet, isProtected(plan) && text === beside ? asked! : resumed!)
    const held = pauses.find((pause) => pause.at < lastWords.from && (pause.until ?? Infinity) > until + 60)
    return end === 'open' || (end === 'whole' && held) ? [`"${text}" was held, or is still heard, after ${until}`] : []
  })
}

/** Nobody begins to speak over the user, but those whose words are protected. */
function overVoice(plan: Plan, { audible }: Observed): string[] {
  const { from, to } = voiceOf(plan)
  return audible
    .filter(({ text }) => plan.speech === 'yield' || !beside.startsWith(text))
    .flatMap((sound) =>
      [sound.from, ...sound.pauses.map(({ until }) => until)]
        .filter((time) => time !== null && time > from + 100 && time < Math.min(to, plan.at.left ?? Infinity))
        .map((time) => `"${sound.text}" begins at ${time} over a voice`),
    )
}

/** Nothing is said too often, or by another. */
const astray = ({ audible, history }: Observed): string[] =>
  lines.flatMap(({ text, by, most }) => {
    const times = audible.filter((sound) => sound.text === text && sound.end === 'whole').length
    const others = history.filter((item) => item.type === 'assistant' && item.text === text && item.agent !== by)
    return [
      ...(times > most ? [`"${text}" was said ${times} times`] : []),
      ...(by !== null && others.length > 0
        ? [`"${text}" is in the history as another's: ${JSON.stringify(others)}`]
        : []),
    ]
  })

/** A task that was asked for before the words gets them; one that was asked for after they had cut its tool's, does not. */
export function whoAnswers(plan: Plan, { history, audible }: Observed): string[] {
  const { decided, final, committed, asked, completed, stopped } = plan.at
  if (
    plan.place !== 'beside' ||
    final === null ||
    isEnded(plan) ||
    stopped !== null ||
    completed! < Math.max(final, committed!) + 1_500
  )
    return []
  const spoken = history.findIndex((item) => item.type === 'user' && said.over.endsWith(item.text))
  const answer = history.find((item, index) => index > spoken && item.type === 'assistant')
  const isTasks = asked! < Math.min(decided!, final - 150)
  const isCallers = audible[0]?.end === 'cut' && asked! > final + 50 && asked! < committed! + 200
  const right = isTasks ? 'T' : isCallers ? 'A' : undefined
  if (right === undefined || (answer?.type === 'assistant' && answer.agent === right)) return []
  return [`${right} should have answered "${said.over}"; ${JSON.stringify(answer)} did`]
}

/** Whoever is silent for long has had the last word, and the user has not. */
export function isSilentTooLong(plan: Plan, seen: Observed): string[] {
  const owed = seen.history.filter(owesOrSpeaks(plan, seen))
  return gapsOf(plan, seen).flatMap(({ from, to }) => {
    const last = owed.findLast(({ at }) => at <= to - patience)
    if (!last || last.type === 'assistant' || to - Math.max(from, last.at) <= patience) return []
    return [`from ${from} to ${to} nobody speaks, while this is unanswered: ${JSON.stringify(last)}`]
  })
}

/** The items after which the agent speaks, and its words. */
function owesOrSpeaks({ at, eager }: Plan, { history, audible, events, tools }: Observed) {
  const collect = tools.find(({ name }) => name === 'collect')
  const began = events.some(({ event }) => event.type === 'task-start')
  const cut = !audible.some(({ text, end }) => text === beside && end === 'whole')
  const gone = history.some((item) => item.type === 'agent' && item.cause === 'handoff')
  // unless its words were cut and it was not heard of since, or others have taken over
  const isTold = (began || !cut) && !gone
  const owes = (item: Observed['history'][number]): boolean => {
    switch (item.type) {
      case 'user':
        return item.at < (at.drained ?? Infinity) // whoever says goodbye answers no more
      case 'agent':
        return item.cause === 'task' ? !gone : item.cause === 'handoff' && eager
      default:
        return item.type === 'output' && item.call === collect?.call && isTold
    }
  }
  const from = at.stopped ?? -1 // whoever was told to stop says no more
  return (item: Observed['history'][number]): boolean => item.type === 'assistant' || (item.at > from && owes(item))
}

/** When nobody is heard, and no turn is open, until the session closes. */
function gapsOf(plan: Plan, { audible, events, clock }: Observed): { readonly from: number; readonly to: number }[] {
  const end = events.find(({ event }) => event.type === 'closing')?.at ?? clock.now()
  const { from: onset, to: silent } = voiceOf(plan)
  const { committed, final } = plan.at
  const turns = [
    { from: onset, to: Math.max(silent, committed!, final ?? 0) },
    { from: lastWords.from, to: lastWords.to + Math.max(0, committed! - silent) },
  ]
  let from = 0
  return [...audible.flatMap(({ stretches }) => stretches), ...turns, { from: end, to: end }]
    .filter((sound) => sound.from <= end)
    .sort((a, b) => a.from - b.from)
    .map((sound) => {
      const gap = { from, to: sound.from }
      from = Math.max(from, sound.to)
      return gap
    })
}
