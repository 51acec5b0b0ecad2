import type { Item } from '../conversation/history.js'
import type {
  AgentState,
  CloseReason,
  ConversationEvent,
  Failure,
  Id,
  Input,
  Priority,
  ToolChoice,
  UserState,
} from '../conversation/protocol.js'
import type { Limits, TurnHandling } from '../conversation/settings.js'
import type { Agent } from './agent.js'
import type { ChatContext } from './chat-context.js'
import type { Clock } from './clock.js'
import type { Line } from './line.js'
import type { LLM, STT, TTS, TurnDetector, VAD } from './models.js'
import type { Explanation, MetricsEvent, Recording, SessionReport, SessionUsage, UsageEvent } from './report.js'

/** One conversation with one caller. Begins with `start`, ends with `close` or when the caller leaves. */
export interface AgentSession<UserData = unknown> extends AsyncDisposable, AsyncIterable<SessionEvent> {
  readonly id: string
  readonly userData: UserData
  /** Who holds the conversation. */
  readonly agent: Agent
  readonly agentState: AgentState
  readonly userState: UserState
  /** What was said and done, in the order of the sound. */
  readonly history: readonly Item[]
  /** The same as a value: to store, to give to an agent, to merge. It does not go on growing. */
  readonly chatContext: ChatContext
  /** Everything that came in, with its time: the recording from which all else follows. */
  readonly log: readonly LogEntry[]
  /** The log, and what it takes to read it: `replay` and `explain` need nothing else. */
  readonly recording: Recording
  /** What was used of the providers so far. */
  readonly usage: SessionUsage
  /** Settles when the session has ended; never rejects. */
  readonly closed: Promise<{ readonly reason: CloseReason; readonly error: Failure | null }>
  /** Speaks these words. @throws {UsageError} when there are none; {SessionClosed}. */
  say(text: string | AsyncIterable<string>, options?: SayOptions): SpeechHandle
  /** Has the model speak. @throws {SessionClosed} */
  generateReply(options?: ReplyOptions): SpeechHandle
  /** Stops what is said and made. @throws {UsageError} when something protected sounds, unless forced. */
  interrupt(options?: { readonly force?: boolean }): void
  /** Typed words: a turn that needs no ear. They cut what is being said, unless `interrupt` is false. */
  text(text: string, options?: { readonly interrupt?: boolean }): void
  /**
   * Types `text`, or nothing, and waits until the conversation rests: nothing is said, made, owed or worked at by whoever
   * has it, and no turn is open. A task that waits for the caller lets it rest, and so does a tool that has reported progress.
   * Resolves when the session closes, too. Rejects with the error of the last reply, if that failed.
   *
   * @throws {UsageError} while another run goes on; {SessionClosed}.
   */
  run<Output = unknown>(text?: string): Promise<RunResult<Output>>
  /**
   * Gives the caller the floor until the scope is left, however silent they are: nothing is said meanwhile that may be talked
   * over. `using _ = session.claimUserTurn()` while they type, say. Claims may be nested.
   *
   * @throws {SessionClosed}
   */
  claimUserTurn(): Disposable
  /**
   * What a classifier of overlapping speech makes of the caller's voice that sounds, or sounded last: a `'backchannel'` takes
   * nothing from the agent and is nobody's turn, an `'interruption'` cuts at once.
   */
  judgeOverlap(verdict: 'backchannel' | 'interruption'): void
  /** Push-to-talk released. Resolves with the words of the turn ('' when there were none). */
  commitUserTurn(options?: { readonly reply?: boolean }): Promise<string>
  /** Push-to-talk pressed: what was heard so far does not count. */
  clearUserTurn(): void
  /**
   * Another agent takes the conversation as soon as what is being said was heard; tasks are cancelled.
   *
   * @throws {UsageError} when it is a task, or waits below one.
   */
  updateAgent(agent: Agent): void
  /** `drain`: first say what is being said, wait for running tools, then close. Resolves when closed. */
  close(options?: { readonly drain?: boolean; readonly reason?: CloseReason }): Promise<void>
  /** What each silence over a second, as the caller heard it, and each interruption was due to. */
  explain(): Explanation[]
  /** What became of the session so far; once it has closed, the same report each time. */
  report(): SessionReport
  /** Calls `listener` at each such event, until `signal` aborts. What it throws, or rejects with, becomes an `error` event. */
  on<Type extends SessionEvent['type']>(
    type: Type,
    listener: (event: Extract<SessionEvent, { type: Type }>) => unknown,
    options?: { readonly signal?: AbortSignal },
  ): void
}

export type SessionEvent =
  | Exclude<ConversationEvent, { type: 'error' }>
  | ErrorEvent
  | FailoverEvent
  | TranscriptEvent
  | MetricsEvent
  | UsageEvent

/** Something went wrong; the session goes on, unless `closed` follows. Written to the console, once, when nobody listens. */
export interface ErrorEvent {
  readonly type: 'error'
  /** Where it went wrong. `session`: in the framework itself, or in code of the application's that it calls. */
  readonly source: Extract<ConversationEvent, { type: 'error' }>['source'] | 'turn-detector' | 'listener' | 'session'
  readonly error: Failure
  /** What was thrown. It may hold what models and logs must not see. */
  readonly cause?: unknown
}

/** A provider has failed, and `to` was asked in its stead: another, or the same once more. The caller notices nothing of it. */
export interface FailoverEvent {
  readonly type: 'failover'
  readonly source: 'llm' | 'tts'
  readonly from: string
  readonly to: string
  readonly error: Failure
  /** What was thrown. It may hold what models and logs must not see. */
  readonly cause?: unknown
}

/** The agent's words as they are heard: `text` is all of them so far, and exactly what was heard when `final`. */
export interface TranscriptEvent {
  readonly type: 'agent-transcript'
  readonly speech: Id
  readonly text: string
  readonly final: boolean
}

export interface LogEntry {
  readonly at: number
  readonly input: Input
}

export interface SayOptions {
  readonly allowInterruptions?: boolean
  readonly priority?: Priority
  /** Whether it stands in the history. Default true. */
  readonly addToHistory?: boolean
}

export interface ReplyOptions {
  /** Added to the agent's own for this reply. */
  readonly instructions?: string
  /** Words of the caller's that the reply answers. */
  readonly userInput?: string
  readonly toolChoice?: ToolChoice
  /** Names of tools that it may not use, in its later steps either. The agent keeps them for other replies. */
  readonly withoutTools?: readonly string[]
  readonly allowInterruptions?: boolean
  readonly priority?: Priority
}

/** One thing the agent says: from the first request to the last step after its tools. Not thenable; see `done`. */
export interface SpeechHandle {
  readonly id: string
  /** Settable until it is interrupted. @throws {UsageError} afterwards. */
  allowInterruptions: boolean
  readonly interrupted: boolean
  /** @throws {UsageError} when it is protected and this is not forced. */
  interrupt(options?: { readonly force?: boolean }): void
  /** What was heard of it so far. */
  readonly heard: string
  /** What was made but not heard, once that is known. */
  readonly unheard: string
  /** What it added to the history. */
  readonly chatItems: readonly Item[]
  /** The words of its first generation were heard, or cut. */
  readonly playedOut: Promise<{ readonly interrupted: boolean }>
  /**
   * It is over, its tools and what followed from them included. Never rejects. A tool that awaits the speech that asked
   * for it would wait for itself: `run.speech.done` throws a `UsageError` at once. A handle that the tool has from elsewhere
   * cannot know who reads it; there, only the `timeout` of the tool ends the wait.
   */
  readonly done: Promise<{ readonly heard: string; readonly interrupted: boolean; readonly error?: Failure }>
}

/** What came of a run. */
export interface RunResult<Output = unknown> {
  /** What was added to the history meanwhile. */
  readonly items: readonly Item[]
  /** What was heard of the agents, answer by answer. */
  readonly messages: readonly string[]
  /** The calls that were made, or of which there was news, in the order in which they were made. */
  readonly calls: readonly RunCall[]
  /** Who took the conversation, by name: by a hand-off, for a task, or back from it. */
  readonly handoffs: readonly string[]
  /** The result of the task that returned last; undefined when none did. */
  readonly output: Output | undefined
}

export interface RunCall {
  readonly name: string
  /** The arguments; the text of them when they are no JSON. */
  readonly args: unknown
  /** What the model was told last; null as long as it was told nothing. */
  readonly output: string | null
  readonly error: boolean
}

export interface SessionOptions<UserData = unknown> {
  readonly line: Line
  readonly llm?: LLM
  readonly tts?: TTS
  readonly stt?: STT
  readonly vad?: VAD
  readonly turnDetector?: TurnDetector
  /** Who ends the caller's turn: their voice and pauses, or `commitUserTurn`. Default `'voice'`. */
  readonly turnDetection?: 'voice' | 'manual'
  readonly turnHandling?: TurnHandling
  /** Begins to answer before the turn is over. Default: answers and openings. */
  readonly speculation?: boolean | { readonly openings?: boolean; readonly maxGuesses?: number }
  readonly maxToolSteps?: number
  /** Answers a caller who talks on for longer than this, in between. ms; default: nobody is cut in on. */
  readonly userTurnLimit?: { readonly maxWords?: number; readonly maxDuration?: number }
  /** Failures in a row that one kind of service may have; one more closes the session. Default 3. */
  readonly maxFailures?: number
  readonly minConsecutiveSpeechDelay?: number
  readonly userAwayTimeout?: number | null
  readonly limits?: Partial<Limits>
  readonly userData?: UserData
  /** Closes the session when it aborts. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
  readonly id?: string
}
