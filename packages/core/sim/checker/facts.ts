import type { Message } from '../../src/conversation/history.js'
import type {
  AgentRef,
  CallOutcome,
  Command,
  Id,
  Priority,
  ToolChoice,
  ToolTraits,
} from '../../src/conversation/protocol.js'

/** What a line is asked to do with the sound of a speech. */
export type Playing = Extract<Command, { type: 'play' | 'pause' | 'resume' | 'duck' | 'unduck' | 'clear' }>

/** What the checker knows of a speech from what was asked for it and reported of it. */
export interface SpeechFact {
  readonly id: Id
  readonly reply: Id
  readonly generation: Id | null
  readonly agent: Id
  /** Its place among all that was said: when its first words came. */
  readonly said: number | null
  /** Fed with text, or of a model that says its own. */
  text: string
  textEnded: boolean
  voice: 'asked' | 'started' | 'ended' | 'failed'
  duration: number
  readonly marks: { readonly chars: number; readonly at: number }[]
  sound: 'waiting' | 'playing' | 'paused' | 'ducked' | 'clearing' | 'over'
  /** How far the line says it was played. */
  position: number
  played: number | null
  cleared: number | null
  held: number | null
  /** The last word of the line: whether it was cut short, and where. */
  end: { readonly position: number; readonly cleared: boolean } | null
  /** When it was last heard of, or asked for something. */
  since: number
}

export interface GenerationFact {
  readonly id: Id
  reply: Id | null
  readonly agent: Id | null
  readonly view: readonly Message[]
  readonly tools: ToolChoice
  readonly opening: boolean
  /** It answers words that no turn has brought yet, or opens for an agent that does not have the conversation yet. */
  guess: string | null
  /** What the guess had not seen when it was adopted. */
  unseen: Id | null
  state: 'open' | 'ended' | 'failed' | 'cancelled'
  /** The model has said or asked for something. */
  begun: boolean
  text: string
  /** When its first words came, counted in steps; of a guess, when it was adopted. */
  said: number | null
  /** How many results in a row led to it, at least. */
  readonly depth: number
  readonly at: number
  /** When the model was last heard of. */
  since: number
}

export interface CallFact {
  readonly id: Id
  readonly kind: 'tool' | 'enter' | 'exit' | 'turn'
  readonly name: string
  readonly generation: Id | null
  reply: Id | null
  readonly traits: ToolTraits | null
  state: 'made' | 'running' | 'aborting' | 'ended'
  outcome: CallOutcome | null
  /** Its model had said something before. */
  readonly beside: boolean
  /** A task of it has held the conversation; it has reported progress. */
  held: boolean
  released: boolean
  /** Its result is told for certain. */
  told: boolean
  /** That of its generation. */
  readonly depth: number
  readonly at: number
}

export interface TaskFact {
  readonly id: Id
  readonly call: Id
  readonly agent: AgentRef
  readonly speech: 'yield' | 'finish'
  state: 'waiting' | 'holding' | 'settled'
  result: { readonly error: string | null } | null
  readonly at: number
}

export interface ReplyFact {
  readonly id: Id
  readonly asked: 'say' | 'reply' | null
  readonly priority: Priority
  interruptible: boolean
  readonly record: boolean
  /** When its words were given, counted in steps. */
  said: number | null
  /** Tasks that protect it. */
  readonly protectors: Set<Id>
  /** How many results in a row it has followed, at least. */
  depth: number
  readonly at: number
}
