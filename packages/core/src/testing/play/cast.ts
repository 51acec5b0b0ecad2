import { type Agent, isAgent } from '../../api/agent.js'
import { UsageError } from '../../api/errors.js'
import type { GenerateRequest } from '../../api/models.js'
import type { AgentSession } from '../../api/session.js'
import { type Prompter, prompter, type Script } from '../script.js'
import { watchTools } from './tools.js'

/** Scripts of the agents, by their names. `'*'` is for all others. */
export type Scripts = Readonly<Record<string, Script>>

/** The agents that a session has to do with, as far as they are known. */
export class Cast {
  readonly #agents = new Set<Agent>()
  #session: AgentSession | undefined

  /** Gets to know `agent`, and the agents among its tools. */
  meet(agent: Agent): void {
    if (this.#agents.has(agent)) return
    this.#agents.add(agent)
    watchTools(agent)
    for (const each of Object.values(agent.tools)) if (isAgent(each)) this.meet(each)
  }

  /** From here on, whoever has the conversation is known. */
  follow(session: AgentSession): void {
    this.#session = session
  }

  /** Who makes a request: the agent whose instructions it carries, or else the one that has the conversation. */
  nameOf({ instructions }: GenerateRequest): string {
    const holder = this.#session?.agent
    const length = (agent: Agent) => (typeof agent.instructions === 'string' ? agent.instructions.length : 0)
    const told = [...this.#agents].filter(
      (agent) =>
        typeof agent.instructions === 'string' &&
        agent.instructions !== '' &&
        instructions.includes(agent.instructions),
    )
    const most = Math.max(0, ...told.map(length))
    const likely = told.filter((agent) => length(agent) === most)
    const found = holder && (likely.includes(holder) || likely.length === 0) ? holder : likely[0]
    return found?.name ?? 'agent'
  }

  /** Has each agent say the lines of its own script. */
  prompter(scripts: Scripts): Prompter {
    const prompters = new Map(Object.entries(scripts).map(([name, script]) => [name, prompter(script)]))
    return {
      answer: (request, at) => (prompters.get(this.nameOf(request)) ?? prompters.get('*'))?.answer(request, at),
      get left() {
        return [...prompters.values()].reduce((sum, { left }) => sum + left, 0)
      },
    }
  }
}

/** @throws {UsageError} when `scripts` are neither a script nor scripts by name. */
export function isByName(scripts: Script | Scripts): scripts is Scripts {
  if (Array.isArray(scripts) || typeof scripts === 'function') return false
  if (typeof scripts === 'object') return true
  throw new UsageError('scene.llm must be a script, scripts by the names of agents, or a language model')
}
