import type { Command, Id } from '../../src/conversation/protocol.js'
import type { Ledger, StepFact } from './ledger.js'
import { must } from './must.js'

/** Whoever takes the conversation does so when the words of the one before were heard, and opens if that is its way. */
export class TakeoverCheck {
  /** Who has taken the conversation and has not thought since, by name. */
  readonly #fresh = new Set<string>()
  /** Whose opening was prepared while another had the conversation. */
  readonly #prepared = new Set<string>()
  readonly #agents = new Map<Id, Id>()
  #items = 0

  after(ledger: Ledger, { commands }: StepFact): void {
    this.#changes(ledger)
    this.#enters(ledger)
    for (const command of commands) if (command.type === 'generate') this.#opens(ledger, command)
  }

  /** An agent that hands the conversation over has been heard. */
  #changes(ledger: Ledger): void {
    for (const { id, agent } of ledger.state.frames) {
      const before = this.#agents.get(id)
      this.#agents.set(id, agent.id)
      if (before === undefined || before === agent.id || !ledger.open) continue
      for (const speech of ledger.live.speeches) {
        must(speech.agent !== before, 'whoever hands the conversation over is heard to the end', speech.id)
      }
    }
  }

  #enters({ state, agents, generations }: Ledger): void {
    for (; this.#items < state.history.length; this.#items++) {
      const item = state.history[this.#items]!
      if (item.type !== 'agent' || item.cause === 'return') continue
      const adopted = [...generations.values()].some(
        ({ agent, opening, guess, state }) =>
          opening && guess === null && state !== 'cancelled' && agents.get(agent ?? '')?.name === item.agent,
      )
      if (this.#prepared.delete(item.agent) && adopted) continue
      this.#fresh.add(item.agent)
    }
  }

  #opens(ledger: Ledger, command: Extract<Command, { type: 'generate' }>): void {
    const { name, greet, hooks } = ledger.agents.get(command.agent)!
    // asked for and withdrawn in the same step
    if (ledger.generations.get(command.generation)!.state === 'cancelled') return
    if (ledger.generations.get(command.generation)!.guess === '') {
      must(command.opening, 'only an opening is prepared before its agent has the conversation')
      this.#prepared.add(name)
    } else if (this.#fresh.delete(name) && ledger.settings.turns !== 'model') {
      const sounded = [...ledger.speeches.values()].some(
        ({ agent, played }) => agent === command.agent && played !== null,
      )
      const spoke = sounded || ledger.state.history.some((item) => item.type === 'assistant' && item.agent === name)
      // of words that are not recorded nothing is known where nobody speaks them
      if (spoke || ledger.settings.voice === 'none') return
      must(command.opening === (greet && !hooks.includes('enter')), 'who greets opens, and nobody else does', name)
    }
  }
}
