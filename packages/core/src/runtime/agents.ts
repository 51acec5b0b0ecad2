import type { Agent } from '../api/agent.js'
import { UsageError } from '../api/errors.js'
import type { LLM, STT, TTS, VAD } from '../api/models.js'
import type { AgentRef, Hook, Id } from '../conversation/protocol.js'
import type { State } from '../conversation/state.js'
import { type Setup, wantedTurnHandling } from './options.js'

/** The agents that a session has met: told apart by identity, and known to the conversation by an id. */
export class Agents {
  readonly #setup: Setup
  readonly #refs = new Map<Agent, AgentRef>()
  readonly #byId = new Map<Id, Agent>()

  constructor(setup: Setup) {
    this.#setup = setup
  }

  /** @throws {UsageError} when neither the agent nor the session has a model that it needs. */
  ref(agent: Agent): AgentRef {
    const known = this.#refs.get(agent)
    if (known) return known
    this.#check(agent)
    const ref = { ...describe(agent), id: this.#freeId(agent.name) }
    this.#refs.set(agent, ref)
    this.#byId.set(ref.id, agent)
    return ref
  }

  get(id: Id): Agent {
    const agent = this.#byId.get(id)
    if (!agent) throw new Error(`the conversation speaks of an agent "${id}" that nobody has told it of`)
    return agent
  }

  /** Whoever has the conversation. */
  holding({ frames }: State): Agent {
    return this.get(frames[frames.length - 1]?.agent.id ?? '')
  }

  llm(agent: Agent): LLM | undefined {
    return agent.llm ?? this.#setup.models.llm
  }

  tts(agent: Agent): TTS | undefined {
    return agent.tts ?? this.#setup.models.tts
  }

  ear(agent: Agent): { readonly vad: VAD | undefined; readonly stt: STT | undefined } {
    return { vad: agent.vad ?? this.#setup.models.vad, stt: agent.stt ?? this.#setup.models.stt }
  }

  #check(agent: Agent): void {
    const { voice, transcribes } = this.#setup.settings
    const lacks = (what: string, option: string) =>
      new UsageError(
        `agent "${agent.name}" has no ${what}: give an \`${option}\` to start(agent, { ${option} }) or to the agent itself`,
      )
    if (!this.llm(agent)) throw lacks('language model', 'llm')
    if (voice === 'tts' && !this.tts(agent)) throw lacks('voice', 'tts')
    if (transcribes && !this.ear(agent).stt) throw lacks('speech recogniser', 'stt')
  }

  #freeId(name: string): Id {
    let id = name
    for (let number = 2; this.#byId.has(id); number++) id = `${name}#${number}`
    return id
  }
}

function describe({ name, greet, hooks, turnHandling }: Agent): Omit<AgentRef, 'id'> {
  const names: Hook[] = []
  if (hooks.enter) names.push('enter')
  if (hooks.exit) names.push('exit')
  if (hooks.userTurn) names.push('turn')
  const own = Object.keys(turnHandling).length > 0
  return { name, greet, hooks: names, turnHandling: own ? wantedTurnHandling(turnHandling) : null }
}
