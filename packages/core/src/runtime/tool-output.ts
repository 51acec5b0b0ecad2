import { type Agent, isAgent } from '../api/agent.js'
import { StopResponse, ToolError, UsageError } from '../api/errors.js'
import { isHandoff } from '../api/tool.js'
import type { AgentRef, CallOutcome } from '../conversation/protocol.js'
import { messageOf } from './failure.js'

/** What a call came to, and what the application has to know of it. */
export interface Ending {
  readonly outcome: CallOutcome
  readonly error?: unknown
}

const nothing: CallOutcome = { output: null, error: false, silent: true, handoff: null }
const told = (output: string, error = false): CallOutcome => ({ output, error, silent: false, handoff: null })

/** What a tool has returned, as the model is told it. */
export function returned(name: string, value: unknown, ref: (agent: Agent) => AgentRef): Ending {
  if (value === undefined) return { outcome: nothing }
  if (isAgent(value)) return { outcome: { ...nothing, handoff: ref(value) } }
  const handoff = isHandoff(value) ? ref(value.agent) : null
  const result = isHandoff(value) ? value.value : value
  const agents = Array.isArray(result) ? result.filter(isAgent).length : 0
  if (agents > 1) return invalid(name, 'the tool returned more than one agent', 'only one can have the conversation')
  if (agents > 0)
    return invalid(name, 'the tool returned an invalid output', 'an agent in a list; return handoff(agent, value)')
  try {
    return { outcome: { ...told(textOf(result)), handoff } }
  } catch (error) {
    return invalid(name, 'the tool returned an invalid output', `JSON cannot hold it: ${messageOf(error)}`)
  }
}

/** What a tool has thrown. Only a `ToolError` is meant for the model's ears. */
export function thrown(error: unknown, signal: AbortSignal): Ending {
  if (StopResponse.is(error)) return { outcome: nothing }
  if (ToolError.is(error)) return { outcome: told(error.message, true) }
  const outcome = told('An internal error occurred', true)
  return signal.aborted ? { outcome } : { outcome, error }
}

function invalid(name: string, output: string, why: string): Ending {
  return { outcome: told(output, true), error: new UsageError(`tool "${name}": ${output} (${why})`) }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const text = JSON.stringify(value, jsonOnly) as string | undefined
  if (text === undefined) throw new TypeError(`it is a ${typeof value}`)
  return text
}

/** JSON leaves out functions and makes `{}` of maps: what is lost without a word is an error here. */
function jsonOnly(key: string, value: unknown): unknown {
  const what = value instanceof Map || value instanceof Set ? value.constructor.name : typeof value
  if (!['function', 'symbol', 'bigint', 'Map', 'Set'].includes(what)) return value
  throw new TypeError(key === '' ? `it is a ${what}` : `"${key}" is a ${what}`)
}
