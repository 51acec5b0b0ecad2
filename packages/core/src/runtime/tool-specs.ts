import { type Agent, isAgent, isTask } from '../api/agent.js'
import type { ToolSpec } from '../api/models.js'
import { type Json, jsonSchemaOf, type Schema } from '../api/schema.js'
import type { Tool } from '../api/tool.js'
import { resultArgs } from './tool-input.js'

const none: Json = { type: 'object', properties: {}, additionalProperties: false }

/** The tool that ends a task, as its model is told of it. */
export const finish = 'finish'

/** What a model is told of the tools of an agent. `result`: the schema of the task that it carries out. */
export function toolSpecs(agent: Agent, result: Schema | undefined): readonly ToolSpec[] {
  const specs = Object.entries(agent.tools).map(([name, entry]) => spec(name, entry))
  if (!result) return specs
  const description = 'Ends the task. Call it as soon as everything it asks for is known, and sure.'
  return [
    ...specs.filter(({ name }) => name !== finish),
    { name: finish, description, input: resultArgs(result).input },
  ]
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
