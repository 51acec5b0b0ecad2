import { Conversation } from '../src/conversation/conversation.js'
import type { AgentRef, Command, Input } from '../src/conversation/protocol.js'
import type { Settings } from '../src/conversation/settings.js'
import { Checker } from './checker/checker.js'
import { must } from './checker/must.js'
import { Random } from './random.js'
import { World } from './world/world.js'

export interface Scenario {
  readonly seed: number
  /** How many things the user and the application do. */
  readonly events: number
}

/** How a scenario went. */
export interface Outcome extends Scenario {
  readonly inputs: number
  /** How long the conversation took by its own clock, ms. */
  readonly duration: number
  /** The invariant that did not hold, or whatever else was thrown. */
  readonly failure: Error | null
}

export interface LogEntry {
  readonly at: number
  readonly input: Input
  readonly commands: readonly Command[]
}

export interface Run extends Outcome {
  readonly log: readonly LogEntry[]
  readonly settings: Settings
  /** Where the conversation stood at the end. */
  readonly conversation: Conversation
}

/** Plays one scenario, checked at every step; one in ten beside a twin that is stored and resumed on the way. */
export function simulate({ seed, events }: Scenario, keepLog = false): Run {
  const log: LogEntry[] = []
  let conversation!: Conversation
  let checker!: Checker
  let twin: Twin | undefined
  const machine = (settings: Settings, root: AgentRef): Conversation => {
    conversation = new Conversation(settings, root)
    checker = new Checker(settings, root, conversation.state)
    twin = seed % 10 === 0 ? new Twin(settings, root, seed) : undefined
    return conversation
  }
  const witness = (input: Input, commands: readonly Command[], now: number): void => {
    if (keepLog) log.push({ at: now, input, commands })
    checker.check(input, commands, now)
    twin?.check(input, commands, now)
  }
  const world = new World({ seed, events, machine, witness, rested: () => checker.atRest() })
  let failure: Error | null = null
  try {
    world.run()
    checker.atEnd()
    twin?.atEnd(conversation)
  } catch (error) {
    failure = error as Error
  }
  const { now: duration } = conversation.state
  return { seed, events, inputs: world.steps, duration, failure, log, settings: world.settings, conversation }
}

/** The same conversation once more, put away and taken up again at any moment: it must not make a difference. */
class Twin {
  readonly #settings: Settings
  readonly #root: AgentRef
  readonly #random: Random
  #conversation: Conversation

  constructor(settings: Settings, root: AgentRef, seed: number) {
    this.#settings = settings
    this.#root = root
    this.#random = new Random(seed + 1)
    this.#conversation = new Conversation(settings, root)
  }

  check(input: Input, commands: readonly Command[], now: number): void {
    if (this.#random.chance(0.1)) {
      const stored = JSON.stringify(this.#conversation.state)
      this.#conversation = new Conversation(this.#settings, this.#root, JSON.parse(stored))
    }
    const again = this.#conversation.receive(input, now)
    must(JSON.stringify(again) === JSON.stringify(commands), 'stored and resumed, a conversation goes on the same')
  }

  atEnd({ state }: Conversation): void {
    must(JSON.stringify(this.#conversation.state) === JSON.stringify(state), 'the same inputs lead to the same state')
  }
}
