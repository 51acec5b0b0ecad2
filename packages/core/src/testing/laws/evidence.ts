import type { UsageRecord } from '../../api/report.js'
import type { AgentSession, LogEntry } from '../../api/session.js'
import type { Item } from '../../conversation/history.js'
import type { Input } from '../../conversation/protocol.js'
import type { Settings } from '../../conversation/settings.js'
import type { ModelRequest } from '../llm.js'
import type { Leftovers, TimedEvent } from '../play/observed.js'
import type { Sound } from '../sound.js'
import type { VoiceRequest } from '../voice.js'

/**
 * What the laws are judged by: what came into the session, what it remembers, and what the world around it saw. Plain data,
 * so that a test can tamper with it.
 */
export interface Evidence {
  readonly log: readonly LogEntry[]
  readonly history: readonly Item[]
  /** The time at which it is judged. */
  readonly now: number
  /** When it ended; null: it has not, as far as is known. */
  readonly endedAt: number | null
  /** Nobody speaks, and nothing is made. */
  readonly atRest: boolean
  /** How the conversation was to be held. */
  readonly settings: Settings
  /** What the line played. */
  readonly sounds?: readonly Sound[]
  /** What the voice told: the time of each word (default), the text of each piece of sound, or nothing. */
  readonly aligned?: 'words' | 'text' | 'nothing'
  /** What the models saw. */
  readonly requests?: readonly ModelRequest[]
  /** What the voices were given. */
  readonly voices?: readonly VoiceRequest[]
  /** What the session counted. */
  readonly usage?: readonly UsageRecord[]
  readonly events?: readonly TimedEvent[]
  /** What was left after the end. */
  readonly open?: Leftovers
}

/** What a world knows of its session beyond what the session says. */
export type Witness = () => Partial<Evidence>

const witnesses = new WeakMap<AgentSession, Witness>()

/** From here on `witness` is asked whenever the laws of `session` are checked. */
export const testify = (session: AgentSession, witness: Witness): void => {
  witnesses.set(session, witness)
}

export function evidenceOf(session: AgentSession, more: Partial<Evidence> = {}): Evidence {
  const { log, history, agentState, userState, usage, recording } = session
  return {
    log,
    history,
    now: log.at(-1)?.at ?? 0,
    endedAt: null,
    atRest: agentState === 'listening' && userState !== 'speaking',
    settings: recording.settings,
    usage: usage.requests,
    ...witnesses.get(session)?.(),
    ...more,
  }
}

/** The inputs of one type, with their times. */
export function inputs<Type extends Input['type']>(
  { log }: Pick<Evidence, 'log'>,
  type: Type,
): { readonly at: number; readonly input: Extract<Input, { type: Type }> }[] {
  return log.filter((entry): entry is LogEntry & { input: Extract<Input, { type: Type }> } => entry.input.type === type)
}

/** Since when the session was told to end; null: it was not. */
export function closingSince(evidence: Evidence): number | null {
  const asked = [...inputs(evidence, 'close'), ...inputs(evidence, 'drain')].map(({ at }) => at)
  return asked.length > 0 ? Math.min(...asked) : null
}

export const itemsOf = <Type extends Item['type']>(
  { history }: Pick<Evidence, 'history'>,
  type: Type,
): Extract<Item, { type: Type }>[] =>
  history.filter((item): item is Extract<Item, { type: Type }> => item.type === type)

export const quote = (text: string): string => JSON.stringify(text)
export const ms = (time: number): string => `${Math.round(time).toLocaleString('en')} ms`
