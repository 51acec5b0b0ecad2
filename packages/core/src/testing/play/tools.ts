import { type Agent, isAgent } from '../../api/agent.js'
import type { AgentSession } from '../../api/session.js'
import type { RunContext, Tool } from '../../api/tool.js'

/** What became of the function of a tool: when it began, ended, and was asked to stop. */
export interface Execution {
  readonly session: AgentSession
  readonly call: string
  readonly start: number
  end: number | null
  /** When its signal aborted. */
  aborted: number | null
  outcome: 'running' | 'returned' | 'threw'
}

export interface ToolWatch {
  now(): number
  began(execution: Execution): void
}

type Execute = (input: never, run: RunContext) => unknown

/** Who watches the tools of a session, and the tools that tell of it. */
const watches = new WeakMap<AgentSession, ToolWatch>()
const watched = new WeakSet<Tool>()

export const watchSession = (session: AgentSession, watch: ToolWatch): void => {
  watches.set(session, watch)
}

/** Has the tools of `agent` tell when they run. They stay what they are: a session that nobody watches notices nothing. */
export function watchTools(agent: Agent): void {
  for (const entry of Object.values(agent.tools)) {
    if (isAgent(entry) || watched.has(entry) || Object.isFrozen(entry)) continue
    watched.add(entry)
    const execute = entry.execute.bind(entry) as Execute
    Object.assign(entry, { execute: (input: never, run: RunContext) => observe(execute, input, run) })
  }
}

function observe(execute: Execute, input: never, run: RunContext): unknown {
  const watch = watches.get(run.session)
  if (!watch) return execute(input, run)
  const execution: Execution = {
    session: run.session,
    call: run.callId,
    start: watch.now(),
    end: null,
    aborted: null,
    outcome: 'running',
  }
  watch.began(execution)
  run.signal.addEventListener('abort', () => {
    execution.aborted ??= watch.now()
  })
  const ended = (outcome: Execution['outcome']) => {
    execution.end = watch.now()
    execution.outcome = outcome
  }
  try {
    const result = execute(input, run)
    if (!(result instanceof Promise)) {
      ended('returned')
      return result
    }
    return result.then(
      (value: unknown) => {
        ended('returned')
        return value
      },
      (error: unknown) => {
        ended('threw')
        throw error
      },
    )
  } catch (error) {
    ended('threw')
    throw error
  }
}
