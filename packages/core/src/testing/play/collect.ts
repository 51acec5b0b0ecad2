import type { SessionEvent } from '../../api/session.js'
import type { Sound } from '../sound.js'
import type { Audible, Observed, TaskRun, TimedEvent, ToolRun } from './observed.js'
import type { Execution } from './tools.js'

type Of<Type extends SessionEvent['type']> = {
  readonly at: number
  readonly event: Extract<SessionEvent, { type: Type }>
}

export const ofType = <Type extends SessionEvent['type']>(events: readonly TimedEvent[], type: Type): Of<Type>[] =>
  events.filter((each): each is Of<Type> => each.event.type === type)

/** The sounds that were heard, in order, with the replies that they belong to. */
export function audibleOf(sounds: readonly Sound[], events: readonly TimedEvent[]): Audible[] {
  const replies = new Map(ofType(events, 'speech-start').map(({ event }) => [event.speech, event.reply]))
  return sounds
    .filter((sound): sound is Sound & { from: number } => sound.from !== null)
    .sort((a, b) => a.from - b.from)
    .map((sound) => ({ ...sound, reply: replies.get(sound.speech) ?? null }))
}

export function toolsOf(events: readonly TimedEvent[], executions: readonly Execution[]): ToolRun[] {
  const ends = ofType(events, 'call-end')
  return ofType(events, 'call-start').map(({ at, event: { call, name, args, reply } }) => {
    const end = ends.find(({ event }) => event.call === call)
    const execution = executions.find((each) => each.call === call)
    return {
      call,
      name,
      args,
      reply,
      start: at,
      end: end?.at ?? null,
      status: end?.event.status ?? 'running',
      output: end?.event.output ?? null,
      aborted: execution?.aborted ?? null,
      returned: execution?.end ?? null,
    }
  })
}

export function tasksOf(events: readonly TimedEvent[]): TaskRun[] {
  const ends = ofType(events, 'task-end')
  return ofType(events, 'task-start').map(({ at, event: { task, agent, call } }) => {
    const end = ends.find(({ event }) => event.task === task)
    return { task, agent, call, start: at, end: end?.at ?? null, outcome: end?.event.outcome ?? 'running' }
  })
}

export function timelinesOf(
  events: readonly TimedEvent[],
): Pick<Observed, 'turns' | 'agents' | 'states' | 'errors' | 'closed'> {
  const closed = ofType(events, 'closed')[0]
  return {
    turns: ofType(events, 'user-turn-end').map(({ at, event: { text, reason } }) => ({ at, text, reason })),
    agents: ofType(events, 'agent-change').map(({ at, event: { to, cause, depth } }) => ({
      at,
      agent: to,
      cause,
      depth,
    })),
    states: {
      agent: ofType(events, 'agent-state').map(({ at, event: { to } }) => ({ at, state: to })),
      user: ofType(events, 'user-state').map(({ at, event }) => ({ at, state: event.to, since: event.at })),
    },
    errors: ofType(events, 'error').map(({ at, event: { source, error } }) => ({ at, source, error })),
    closed: closed ? { at: closed.at, reason: closed.event.reason, error: closed.event.error } : null,
  }
}
