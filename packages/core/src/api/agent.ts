import type { TurnHandling } from '../conversation/settings.js'
import type { ChatContext } from './chat-context.js'
import { aFunction, type Check, fields, having, oneOf, someText } from './check.js'
import { UsageError } from './errors.js'
import type { LLM, STT, TTS, VAD } from './models.js'
import { checkSchema, type Infer, type Schema } from './schema.js'
import type { AgentSession } from './session.js'
import type { Tools } from './tool.js'
import { turnHandling as checkTurnHandling } from './turn-handling.js'

/** A role in a conversation: what it is told, what it can do. A value; one agent may serve any number of sessions. */
export interface Agent<UserData = unknown> {
  readonly kind: 'agent' | 'task'
  /** Names it in history and events. Two agents of one session may share a name; they are told apart by identity. */
  readonly name: string
  /** What a model that may hand the conversation over to it is told of it. */
  readonly description: string | undefined
  /** Read at each request, so that a function can look at the clock. */
  readonly instructions: string | ((session: AgentSession<UserData>) => string | Promise<string>)
  readonly tools: Tools
  readonly hooks: AgentHooks<UserData>
  readonly turnHandling: TurnHandling
  /** What its model is shown before the conversation. */
  readonly chatContext: ChatContext | undefined
  /** It speaks first when it takes the conversation, unless its `enter` hook does that. */
  readonly greet: boolean
  readonly llm: LLM | undefined
  readonly stt: STT | undefined
  readonly tts: TTS | undefined
  readonly vad: VAD | undefined
}

/** An agent that is awaited like a function: it holds the conversation until it has a result. */
export interface Task<Result = unknown, UserData = unknown> extends Agent<UserData> {
  readonly kind: 'task'
  readonly result: Schema<Result>
}

export interface AgentHooks<UserData = unknown> {
  /** Runs when the agent takes the conversation. The caller is heard, and answered, meanwhile. */
  readonly enter?: (run: HookContext<UserData>) => unknown
  /** Runs before it leaves; what it says is heard first. */
  readonly exit?: (run: HookContext<UserData>) => unknown
  /** Sees each turn of the caller's before it is answered; may edit it, or throw `StopResponse`. The words stay on record. */
  readonly userTurn?: (turn: UserTurn, run: HookContext<UserData>) => unknown
}

export interface UserTurn {
  /** Settable: what is recorded and answered. */
  text: string
}

/** What a hook is given. */
export interface HookContext<UserData = unknown> {
  readonly session: AgentSession<UserData>
  readonly userData: UserData
  /** Aborted when the agent has lost the conversation or the session closes. */
  readonly signal: AbortSignal
  /**
   * Hands the conversation to `task`; only in `enter`.
   *
   * @throws as `RunContext.task` does, and {UsageError} in another hook.
   */
  task<Result>(task: Task<Result>, options?: TaskRunOptions): Promise<Result>
  /** In a hook of a task: ends the task with `value`. @throws {ToolError} when its schema refuses it; {UsageError} elsewhere. */
  finish(value: unknown): Promise<void>
  /** In a hook of a task: ends the task with an error. @throws {UsageError} elsewhere. */
  fail(error: Error | string): void
}

/** How a task is awaited. */
export interface TaskRunOptions {
  /** Whether the words spoken beside the call may be talked over (`'yield'`, the default) or are protected (`'finish'`). */
  readonly speech?: 'yield' | 'finish'
  /** Cancels the task when it aborts. */
  readonly signal?: AbortSignal
}

export interface AgentOptions<UserData = unknown> {
  readonly name?: string
  readonly description?: string
  readonly instructions: Agent<UserData>['instructions']
  readonly tools?: Tools
  readonly enter?: NonNullable<AgentHooks<UserData>['enter']>
  readonly exit?: NonNullable<AgentHooks<UserData>['exit']>
  readonly userTurn?: NonNullable<AgentHooks<UserData>['userTurn']>
  readonly turnHandling?: TurnHandling
  /**
   * What was said before: shown to the model before the conversation's own messages. What it has of the session itself is
   * there once.
   */
  readonly chatContext?: ChatContext
  readonly greet?: boolean
  readonly llm?: LLM
  readonly stt?: STT
  readonly tts?: TTS
  readonly vad?: VAD
}

export interface TaskOptions<S extends Schema = Schema, UserData = unknown> extends AgentOptions<UserData> {
  /** Checks the result; its output is what `run.task` returns. */
  readonly result: S
}

/**
 * Describes an agent.
 *
 * @throws {UsageError} when there are no instructions, a tool is not one, or an option is unknown.
 */
export function agent<UserData = unknown>(options: AgentOptions<UserData>): Agent<UserData> {
  return { kind: 'agent', ...described('agent', options) }
}

/**
 * Describes a task: an agent with a `result`. Its model ends it with a tool called `finish`, made from the schema; what
 * the schema refuses is told to the model, and the task goes on.
 *
 * @throws {UsageError} as `agent` does, and when there is no `result` or a tool is called `finish`.
 */
export function task<const S extends Schema, UserData = unknown>(
  options: TaskOptions<S, UserData>,
): Task<Infer<S>, UserData> {
  const { result, ...rest } = options
  const name = options.name ?? 'task'
  checkSchema(`the \`result\` of task "${name}"`, result)
  if (options.tools && Object.hasOwn(options.tools, 'finish')) {
    throw new UsageError(
      `task "${name}" has a tool called "finish": that is the name of the tool made from \`result\`; ` +
        'call it something else and end the task with run.finish(value)',
    )
  }
  return { kind: 'task', ...described('task', rest), result: result as Schema<Infer<S>> }
}

export const isAgent = (value: unknown): value is Agent =>
  typeof value === 'object' && value !== null && 'kind' in value && (value.kind === 'agent' || value.kind === 'task')

export const isTask = (value: unknown): value is Task => isAgent(value) && value.kind === 'task'

const checks: Record<keyof AgentOptions, Check> = {
  name: someText,
  description: someText,
  instructions(where, value) {
    if (typeof value === 'string' || typeof value === 'function') return
    throw new UsageError(`${where} must be a string, or a function that returns one`)
  },
  tools(where, value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new UsageError(`${where} must be an object that names each tool: { findTable, bookTable }`)
    }
    for (const [name, entry] of Object.entries(value)) checkTool(`${where}.${name}`, name, entry)
  },
  enter: aFunction,
  exit: aFunction,
  userTurn: aFunction,
  turnHandling: checkTurnHandling,
  chatContext: having('a chat context, made with chatContext([…])', 'items', 'copy'),
  greet: oneOf(true, false),
  llm: having('a language model', 'generate'),
  stt: having('a speech recogniser', 'sampleRate', 'transcribe'),
  tts: having('a voice', 'sampleRate', 'speak'),
  vad: having('a voice detector', 'sampleRate', 'open'),
}

function described<UserData>(kind: 'agent' | 'task', options: AgentOptions<UserData>): Omit<Agent<UserData>, 'kind'> {
  const { name = kind, description, instructions, tools = {}, enter, exit, userTurn } = options
  const { turnHandling = {}, chatContext, greet = true, llm, stt, tts, vad } = options
  const where = `${kind} "${name}"`
  fields(checks)(where, options)
  checks.instructions(`${where}.instructions`, instructions)
  const hooks = { ...(enter && { enter }), ...(exit && { exit }), ...(userTurn && { userTurn }) }
  return { name, description, instructions, tools, hooks, turnHandling, chatContext, greet, llm, stt, tts, vad }
}

function checkTool(where: string, name: string, entry: unknown): void {
  const known =
    isAgent(entry) || (typeof entry === 'object' && entry !== null && 'kind' in entry && entry.kind === 'tool')
  if (!known) {
    throw new UsageError(
      `${where} is neither a tool nor an agent: make it with tool({ description, inputSchema, execute })`,
    )
  }
  if (!/^[\w-]{1,64}$/.test(name)) {
    throw new UsageError(`${where}: models accept letters, digits, _ and - in the name of a tool, 64 at most`)
  }
  if (name === 'cancel_call') {
    throw new UsageError(`${where}: models cancel running calls with a tool of this name; call yours something else`)
  }
}
