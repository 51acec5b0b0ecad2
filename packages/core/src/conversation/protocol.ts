import type { AgentChange, Id, Item, Message } from './history.js'
import type { TurnHandling } from './settings.js'

/**
 * What the conversation hears, and what it asks for. Nothing else crosses its border.
 *
 * Times are milliseconds on the caller's clock. Audio never passes through here: an input or a
 * command names a *speech*, and the sound of that speech flows beside the conversation.
 */

export type { AgentChange, Id }

/** An agent as the conversation knows it: who it is, not what it can do. */
export interface AgentRef {
  readonly id: Id
  readonly name: string
  /** It opens by itself when it takes the conversation. */
  readonly greet: boolean
  readonly hooks: readonly Hook[]
  /** What it wants otherwise than the session does. */
  readonly turnHandling: TurnHandling | null
}

export type Hook = 'enter' | 'exit' | 'turn'

/** What a tool's author has declared about it, attached by the runtime to each call. */
export interface ToolTraits {
  /** Calls with the same key that run at the same time are the same work. */
  readonly key: string
  readonly duplicates: 'join' | 'allow' | 'reject' | 'replace'
  /** What becomes of the work when the words spoken beside the call are talked over. */
  readonly onInterrupt: 'continue' | 'cancel'
  /** When a result that comes late is told. */
  readonly announce: 'always' | 'unless-interrupted' | 'never'
  readonly cancellable: boolean
  /** An irreversible tool waits until the turn that caused it is sure. */
  readonly effect: 'pure' | 'repeatable' | 'irreversible'
  /** ms; the time during which a task of the call holds the conversation does not count. */
  readonly timeout: number
}

/** A choice of tools for one reply. */
export type ToolChoice = 'auto' | 'none' | 'required'

export type Priority = 'low' | 'normal' | 'high'

export type Input = UserInput | ModelInput | VoiceInput | WorkInput | ApplicationInput | { type: 'tick' }

/** What the user is heard, or seen, to do. */
export type UserInput =
  /** A voice began; `at` is its onset, which lies before the moment it was recognised as one. */
  | { type: 'user-speech-start'; at: number }
  /** The voice has sounded for `voiced` ms by now, pauses not counted. */
  | { type: 'user-speech-progress'; voiced: number }
  /** The voice has been silent for `silence` ms already. */
  | { type: 'user-speech-end'; silence: number }
  | { type: 'user-transcript'; text: string; final: boolean }
  /** What a classifier of overlapping speech makes of the user's voice. */
  | { type: 'user-overlap'; verdict: 'backchannel' | 'interruption' }
  /** The answer of the end-of-turn model to `predict-turn-end`. `probability` null: it does not know. */
  | { type: 'turn-prediction'; prediction: Id; probability: number | null }
  /** Typed words: a whole turn that needs no ear. */
  | { type: 'user-text'; text: string; interrupt: boolean }
  /** Push-to-talk released, or a model that takes turns says the turn is over. `text`: its words, if it knows them. */
  | { type: 'turn-commit'; text: string | null; reply: boolean }
  /** Push-to-talk pressed: what was heard so far does not count. */
  | { type: 'turn-clear' }
  /** The application takes the floor for the user, or gives it back. May be nested. */
  | { type: 'user-claim'; on: boolean }

export type ModelInput =
  /** A speech-to-speech model answers of its own accord. */
  | { type: 'model-start'; generation: Id }
  | { type: 'model-text'; generation: Id; text: string }
  /** What follows is to be spoken as a passage of its own. */
  | { type: 'model-flush'; generation: Id }
  | { type: 'model-call'; generation: Id; call: Id; name: string; args: string; traits: ToolTraits }
  | { type: 'model-end'; generation: Id; error?: Failure }

/** What the voice and the line say of a speech. */
export type VoiceInput =
  /** Its first sound is there: it can be played. */
  | { type: 'voice-start'; speech: Id }
  /** The word that ends after `chars` characters of the text has been said `at` ms into the sound. */
  | { type: 'voice-mark'; speech: Id; chars: number; at: number }
  /** All of its sound has been made, `duration` ms of it. */
  | { type: 'voice-end'; speech: Id; duration: number; error?: Failure }
  /** The line has played it up to `position` ms. */
  | { type: 'playout-position'; speech: Id; position: number }
  /** The line is done with it: it was played to the end, or cut at `position`. */
  | { type: 'playout-end'; speech: Id; position: number; cleared: boolean }

/** What tools, tasks and hooks do. A hook is a call that no model made. */
export type WorkInput =
  | { type: 'call-end'; call: Id; outcome: CallOutcome }
  | { type: 'call-update'; call: Id; text: string }
  /** While the call runs, silences are bridged: after `delay` ms with the first text, then each `interval` ms with the next. */
  | { type: 'call-filler'; call: Id; texts: readonly string[]; delay: number; interval: number | null }
  /** Somebody wants a call to stop. */
  | { type: 'call-cancel'; call: Id; reason: string }
  /** The running call awaits `task`. */
  | { type: 'task-start'; task: Id; call: Id; agent: AgentRef; speech: 'yield' | 'finish' }
  /** The task has its result, which the runtime keeps and has checked; or it fails. */
  | { type: 'task-finish'; task: Id; error: string | null }
  /** Whoever awaited the task wants it no longer. */
  | { type: 'task-cancel'; task: Id; reason: string }
  /** The hook for a user's turn lets it pass, edited or not. */
  | { type: 'turn-pass'; call: Id; text: string; reply: boolean }

export type ApplicationInput =
  | { type: 'start' }
  /** `text` null: the words follow as `model-text` of a generation with the id of the reply. */
  | { type: 'say'; reply: Id; text: string | null; interruptible: boolean; priority: Priority; record: boolean }
  | {
      type: 'reply'
      reply: Id
      instructions: string | null
      userInput: string | null
      tools: ToolChoice
      interruptible: boolean
      priority: Priority
    }
  /** Without a reply: everything that is said or made; with one: that reply. Refused on what is protected, unless forced. */
  | { type: 'interrupt'; reply: Id | null; force: boolean }
  | { type: 'reply-protect'; reply: Id; interruptible: boolean }
  | { type: 'agent-update'; agent: AgentRef }
  /** A service that no request of the conversation's is tied to has failed. */
  | { type: 'provider-error'; source: 'stt' | 'vad' | 'line' | 'realtime'; error: Failure }
  | { type: 'drain'; reason: CloseReason }
  | { type: 'close'; reason: CloseReason; error?: Failure }

export type CloseReason = 'application' | 'caller-left' | 'job-end' | 'error' | 'task-end'

/** What went wrong outside, and whose fault it is. */
export interface Failure {
  readonly blame: 'caller' | 'provider' | 'tool' | 'bug'
  readonly message: string
  readonly retryable: boolean
}

export interface CallOutcome {
  /** What the model is told; null: nothing was returned. */
  readonly output: string | null
  readonly error: boolean
  /** Nobody needs to hear of it. */
  readonly silent: boolean
  /** An agent takes the conversation over. */
  readonly handoff: AgentRef | null
}

export type Command =
  // models
  | {
      type: 'generate'
      generation: Id
      /** The reply it is a step of; a guess's begins when it is adopted. */
      reply: Id
      agent: Id
      view: readonly Message[]
      tools: ToolChoice
      /** The agent opens: it has just taken the conversation and nothing of it was heard yet. */
      opening: boolean
      instructions: string | null
    }
  | { type: 'generate-cancel'; generation: Id }
  | { type: 'predict-turn-end'; prediction: Id; text: string }
  // the voice and the line
  | { type: 'speak'; speech: Id; reply: Id; generation: Id | null; agent: Id }
  | { type: 'speak-text'; speech: Id; text: string }
  | { type: 'speak-flush'; speech: Id }
  | { type: 'speak-end'; speech: Id }
  | { type: 'play' | 'pause' | 'resume' | 'duck' | 'unduck' | 'clear'; speech: Id }
  /** A speech-to-speech model is told what was heard of it. */
  | { type: 'truncate'; generation: Id; position: number; heard: string }
  // tools, tasks, hooks
  | { type: 'call'; call: Id; reply: Id; agent: Id; name: string; args: string }
  | { type: 'hook'; call: Id; agent: Id; hook: Hook; text: string | null }
  /** The call's signal aborts. Its end is still waited for, for a while. */
  | { type: 'call-abort'; call: Id; reason: string; because: 'interrupted' | 'cancelled' | 'timeout' | 'closing' }
  | { type: 'task-resolve'; task: Id }
  | {
      type: 'task-reject'
      task: Id
      reason: string
      because: 'failed' | 'interrupted' | 'cancelled' | 'closing' | 'refused'
    }
  // the user's ear
  | { type: 'flush-transcript' }
  /** The answer to a request that cannot be granted. `request`: the id it came with, or its type. */
  | { type: 'refuse'; request: Id; reason: string; because: 'closing' | 'protected' | 'interrupted' | 'invalid' }
  /** Come back at `at` with a `tick`; replaces the last such wish. null: there is nothing to wait for. */
  | { type: 'wake'; at: number | null }
  | { type: 'emit'; event: ConversationEvent }

export type AgentState = 'initializing' | 'listening' | 'thinking' | 'speaking'
export type UserState = 'listening' | 'speaking' | 'away'

export type ConversationEvent =
  | { type: 'user-state'; from: UserState; to: UserState; at: number }
  | { type: 'agent-state'; from: AgentState; to: AgentState }
  | { type: 'user-transcript'; text: string; final: boolean }
  | { type: 'user-turn-start'; turn: Id }
  /** The user has talked on for longer than is wanted, and is answered in between. */
  | { type: 'user-turn-exceeded'; turn: Id; text: string }
  /** `text` null: there were no words in it, or they were let go for the `reason`. */
  | { type: 'user-turn-end'; turn: Id; text: string | null; reason: TurnEnd }
  | { type: 'reply-start'; reply: Id; agent: string; source: ReplySource }
  /** `outcome` says how the whole of it ended, tools and later steps included. */
  | {
      type: 'reply-end'
      reply: Id
      outcome: 'done' | 'interrupted' | 'failed'
      heard: string
      /** What was made but not heard. */
      unheard: string
      error: Failure | null
    }
  | { type: 'speech-start'; speech: Id; reply: Id }
  | { type: 'speech-pause' | 'speech-resume'; speech: Id; position: number }
  | { type: 'speech-end'; speech: Id; reply: Id; heard: string; unheard: string; interrupted: boolean }
  | { type: 'call-start'; call: Id; name: string; args: string; reply: Id }
  | { type: 'call-update'; call: Id; text: string }
  | { type: 'call-end'; call: Id; name: string; status: CallStatus; output: string }
  /** All calls of one generation have an output. */
  | { type: 'tools-end'; calls: readonly { call: Id; name: string; output: string; error: boolean }[]; reply: boolean }
  | { type: 'task-start'; task: Id; call: Id; agent: string }
  | { type: 'task-end'; task: Id; agent: string; outcome: 'done' | 'failed' | 'cancelled' }
  | { type: 'agent-change'; from: string | null; to: string; cause: AgentChange; depth: number }
  | { type: 'false-interruption'; resumed: boolean; unheard: string }
  /** An item has its final form: a user's turn, an answer as it was heard, a change of agent. */
  | { type: 'history-item'; item: Item }
  | { type: 'error'; source: 'llm' | 'tts' | 'stt' | 'vad' | 'realtime' | 'tool' | 'hook' | 'line'; error: Failure }
  | { type: 'closing'; reason: CloseReason }
  | { type: 'closed'; reason: CloseReason; error: Failure | null }

export type ReplySource = 'say' | 'request' | 'answer' | 'opening' | 'result' | 'model' | 'filler'
export type TurnEnd = 'committed' | 'no-words' | 'backchannel' | 'cleared' | 'stopped' | 'closing'
export type CallStatus = 'done' | 'error' | 'cancelled' | 'timeout'
