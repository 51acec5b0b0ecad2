import type { Agent } from '../api/agent.js'
import type { AgentSession } from '../api/session.js'
import type { VirtualClock } from './clock.js'
import type { TestLine } from './line.js'
import type { ModelRequest } from './llm.js'
import { type Stage, user } from './play/acts.js'
import type { Scene } from './play/scene.js'
import { World } from './play/world.js'
import type { Script } from './script.js'
import { transcriptOf } from './transcript.js'

/** All that a scene may say, save what happens: that is what the rehearsal is for. */
export type RehearsalOptions = Omit<Scene, 'agent' | 'timeline' | 'llm' | 'until' | 'close'> & {
  /** Scripts of agents that have one of their own, by their names. */
  readonly scripts?: Readonly<Record<string, Script>>
}

/** ms that a user takes for a word. */
const pace = 300

/**
 * A conversation on a virtual clock, with a model that says `lines` in order. `agent` may be a function, for tools that wait
 * on the clock of the stage.
 *
 * ```ts
 * await using call = rehearse(host, ['What may I bring you?', toolCall('order', { dish: 'Lasagne' }), 'It is on its way.'])
 * await call.wait(5_000)
 * expect(await call.user('The lasagne')).toEqual(['It is on its way.'])
 * assertLaws(call.session)
 * ```
 */
export function rehearse(
  agent: Agent | ((stage: Stage) => Agent),
  lines: Script,
  options: RehearsalOptions = {},
): Rehearsal {
  return new Rehearsal(agent, lines, options)
}

/** A session without a network, a microphone or a second to lose. */
export class Rehearsal implements AsyncDisposable {
  readonly #world: World

  constructor(agent: Agent | ((stage: Stage) => Agent), lines: Script, { scripts, ...options }: RehearsalOptions) {
    this.#world = new World((stage) => ({
      ...options,
      agent: typeof agent === 'function' ? agent(stage) : agent,
      llm: scripts ? { '*': lines, ...scripts } : lines,
    }))
    this.#world.open()
  }

  get session(): AgentSession {
    return this.#world.session
  }

  get clock(): VirtualClock {
    return this.#world.clock
  }

  get line(): TestLine {
    return this.#world.line
  }

  /** The history to read: a line for each item, with only what was heard. */
  get transcript(): string {
    return transcriptOf(this.session.history)
  }

  /** What was asked of the models, in order. */
  get requests(): readonly ModelRequest[] {
    return this.#world.equipment.models.flatMap(({ requests }) => requests).sort((a, b) => a.at - b.at)
  }

  /**
   * The user says `text`, and waits: for `patience` ms, or until the agent has finished. Resolves with what was heard of the
   * agent since the user began.
   *
   * @throws {Error} when the script has no answer for what was asked.
   */
  async user(
    text: string,
    options: { readonly patience?: number; readonly duration?: number } = {},
  ): Promise<string[]> {
    const from = this.clock.now()
    const { duration = text.trim().split(/\s+/).length * pace } = options
    this.#world.perform(user(from, from + duration, text))
    await this.clock.advance(duration)
    if (options.patience === undefined) await this.rest()
    else await this.wait(options.patience)
    return this.#heardSince(from)
  }

  /** The user types `text`, and waits as after `user`. */
  async type(text: string, options: { readonly patience?: number } = {}): Promise<string[]> {
    const from = this.clock.now()
    this.session.text(text)
    if (options.patience === undefined) await this.rest()
    else await this.wait(options.patience)
    return this.#heardSince(from)
  }

  /** A sound that is taken for a voice, and has no words. */
  async noise(ms = 300): Promise<void> {
    const from = this.clock.now()
    this.line.say(from, from + ms)
    await this.wait(ms)
  }

  /** Lets `ms` pass. */
  async wait(ms: number): Promise<void> {
    await this.clock.advance(ms)
    this.#complain()
  }

  /** Waits until nothing is said, made or worked at; two minutes at most. */
  async rest(): Promise<void> {
    await this.#world.rest()
    this.#complain()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#world.close()
    this.#world.dispose()
  }

  #heardSince(time: number): string[] {
    return this.line.sounds.filter((sound) => (sound.from ?? -1) >= time && sound.text !== '').map(({ text }) => text)
  }

  #complain(): void {
    const problems = this.#world.equipment.models.flatMap((model) => model.problems)
    if (problems.length > 0) throw new Error(problems.join('\n'))
  }
}
