import type { AgentRef, Command, Id, Input } from '../../src/conversation/protocol.js'
import type { Endpointing, Interruption, Settings } from '../../src/conversation/settings.js'
import type { State } from '../../src/conversation/state.js'
import type { CallFact, GenerationFact, ReplyFact, SpeechFact, TaskFact } from './facts.js'
import { rounding } from './must.js'

/**
 * The checker's own account of a conversation, kept from what came in and what was asked for. It believes no event. Of
 * the state it takes what is open, to hold it against this account.
 */
export class Ledger {
  readonly settings: Settings
  readonly state: State
  now = 0
  /** How many inputs there were. */
  steps = 0
  phase: 'new' | 'open' | 'draining' | 'closing' | 'closed' = 'new'
  phaseSince = 0
  drainingSince = 0
  wake: number | null = null
  readonly user = {
    speaking: false,
    quietSince: 0,
    onset: 0,
    voiced: 0,
    lastSound: 0,
    backchannel: false,
    /** Whether that is somebody's verdict, and not merely what the words are. */
    judged: false,
    /** How often the application has taken the floor for the user. */
    claims: 0,
  }
  readonly speeches = new Map<Id, SpeechFact>()
  readonly generations = new Map<Id, GenerationFact>()
  readonly calls = new Map<Id, CallFact>()
  readonly tasks = new Map<Id, TaskFact>()
  readonly replies = new Map<Id, ReplyFact>()
  /** Agents by id: whoever was named. */
  readonly agents = new Map<Id, AgentRef>()
  /** Those that are not over. */
  readonly live = {
    speeches: new Set<SpeechFact>(),
    generations: new Set<GenerationFact>(),
    calls: new Set<CallFact>(),
    tasks: new Set<TaskFact>(),
  }
  /** Words were typed. */
  typed = false
  /** How often the user has talked for too long: the agent may put in a word each time. */
  exceeded = 0
  /** What was asked for and not granted in this step. */
  readonly refused = new Set<Id>()

  constructor(settings: Settings, root: AgentRef, state: State) {
    this.settings = settings
    this.state = state
    this.agents.set(root.id, root)
  }

  /** The agent that has the conversation. */
  get top(): AgentRef {
    return this.state.frames.at(-1)!.agent
  }

  get open(): boolean {
    return this.phase === 'open' || this.phase === 'draining'
  }

  get interruption(): Interruption {
    return { ...this.settings.turnHandling.interruption, ...this.top.turnHandling?.interruption }
  }

  get endpointing(): Endpointing {
    return { ...this.settings.turnHandling.endpointing, ...this.top.turnHandling?.endpointing }
  }

  /** The speech that is heard, or may still be. */
  get audible(): SpeechFact | undefined {
    for (const speech of this.live.speeches) if (speech.sound !== 'waiting') return speech
    return undefined
  }

  /** The agent has begun to speak so shortly before that nobody can have nodded to it. */
  get soonAfterStart(): boolean {
    const played = this.audible?.played ?? null
    return played !== null && this.now - played < this.interruption.backchannelBoundary
  }

  /** A voice sounds, or the application speaks for it. */
  get userSpeaks(): boolean {
    return this.user.speaking || this.user.claims > 0
  }

  /** It is to be heard out; where somebody presses a button to talk, the button says when. */
  get userHolds(): boolean {
    const voice = this.settings.turns !== 'manual' && this.user.speaking && !this.user.backchannel
    return voice || this.user.claims > 0
  }

  /** The world has kept the speech waiting for so long that it may be given up. */
  overdue(speech: SpeechFact): boolean {
    const { line, voiceStart, voiceGap } = this.settings.limits
    return speech.voice === 'failed' || this.now - speech.since > Math.min(line, voiceStart, voiceGap) - rounding
  }

  isProtected(reply: Id | null): boolean {
    const fact = reply === null ? undefined : this.replies.get(reply)
    return fact !== undefined && (!fact.interruptible || fact.protectors.size > 0)
  }

  reply(id: Id): ReplyFact {
    const known = this.replies.get(id)
    if (known !== undefined) return known
    const fact: ReplyFact = {
      id,
      asked: null,
      priority: 'normal',
      interruptible: true,
      record: true,
      said: null,
      protectors: new Set(),
      depth: 1,
      at: this.now,
    }
    this.replies.set(id, fact)
    return fact
  }

  turnTo(phase: Ledger['phase']): void {
    this.phase = phase
    this.phaseSince = this.now
    if (phase === 'draining') this.drainingSince = this.now
  }
}

/** One step of a conversation, as the checks see it when it is done. */
export interface StepFact {
  readonly input: Input
  readonly commands: readonly Command[]
  /** The phase when the input came in. */
  readonly before: Ledger['phase']
  /** A deadline had passed, which the timer was late to report. */
  readonly due: boolean
}
