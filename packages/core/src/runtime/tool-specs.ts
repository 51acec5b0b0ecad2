import { type Agent, isAgent, isTask } from '../api/agent.js'
import type { ToolSpec } from '../api/models.js'
import { type Json, jsonSchemaOf } from '../api/schema.js'
import type { Tool } from '../api/tool.js'
import { resultArgs } from './tool-input.js'

const none: Json = { type: 'object', properties: {}, additionalProperties: false }

/** The tool that ends a task, as its model is told of it. */
export const finish = 'finish'

/** What the model of an agent is told of its tools. */
export function toolSpecs(agent: Agent): readonly ToolSpec[] {
  const specs = Object.entries(agent.tools).map(([name, entry]) => spec(name, entry))
  if (!isTask(agent)) return specs
  const description = 'Ends the task. Call it as soon as everything it asks for is known, and sure.'
  return [...specs, { name: finish, description, input: resultArgs(agent.result).input }]
}

function spec(name: string, entry: Tool | Agent): ToolSpec {
  if (!isAgent(entry))
    return { name, description: entry.description, input: entry.inputSchema ? jsonSchemaOf(entry.inputSchema) : none }
  const { name: who, description } = entry
  const what = isTask(entry)
    ? `Lets "${who}" talk to the caller, and tells you the result.`
    : `Hands the conversation over to "${who}".`
  return { name, description: description ? `${what} ${description}` : what, input: none }
}
