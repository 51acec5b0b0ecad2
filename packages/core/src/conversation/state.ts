import type { CallItem, Item, OutputItem } from './history.js'
import type {
  AgentChange,
  AgentRef,
  AgentState,
  CallOutcome,
  CallStatus,
  CloseReason,
  Failure,
  Id,
  Priority,
  ToolChoice,
  ToolTraits,
  UserState,
} from './protocol.js'
import type { Settings } from './settings.js'

/**
 * The whole truth about a conversation. Plain data: it can be cloned, stored, compared and resumed. It says what is the
 * case, never what somebody should remember to do; every wait on the world is a time in it. Work that has ended leaves it, so
 * that all of it but the history is bounded.
 */
export interface State {
  readonly settings: Settings
  now: number
  nextId: number
  phase: 'new' | 'open' | 'draining' | 'closing' | 'closed'
  closing: Closing | null
  user: User
  /** Turns that were committed and wait for their hook. */
  hooked: HookedTurn[]
  /** The call stack of agents: the last frame has the conversation. */
  frames: Frame[]
  replies: Reply[]
  generations: Generation[]
  /** In the order in which they are to be heard; at most the first sounds. */
  speeches: Speech[]
  calls: Call[]
  /** Groups of calls of which not all have an output yet. */
  groups: Group[]
  /** Replies that the application asked for and that nobody has begun to make, in the order in which they are made. */
  requests: Request[]
  history: Item[]
  /** Counts what a model would want to know before it answers: words of the user, outputs, cuts, changes of agent. */
  version: number
  /** When the last speech ended. null: nothing was said yet. */
  silentSince: number | null
  /** When a drain becomes a close. */
  drain: { readonly reason: CloseReason; readonly deadline: number } | null
  /** When the agent's first sound was heard, for the echo canceller. */
  firstSound: number | null
  /** Since when both user and agent have been silent. null: one of them is not. */
  idleSince: number | null
  announced: { user: UserState; agent: AgentState; wake: number | null }
}

export interface Closing {
  readonly reason: CloseReason
  readonly error: Failure | null
  phase: 'transcript' | 'tools' | 'exit' | 'output'
  /** When the phase is given up. */
  deadline: number
}

export interface User {
  speaking: boolean
  /** Onset of the voice that sounds, or sounded last. */
  onset: number | null
  /** ms of voice in it. */
  voiced: number
  /** When the user was last heard. */
  lastSound: number
  /** When the end of the last voice was reported. */
  quietSince: number
  /** What the voice that sounds, or sounded last, is taken for. */
  verdict: 'backchannel' | 'interruption' | null
  /** The verdict follows from the words, and more words may change it. */
  inferred: boolean
  turn: Turn | null
  /** Interim words that were taken for final ones: the final that repeats them is not heard twice. */
  taken: string | null
  /** A speech was cut by a voice that may prove to be mere noise. */
  suspicion: { readonly speech: Id; unheard: string } | null
  /** Both have been silent for too long, and the user has not been heard since. */
  away: boolean
}

export interface Turn {
  readonly id: Id
  readonly since: number
  /** The final words. */
  text: string
  /** What may follow them. */
  interim: string
  /** What the end-of-turn model thinks of the words. */
  prediction: {
    readonly id: Id
    readonly text: string
    readonly deadline: number
    probability: number | null
    answered: boolean
  } | null
  guesses: number
  /** When words were last heard in it. */
  lastWords: number | null
  /** It talks over the agent. */
  overlaps: boolean
  /** Somebody said that the turn is over; words are still waited for until the deadline. */
  commit: { readonly reply: boolean; readonly deadline: number } | null
}

export interface HookedTurn {
  readonly turn: Id
  readonly call: Id
  readonly text: string
  readonly reply: boolean
}

/** An agent holding the conversation, or waiting below the one that does. Its id stays when it hands off. */
export interface Frame {
  readonly id: Id
  agent: AgentRef
  /** Changes with the agent: speeches of a holder that has left are not its successor's. */
  holder: Id
  /** The task that this frame carries out, and the call that awaits it. */
  readonly task: { readonly id: Id; readonly call: Id } | null
  /** Tasks asked for by this frame's calls that wait to take the conversation, in order. */
  waiting: WaitingTask[]
  /** The task is over: with a result that the runtime keeps, or an error. */
  result: { readonly error: string | null } | null
  /** Another agent, or nobody, follows the one that holds the frame. */
  leaving: Leaving | null
  owes: Debts
  /** The answer it owes is to words that were said before it had the conversation: its enter hook may settle that. */
  inherited: boolean
  /** Something of what its holder said was heard. */
  opened: boolean
}

export interface WaitingTask {
  readonly id: Id
  readonly call: Id
  readonly agent: AgentRef
  readonly speech: 'yield' | 'finish'
  /** Asked for after its speech was cut by a turn that was not answered yet: the answer comes first. */
  readonly after: boolean
  /** Its opening was prepared once. */
  guessed: boolean
}

export interface Leaving {
  readonly to: AgentRef | null
  readonly cause: AgentChange
  /** Who holds the frame afterwards; what is said from here on is theirs. */
  readonly holder: Id
  /** The call that runs the exit hook, once it has been started. */
  exit: Id | null
}

/** What a frame still has to say. */
export interface Debts {
  opening: boolean
  answer: boolean
  /** Results that have to be told: by the next step of `reply`, if that goes on. */
  result: { readonly reply: Id; readonly step: number } | null
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
  readonly frame: Id
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
}

export interface Guess {
  /** The words of the user that it answers; for the opening of a task that waits, null. */
  readonly text: string | null
  readonly task: Id | null
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
  readonly frame: Id
  readonly holder: Id
  readonly generation: Id | null
  readonly priority: Priority
  readonly debts: Debts
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
  /** Nobody is to be told of its end. */
  quiet: boolean
  /** ms that it may still work by itself, counted from `since`. `since` null: it waits for a task, or has no limit. */
  left: number
  since: number | null
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

export type { CallOutcome }

export function initialState(settings: Settings, agent: AgentRef): State {
  const root: Frame = {
    id: 'f0',
    agent,
    holder: 'h0',
    task: null,
    waiting: [],
    result: null,
    leaving: null,
    owes: nothing(),
    inherited: false,
    opened: false,
  }
  return {
    settings,
    now: 0,
    nextId: 1,
    phase: 'new',
    closing: null,
    user: {
      speaking: false,
      onset: null,
      voiced: 0,
      lastSound: 0,
      quietSince: 0,
      verdict: null,
      inferred: false,
      turn: null,
      taken: null,
      suspicion: null,
      away: false,
    },
    hooked: [],
    frames: [root],
    replies: [],
    generations: [],
    speeches: [],
    calls: [],
    groups: [],
    requests: [],
    history: [],
    version: 0,
    silentSince: null,
    drain: null,
    firstSound: null,
    idleSince: null,
    announced: { user: 'listening', agent: 'initializing', wake: null },
  }
}
