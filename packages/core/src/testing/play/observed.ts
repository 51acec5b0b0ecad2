import type { AgentSession, SessionEvent } from '../../api/session.js'
import type { Item } from '../../conversation/history.js'
import type {
  AgentChange,
  AgentState,
  CallStatus,
  CloseReason,
  Failure,
  TurnEnd,
  UserState,
} from '../../conversation/protocol.js'
import type { VirtualClock } from '../clock.js'
import type { TestLine } from '../line.js'
import type { ModelRequest } from '../llm.js'
import type { Sound } from '../sound.js'
import type { VoiceRequest } from '../voice.js'

/** What could be observed of a scene from outside. All times: ms from the start. */
export interface Observed {
  readonly session: AgentSession
  readonly clock: VirtualClock
  readonly line: TestLine
  /** All events, with the time at which they were told. */
  readonly events: readonly TimedEvent[]
  /** What was audible of the agent's, in the order of the sound. */
  readonly audible: readonly Audible[]
  /** The history at the end of the scene. `transcript` is the same to read. */
  readonly history: readonly Item[]
  readonly transcript: string
  /** What was asked of the language models, by whom, with what they saw. */
  readonly requests: readonly ObservedRequest[]
  /** What the voices were given. */
  readonly voices: readonly VoiceRequest[]
  readonly tools: readonly ToolRun[]
  readonly tasks: readonly TaskRun[]
  /** The user's turns as they ended. `text` null: see the reason. */
  readonly turns: readonly { readonly at: number; readonly text: string | null; readonly reason: TurnEnd }[]
  /** Who had the conversation since when; the first is the agent that it was started with. */
  readonly agents: readonly {
    readonly at: number
    readonly agent: string
    readonly cause: AgentChange
    readonly depth: number
  }[]
  readonly states: {
    readonly agent: readonly { readonly at: number; readonly state: AgentState }[]
    /** `since`: when it was so in the caller's world; for a voice, its onset or its end. */
    readonly user: readonly { readonly at: number; readonly state: UserState; readonly since: number }[]
  }
  readonly errors: readonly { readonly at: number; readonly source: string; readonly error: Failure }[]
  /** What `at` did: when it settled, and with what. */
  readonly acts: readonly ActRun[]
  /** What `stage.mark` noted. */
  readonly marks: readonly { readonly at: number; readonly name: string; readonly data: unknown }[]
  /** null: the session did not end before the end of the scene. */
  readonly closed: { readonly at: number; readonly reason: CloseReason; readonly error: Failure | null } | null
  /** What was left after the session had closed, at last after the scene. */
  readonly open: Leftovers
  /** What went wrong with the scene itself: requests without an answer in the script, promises that nobody caught. */
  readonly problems: readonly string[]
  /** The course of it, a line for each thing that happened. */
  toString(): string
}

export interface TimedEvent {
  readonly at: number
  readonly event: SessionEvent
}

/** One speech as it was heard. */
export interface Audible extends Sound {
  readonly from: number
  /** The id of the reply that it belongs to; null: no event told of it. */
  readonly reply: string | null
}

export interface ObservedRequest extends ModelRequest {
  readonly agent: string
}

/** One call of a tool: its place in the conversation, and its function. */
export interface ToolRun {
  readonly call: string
  readonly name: string
  readonly args: string
  readonly reply: string
  /** When the conversation counted it as begun, and as ended. */
  readonly start: number
  readonly end: number | null
  readonly status: CallStatus | 'running'
  /** What the model is told. */
  readonly output: string | null
  /** When its signal aborted; null: it did not. */
  readonly aborted: number | null
  /** When its function returned or threw; null: it did not, or it is none of those that can be watched. */
  readonly returned: number | null
}

export interface TaskRun {
  readonly task: string
  readonly agent: string
  readonly call: string
  readonly start: number
  readonly end: number | null
  readonly outcome: 'running' | 'done' | 'failed' | 'cancelled'
}

export interface ActRun {
  readonly at: number
  readonly name: string
  readonly end: number | null
  readonly outcome: 'running' | 'done' | 'threw'
  readonly value?: unknown
  readonly error?: unknown
}

export interface Leftovers {
  /** Timers that the session asked its clock for. */
  readonly timers: number
  readonly tracks: number
  readonly requests: number
  readonly voices: number
  readonly ears: number
  /** The session has closed its line. */
  readonly lineClosed: boolean
  /** ms that the close took; null: it did not end within a minute. */
  readonly closing: number | null
}
