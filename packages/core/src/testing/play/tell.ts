import type { SessionEvent } from '../../api/session.js'
import type { Act } from './acts.js'
import type { Observed } from './observed.js'

type Seen = Pick<Observed, 'events' | 'audible' | 'requests' | 'acts' | 'marks'> & { readonly timeline: readonly Act[] }

/** The course of a scene, a line for each thing that happened. */
export function tell(seen: Seen): string {
  const lines = [
    ...seen.timeline.flatMap(actLines),
    ...seen.acts.flatMap(({ name, end, outcome, error }) =>
      outcome === 'threw' && end !== null ? [{ at: end, text: `${name} threw ${String(error)}` }] : [],
    ),
    ...seen.marks.map(({ at, name, data }) => ({
      at,
      text: `mark ${name}${data === undefined ? '' : ` ${show(data)}`}`,
    })),
    ...seen.events
      .filter(({ event }) => !silent.has(event.type))
      .map(({ at, event }) => ({ at, text: eventOf(event) })),
    ...seen.audible.flatMap(soundLines),
    ...seen.requests.map(({ at, agent, messages }) => ({
      at,
      text: `request by ${agent}: ${messages.map(messageOf).join(' | ')}`,
    })),
  ]
  return lines
    .sort((a, b) => a.at - b.at)
    .map(({ at, text }) => `${(at / 1_000).toFixed(3).padStart(8)}  ${text}`)
    .join('\n')
}

/** Told otherwise, or too often. */
const silent = new Set<SessionEvent['type']>(['agent-transcript', 'speech-start', 'speech-pause', 'speech-resume'])

function actLines(act: Act): { at: number; text: string }[] {
  if ('user' in act)
    return [
      { at: act.from, text: `user begins: ${show(act.user)}` },
      { at: act.to, text: 'user ends' },
    ]
  if ('noise' in act)
    return [
      { at: act.from, text: 'noise begins' },
      { at: act.to, text: 'noise ends' },
    ]
  if ('heard' in act) return [{ at: act.at, text: `heard ${show(act.heard)}` }]
  if ('typed' in act) return [{ at: act.at, text: `user types ${show(act.typed)}` }]
  if ('hangUp' in act) return [{ at: act.at, text: 'caller leaves' }]
  return [{ at: act.at, text: `application: ${act.name ?? 'act'}` }]
}

function soundLines({
  from,
  to,
  end,
  text,
  position,
  pauses,
}: Observed['audible'][number]): { at: number; text: string }[] {
  return [
    { at: from, text: '▶ agent is heard' },
    ...pauses.flatMap((pause) => [
      { at: pause.at, text: `‖ held at ${pause.position}` },
      ...(pause.until === null ? [] : [{ at: pause.until, text: '▷ goes on' }]),
    ]),
    ...(to === null ? [] : [{ at: to, text: `${end === 'whole' ? '■' : '✂'} ${position}: ${show(text)}` }]),
  ]
}

function eventOf({ type, ...rest }: SessionEvent): string {
  if (type === 'history-item') return `+ ${show((rest as { item: unknown }).item)}`
  return `${type} ${show(rest)}`
}

const messageOf = (message: Observed['requests'][number]['messages'][number]): string =>
  message.role === 'call' ? `call ${message.name} ${message.args}` : `${message.role} ${show(message.text)}`

const show = (value: unknown): string => (value instanceof Error ? String(value) : JSON.stringify(value))
