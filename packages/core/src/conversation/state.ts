import type { Item } from './history.js'
import type { AgentChange, AgentRef, AgentState, CloseReason, Failure, Id, UserState } from './protocol.js'
import type { Settings } from './settings.js'
import {
  type Call,
  type Debts,
  type Generation,
  type Group,
  nothing,
  type Reply,
  type Request,
  type Speech,
} from './work.js'

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
  /** Turns that were committed and have no place in the history yet. */
  committed: CommittedTurn[]
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
  /** Failures of services since they were last heard to work. */
  failures: Partial<Record<Service, { readonly count: number; readonly error: Failure }>>
  /** What was learned of this user's pauses: the endpointing delay that follows, now and before the last pause. */
  pace: { readonly delay: number | null; readonly before: number | null }
  /** The user is answered in the middle of what they say. */
  cutIn: boolean
  /** When a drain becomes a close. */
  drain: { readonly reason: CloseReason; readonly deadline: number } | null
  /** When the agent's first sound was heard, for the echo canceller. */
  firstSound: number | null
  /** Since when both user and agent have been silent. null: one of them is not. */
  idleSince: number | null
  announced: { user: UserState; agent: AgentState; wake: number | null }
}

export type Service = 'llm' | 'tts' | 'stt' | 'realtime'

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
  /** The words last taken for final: what repeats them before there was any more voice is not heard twice. */
  taken: { readonly text: string; readonly until: number } | null
  /** A speech was cut by a voice that may prove to be mere noise. */
  suspicion: { readonly speech: Id; unheard: string } | null
  /** Scopes of the application's in which the user has the floor. */
  claims: number
  /** What was said since the agent last spoke. */
  tally: { words: number; since: number | null }
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
  /** The recogniser has found no words in what was heard since the last ones. */
  wordless: boolean
  /** Something of the agent's sounded, or was about to, when words were last heard. */
  over: boolean
  /** When the recogniser last found words in it, sure or not. */
  heardAt: number
  /** When words were last heard in it. */
  lastWords: number | null
  /** Its words have cut the agent short: such words are seldom whole, and not guessed at. */
  overlaps: boolean
  /** Somebody said that the turn is over; words are still waited for until the deadline. */
  commit: { readonly reply: boolean; readonly deadline: number } | null
}

export interface CommittedTurn {
  readonly turn: Id
  /** The call of the hook that has yet to see it. */
  hook: Id | null
  text: string
  reply: boolean
  /** We ask for the answer; a model that takes turns answers by itself what it has heard. */
  readonly asks: boolean
  /** It is answered while the user goes on. */
  readonly cutsIn: boolean
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
  /** The call that runs the exit hook of its holder, once it has been started: it runs once, whatever makes the holder leave. */
  exit: Id | null
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
}

/** `agent` comes to hold a frame. */
export const frameOf = (id: Id, holder: Id, agent: AgentRef, task: Frame['task'] = null): Frame => ({
  id,
  agent,
  holder,
  task,
  waiting: [],
  result: null,
  leaving: null,
  exit: null,
  owes: nothing(),
  inherited: false,
  opened: false,
})

export function initialState(settings: Settings, agent: AgentRef): State {
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
      claims: 0,
      tally: { words: 0, since: null },
      away: false,
    },
    committed: [],
    frames: [frameOf('f0', 'h0', agent)],
    replies: [],
    generations: [],
    speeches: [],
    calls: [],
    groups: [],
    requests: [],
    history: [],
    version: 0,
    silentSince: null,
    failures: {},
    pace: { delay: null, before: null },
    cutIn: false,
    drain: null,
    firstSound: null,
    idleSince: null,
    announced: { user: 'listening', agent: 'initializing', wake: null },
  }
}
