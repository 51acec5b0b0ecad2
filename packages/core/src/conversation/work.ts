import type { CallItem, OutputItem } from './history.js'
import type { AgentRef, CallStatus, Failure, Id, Priority, ToolChoice, ToolTraits } from './protocol.js'

// The work of a conversation, while it is open: what is owed, made, said and done.

/** What a frame still has to say. */
export interface Debts {
  opening: boolean
  answer: boolean
  /** Results that have to be told: by the next step of `reply`, if that goes on. */
  result: OwedResult | null
}
export interface OwedResult {
  readonly reply: Id
  readonly step: number
  /** News of calls that were answered before: worth telling only when what was made before has begun to be heard. */
  readonly late: boolean
}

export const nothing = (): Debts => ({ opening: false, answer: false, result: null })

export interface Request {
  readonly reply: Id
  readonly instructions: string | null
  readonly tools: ToolChoice
  readonly interruptible: boolean
  readonly priority: Priority
}

/** What the public knows as a speech handle: everything that is said and done upon one request. */
export interface Reply {
  readonly id: Id
  /** The frame that speaks; of a request, the one that had the conversation when it came, until it is made. */
  frame: Id
  readonly priority: Priority
  readonly since: number
  step: number
  interruptible: boolean
  /** Tasks awaited with `speech: 'finish'`: while there are any, it is protected. */
  protectors: Id[]
  interrupted: boolean
  error: Failure | null
  /** What was heard of it, and what was made but never heard. */
  heard: string
  unheard: string
  /** It stands in the history. */
  readonly record: boolean
}

/** One request to a model. */
export interface Generation {
  readonly id: Id
  readonly reply: Id
  /** The frame that speaks; of a prepared opening, until it is adopted, the frame that owes it. */
  frame: Id
  readonly step: number
  readonly tools: ToolChoice
  /** Settled by it when something of it is heard; owed again otherwise. */
  readonly debts: Debts
  readonly request: Request | null
  /** Made ahead of the words it answers, heard by nobody until it is adopted. */
  guess: Guess | null
  ended: boolean
  /** It has said or called something. */
  said: boolean
  /** When the model was last heard of. */
  since: number
  /** What it called, until its words have a place in the history, or it is known that there are none. */
  behind: (CallItem | OutputItem)[]
}

export interface Guess {
  /** The words of the user that it answers; for the opening of a task that waits, null. */
  readonly text: string | null
  readonly task: Id | null
  /** An answer was owed already, to words that came before. */
  readonly owed: boolean
  /** The version of the conversation it was made for. */
  readonly version: number
  held: Held[]
}
export type Held =
  | { readonly text: string }
  | { readonly flush: true }
  | { readonly call: Id; readonly name: string; readonly args: string; readonly traits: ToolTraits }

export interface Speech {
  readonly id: Id
  readonly reply: Id
  frame: Id
  readonly holder: Id
  /** Whose words these are, whoever has the conversation when they are heard. */
  agent: AgentRef
  readonly generation: Id | null
  readonly priority: Priority
  debts: Debts
  text: string
  textEnded: boolean
  /** Where the text is cut into passages. */
  flushes: number[]
  marks: { readonly chars: number; readonly at: number }[]
  /** Its voice has been asked for; it has begun; it has ended. */
  voice: 'none' | 'asked' | 'started' | 'ended'
  sound: 'queued' | 'playing' | 'paused' | 'ducked' | 'clearing'
  /** When it was held. */
  heldAt: number | null
  /** How far the line has played it, ms, and what was heard by then, characters. */
  position: number
  heard: number
  duration: number
  error: Failure | null
  /** When the voice or the line was last heard of, or asked for something. */
  since: number
  /** When it began to sound. */
  startedAt: number | null
  /** Where its item stands in the history, once it sounds. */
  item: number | null
  /** What its generation did while it had no place in the history yet. */
  behind: (CallItem | OutputItem)[]
}

export interface Call {
  readonly id: Id
  readonly kind: 'tool' | 'enter' | 'exit' | 'turn'
  readonly name: string
  readonly args: string
  readonly frame: Id
  readonly holder: Id
  readonly reply: Id
  readonly group: Id
  readonly step: number
  readonly traits: ToolTraits
  /** `handing`: it hands the conversation over as soon as the others of its group have ended. */
  status: 'waiting' | 'running' | 'joined' | 'handing' | 'aborting'
  /** The call whose work this one shares. */
  readonly joins: Id | null
  /** Why it was asked to stop. */
  aborted: Exclude<CallStatus, 'done' | 'error'> | 'interrupted' | 'closing' | null
  /** Its reply was cut while it was made or heard. */
  interrupted: boolean
  /** A task of it has held the conversation. */
  held: boolean
  /** It has reported progress: nobody waits for it. */
  released: boolean
  /** When it got the result of a task, or was refused one. */
  backAt: number | null
  /** Nobody is to be told of its end. */
  quiet: boolean
  /** ms that it may still work by itself, counted from `since`. `since` null: it waits for a task, or has no limit. */
  left: number
  since: number | null
  filler: Filler | null
}

/** Words that bridge the silence of a slow call. */
export interface Filler {
  readonly texts: readonly string[]
  readonly delay: number
  readonly interval: number | null
  readonly since: number
  said: number
  /** When the last was said. */
  saidAt: number
}

export interface Group {
  readonly id: Id
  readonly frame: Id
  readonly reply: Id
  readonly step: number
  /** Calls that still have to be told of. */
  open: Id[]
  /** One of them is worth a reply. */
  announce: boolean
  readonly calls: Id[]
  readonly outputs: { readonly call: Id; readonly name: string; readonly output: string; readonly error: boolean }[]
  /** Agents that are to take over. The first in the order of the calls does. */
  readonly handoffs: { readonly call: Id; readonly agent: AgentRef; readonly output: string | null }[]
}
