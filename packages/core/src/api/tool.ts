import type { ToolTraits } from '../conversation/protocol.js'
import { type Agent, isAgent, isTask, type Task, type TaskRunOptions } from './agent.js'
import { aFunction, type Check, fields, limit, oneOf, someText, yesOrNo } from './check.js'
import { UsageError } from './errors.js'
import { checkSchema, type Infer, type Json, jsonSchemaOf, type Schema } from './schema.js'
import type { AgentSession, SpeechHandle } from './session.js'

/** What an agent can do: tools, agents that take over, tasks that take over and come back. The key is the name. */
// biome-ignore lint/suspicious/noExplicitAny: a record of tools with inputs of their own; each is checked where it is made
export type Tools = Readonly<Record<string, Tool<any> | Agent<any> | Task<any, any>>>

export interface Tool<Input = unknown> extends ToolOptions {
  readonly kind: 'tool'
  readonly inputSchema: Schema<Input> | undefined
  execute(input: Input, run: RunContext): ToolResult | Promise<ToolResult>
}

export interface ToolOptions {
  /** Tells the model what it is for. */
  readonly description: string
  /** ms until the call counts as failed; the time a task of it takes does not count. Default 60,000. */
  readonly timeout?: number
  /** Whether the work goes on when the words beside the call are talked over. Default: it does. */
  readonly onInterrupt?: ToolTraits['onInterrupt']
  /** When a result that comes late is told. Default: `'unless-interrupted'`. */
  readonly announce?: ToolTraits['announce']
  /**
   * The model may cancel a running call of it: while there is one, it is offered a tool `cancel_call`. The call's signal aborts,
   * and what it still returns is told to nobody. Default: no.
   */
  readonly cancellable?: boolean
  /** What a call does to the world. An `'irreversible'` one waits until the caller's turn is sure. Default `'repeatable'`. */
  readonly effect?: ToolTraits['effect']
  /** What becomes of a call that is equal to a running one. Default: it joins it and gets the same result. */
  readonly duplicates?: ToolTraits['duplicates']
}

/** What the model is told (a value, as JSON), who takes over (an agent), both (`handoff`), or nothing at all. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without `return` is a tool that returns nothing
export type ToolResult = Json | Agent | Handoff | undefined | void | object

/** An agent that takes over, and a value that it is told. */
export interface Handoff {
  readonly kind: 'handoff'
  readonly agent: Agent
  readonly value: Json
}

/**
 * Hands the conversation to `agent` and tells it `value`.
 *
 * @throws {UsageError} when `agent` is not one, or is a task, which is awaited with `run.task` instead.
 */
export function handoff(agent: Agent, value: Json): Handoff {
  if (!isAgent(agent))
    throw new UsageError('handoff(agent, value) needs an agent: make it with agent({ instructions })')
  if (isTask(agent)) throw new UsageError(`handoff: "${agent.name}" is a task; await it with run.task(task) instead`)
  return { kind: 'handoff', agent, value }
}

export const isHandoff = (value: unknown): value is Handoff =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  value.kind === 'handoff' &&
  'agent' in value &&
  isAgent(value.agent)

/**
 * Describes a tool, in the words of the AI SDK.
 *
 * @throws {UsageError} when something is missing, unknown, or is not a schema of an object.
 */
export function tool<const S extends Schema>(
  options: ToolOptions & {
    readonly inputSchema: S
    execute(input: Infer<S>, run: RunContext): ToolResult | Promise<ToolResult>
  },
): Tool<Infer<S>>
export function tool(
  options: ToolOptions & {
    readonly inputSchema?: undefined
    execute(input: undefined, run: RunContext): ToolResult | Promise<ToolResult>
  },
): Tool<undefined>
export function tool(options: Omit<Tool, 'kind' | 'inputSchema'> & Partial<Pick<Tool, 'inputSchema'>>): Tool {
  const { description, inputSchema, execute } = options
  if (typeof description !== 'string' || description.trim() === '') {
    throw new UsageError('a tool needs a `description`: it is all that the model knows of it')
  }
  const where = `the tool "${description}"`
  fields(checks)(where, options)
  if (typeof execute !== 'function') throw new UsageError(`${where} needs a function \`execute\``)
  return { ...options, kind: 'tool', inputSchema }
}

const checks: Record<keyof Omit<Tool, 'kind'>, Check> = {
  description: someText,
  inputSchema(where, value) {
    checkSchema(where, value)
    const { type = 'object' } = jsonSchemaOf(value)
    if (type === 'object') return
    throw new UsageError(`${where} must describe an object: models give arguments by name; it describes "${type}"`)
  },
  execute: aFunction,
  timeout: limit,
  onInterrupt: oneOf('continue', 'cancel'),
  announce: oneOf('always', 'unless-interrupted', 'never'),
  cancellable: yesOrNo,
  effect: oneOf('pure', 'repeatable', 'irreversible'),
  duplicates: oneOf('join', 'allow', 'reject', 'replace'),
}

export interface FillerOptions {
  readonly delay?: number
  readonly interval?: number
}

/** The second argument of `execute`: one call, and what it may ask of the conversation. */
export interface RunContext<UserData = unknown> {
  /** Aborted when the call is cancelled, times out, or the session closes; never merely because the caller speaks. */
  readonly signal: AbortSignal
  readonly session: AgentSession<UserData>
  /**
   * The speech that asked for the call. It is not over before the call is, or has reported progress: until then its
   * `done` throws a `UsageError`, for whoever awaits it here waits for himself. `waitForPlayout` is what helps.
   */
  readonly speech: SpeechHandle
  readonly callId: string
  /**
   * Session and call: the same for the call, for those that join it, and for its repetition after a crash. A call that the model
   * makes anew has a new one.
   */
  readonly idempotencyKey: string
  readonly userData: UserData
  /**
   * Hands the conversation to `task` until it has a result. The words beside the call may be talked over; with
   * `speech: 'finish'` they are protected until the task has settled.
   *
   * @throws {ToolError} the task failed or was cancelled; {InterruptedError} with `onInterrupt: 'cancel'`, after an
   * interruption; {SessionClosed}; {UsageError} when it is not a task.
   */
  task<Result>(task: Task<Result>, options?: TaskRunOptions): Promise<Result>
  /** Tells the model how it goes. The turn does not wait for the call any longer; its result is told later. */
  update(text: string): void
  /**
   * Has something said while the work takes long: the first text after `delay` ms (default 1,000) of silence, the next as soon
   * as `interval` ms have gone since and there has been `delay` ms of silence again; after the last, the last again. Without
   * `interval` only one is said. It ends with the call, with its first `update`, or when the caller interrupts the speech that
   * asked for the call; another `filler` takes its place.
   */
  filler(texts: string | readonly string[], options?: FillerOptions): void
  /** Waits until the words beside the call were heard, or cut. */
  waitForPlayout(): Promise<{ readonly interrupted: boolean }>
  /** Protects the speech that asked for the call. @throws {InterruptedError} when it is too late. */
  disallowInterruptions(): void
  /** In a tool of a task: ends the task with `value`. @throws {ToolError} when its schema refuses it; {UsageError} elsewhere. */
  finish(value: unknown): Promise<void>
  /** In a tool of a task: ends the task with an error. @throws {UsageError} elsewhere. */
  fail(error: Error | string): void
}
