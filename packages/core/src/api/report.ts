import type { Item } from '../conversation/history.js'
import type { AgentRef, CloseReason, Command, Failure, Id } from '../conversation/protocol.js'
import type { Settings } from '../conversation/settings.js'
import type { LogEntry, SessionEvent } from './session.js'

/** All that a conversation follows from. JSON can hold it, and `replay` and `explain` read it. Times: ms on the session's clock. */
export interface Recording {
  readonly version: 1
  readonly settings: Settings
  /** Who had the conversation at first. */
  readonly agent: AgentRef
  readonly entries: readonly LogEntry[]
}

/** What came in, and everything that was done about it. */
export interface RecordedStep extends LogEntry {
  readonly commands: readonly Command[]
}

// ── why it was silent ──────────────────────────────────────────────────────────────────────────

/** Why nobody spoke, or why somebody was interrupted. */
export type Cause =
  /** A language model, a voice, or the line was waited for. */
  | 'model'
  | 'voice'
  | 'line'
  | 'tool'
  | 'hook'
  /** The words that belong to a voice. */
  | 'transcript'
  /** It was not sure that the caller had finished. */
  | 'turn-end'
  /** The application ends the caller's turns, or keeps the floor for them, and had not done so yet. */
  | 'push-to-talk'
  /** The agent's speech was held because somebody else's voice sounded. */
  | 'held'
  /** Speeches keep a distance. */
  | 'spacing'
  /** Something failed, and nothing was said instead. */
  | 'failure'
  /** The caller's turn was not to be answered. */
  | 'stopped'
  | 'closing'
  | 'nothing'
  /** Who interrupted. */
  | 'caller'
  | 'application'
  /** The agent that spoke has lost the conversation. */
  | 'agent-change'

/** Something that a caller may have wondered about. `from`, `to`: ms on the session's clock. */
export interface Explanation {
  /** `false-interruption`: the agent was held by a voice that turned out to interrupt nobody. */
  readonly kind: 'silence' | 'interruption' | 'false-interruption'
  readonly from: number
  readonly to: number
  /** Of a silence with several causes, the one that lasted longest. */
  readonly cause: Cause
  /** The line to read; its times count from the beginning of the conversation. */
  readonly text: string
  /** Of a silence: what it was made of, without a gap. */
  readonly parts?: readonly { readonly from: number; readonly to: number; readonly cause: Cause }[]
}

// ── how fast it was ────────────────────────────────────────────────────────────────────────────

/** How long a message took. ms; `…At` on the session's clock. What cannot be known is left out, and never 0. */
export type MessageMetrics = UserMetrics | AssistantMetrics

export interface UserMetrics {
  readonly role: 'user'
  /** The message in the history, and the turn that it records. */
  readonly item: Id
  readonly turn: Id
  readonly startedSpeakingAt?: number
  readonly stoppedSpeakingAt?: number
  /** From the end of the voice to the last of its words. */
  readonly transcriptionDelay?: number
  /** From the end of the voice to the end of the turn. */
  readonly endOfTurnDelay?: number
  /** What the hook `userTurn` took. */
  readonly hookDelay?: number
}

export interface AssistantMetrics {
  readonly role: 'assistant'
  readonly item: Id
  readonly reply: Id
  readonly startedSpeakingAt?: number
  readonly stoppedSpeakingAt?: number
  /** From the request to the first sign of the model. */
  readonly timeToFirstToken?: number
  /** From the first sentence that the voice was given to its first sound. */
  readonly timeToFirstByte?: number
  /** From the request to the model until the caller heard something of the answer. */
  readonly timeToFirstSound?: number
  /** From the end of the caller's voice to the beginning of the agent's; only of what answers the caller first. */
  readonly endToEnd?: number
}

/** A message in the history has its metrics. */
export interface MetricsEvent {
  readonly type: 'metrics'
  readonly metrics: MessageMetrics
}

// ── what it cost ───────────────────────────────────────────────────────────────────────────────

/** What one request to a provider used, however it ended. */
export type UsageRecord = LLMUsage | TTSUsage | STTUsage

interface ProviderRequest {
  /** The provider's name. */
  readonly provider: string
  /** When it was asked, and when that was over; ms on the session's clock. null: it goes on. */
  readonly at: number
  readonly end: number | null
  /** `cancelled`: it was told to stop before it had finished. */
  readonly status: 'running' | 'done' | 'cancelled' | 'failed'
  /** The provider told nothing; this is what can be known from outside. */
  readonly estimated: boolean
}
export interface LLMUsage extends ProviderRequest {
  readonly kind: 'llm'
  readonly generation: Id
  readonly reply: Id
  readonly inputTokens: number
  readonly outputTokens: number
  /** How many of the input tokens the provider had in its cache. */
  readonly cachedTokens: number
}
export interface TTSUsage extends ProviderRequest {
  readonly kind: 'tts'
  readonly speech: Id
  readonly reply: Id
  /** The voice was given so many, made so much sound of them, and so much of that was heard. */
  readonly characters: number
  readonly audioMs: number
  readonly heardMs: number
}
export interface STTUsage extends ProviderRequest {
  readonly kind: 'stt'
  readonly audioSeconds: number
}

/** What all requests to one provider used. */
export type UsageTotal = LLMTotal | TTSTotal | STTTotal

interface ProviderTotal {
  readonly provider: string
  readonly requests: number
  /** Some of it is. */
  readonly estimated: boolean
}
export interface LLMTotal
  extends ProviderTotal,
    Pick<LLMUsage, 'kind' | 'inputTokens' | 'outputTokens' | 'cachedTokens'> {}
export interface TTSTotal extends ProviderTotal, Pick<TTSUsage, 'kind' | 'characters' | 'audioMs' | 'heardMs'> {}
export interface STTTotal extends ProviderTotal, Pick<STTUsage, 'kind' | 'audioSeconds'> {}

/** More was used by a request: as a recogniser tells it, and otherwise once, when all is known. */
export interface UsageEvent {
  readonly type: 'usage'
  /** The whole request, as far as it has come. */
  readonly usage: UsageRecord
}

/** What a session used of its providers. */
export interface SessionUsage {
  /** In the order in which they were made. */
  readonly requests: readonly UsageRecord[]
  readonly totals: readonly UsageTotal[]
}

// ── all of it ──────────────────────────────────────────────────────────────────────────────────

/** What became of a session. JSON can hold it. */
export interface SessionReport {
  readonly version: 1
  readonly session: string
  /** The session has ended: nothing of this will change. */
  readonly final: boolean
  /** When it began, as a date (ISO 8601), and when it began and ended on its own clock, which all other times are on. */
  readonly date: string
  readonly startedAt: number
  readonly endedAt: number | null
  /** The agent that it was started with. */
  readonly agent: string
  readonly settings: Settings
  /** Names. An agent may have others of its own, which `usage` knows. */
  readonly providers: {
    readonly line: string
    readonly llm: string | null
    readonly tts: string | null
    readonly stt: string | null
    readonly vad: string | null
    readonly turnDetector: string | null
  }
  readonly history: readonly Item[]
  readonly metrics: readonly MessageMetrics[]
  readonly usage: SessionUsage
  /** How often each event was told. */
  readonly events: { readonly [Type in SessionEvent['type']]?: number }
  readonly explanations: readonly Explanation[]
  readonly closed: { readonly reason: CloseReason; readonly error: Failure | null } | null
}
