import type { Agent } from '../api/agent.js'
import { isAgent } from '../api/agent.js'
import { ToolError } from '../api/errors.js'
import { type Json, jsonSchemaOf, type Schema } from '../api/schema.js'
import type { Tool } from '../api/tool.js'
import type { ToolTraits } from '../conversation/protocol.js'
import { messageOf } from './failure.js'

/** What `name` means to an agent: a tool, an agent, a task, or nothing. */
export function entryOf(agent: Agent, name: string): Tool | Agent | undefined {
  return Object.hasOwn(agent.tools, name) ? agent.tools[name] : undefined
}

/** What the author of a tool says about it, for one call. */
export function traitsOf(agent: Agent, name: string, args: string): ToolTraits {
  const entry = entryOf(agent, name)
  const said: Partial<Tool> = entry === undefined || isAgent(entry) ? {} : entry
  return {
    key: `${name} ${canonical(args)}`,
    duplicates: said.duplicates ?? 'join',
    onInterrupt: said.onInterrupt ?? 'continue',
    announce: said.announce ?? 'unless-interrupted',
    cancellable: said.cancellable ?? false,
    effect: said.effect ?? 'repeatable',
    timeout: said.timeout ?? 60_000,
  }
}

/** The same text for the same arguments, in whatever order and with whatever spaces they come. */
function canonical(args: string): string {
  try {
    return JSON.stringify(parseArgs(args), (_, value: unknown) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    })
  } catch {
    return args
  }
}

/** How the model is told that what it gave a tool will not do. */
export const unfit = 'Error parsing the arguments'

/** @throws {ToolError} that tells the model what is wrong with the JSON. */
export function parseArgs(args: string): unknown {
  if (args.trim() === '') return {}
  try {
    return JSON.parse(args) as unknown
  } catch (error) {
    throw new ToolError(`${unfit}: they are no JSON (${messageOf(error)}).`)
  }
}

/** Checks a value with its schema. @throws {ToolError} that tells the model, behind `complaint`, what does not fit. */
export async function validate<T>(schema: Schema<T>, value: unknown, complaint: string): Promise<T> {
  const result = await schema['~standard'].validate(value)
  if (!result.issues) return result.value
  const issues = result.issues.map(({ message, path = [] }) => {
    const at = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
    return at === '' ? message : `${at}: ${message}`
  })
  throw new ToolError(`${complaint}: ${issues.join('; ')}.`)
}

/** The result of a task as arguments of a tool: by name, whatever the result is. */
export interface ResultArgs {
  readonly input: Json
  /** The result in arguments that were parsed. */
  pick(args: unknown): unknown
}

export function resultArgs(schema: Schema): ResultArgs {
  const json = jsonSchemaOf(schema)
  if ((json['type'] ?? 'object') === 'object') return { input: json, pick: (args) => args }
  const { $defs, ...value } = json
  const input = { type: 'object', properties: { value }, required: ['value'], ...($defs !== undefined && { $defs }) }
  return {
    input,
    pick: (args) => (typeof args === 'object' && args !== null && 'value' in args ? args.value : undefined),
  }
}
