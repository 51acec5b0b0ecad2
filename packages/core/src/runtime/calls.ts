import { type Agent, isAgent, isTask, type Task, type UserTurn } from '../api/agent.js'
import { InterruptedError, SessionClosed, StopResponse, ToolError, UsageError } from '../api/errors.js'
import type { Command, Id } from '../conversation/protocol.js'
import { cancelCall, cancelOther } from './cancelling.js'
import { failureOf } from './failure.js'
import type { Kernel } from './kernel.js'
import type { Replies } from './replies.js'
import { type Called, hookContext, ownTask, runContext } from './run.js'
import type { Scope } from './scope.js'
import type { Tasks } from './tasks.js'
import { entryOf, parseArgs, resultArgs, unfit, validate } from './tool-input.js'
import { type Ending, returned, thrown } from './tool-output.js'
import { finish, toolSpecs } from './tool-specs.js'

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>

/** The code of the application that runs: tools, and hooks, which are calls that no model made. */
export class Calls {
  readonly #kernel: Kernel
  readonly #tasks: Tasks
  readonly #replies: Replies
  readonly #running = new Map<Id, Scope>()

  constructor(kernel: Kernel, tasks: Tasks, replies: Replies) {
    this.#kernel = kernel
    this.#tasks = tasks
    this.#replies = replies
  }

  call(command: Of<'call'>): void {
    const { call, name } = command
    this.#start(call, `tool "${name}"`, async (signal) => {
      const { outcome, error } = await this.#carryOut(command, this.#called(call, signal))
      if (error !== undefined) this.#kernel.report('tool', failureOf(error, 'tool'))
      return () => this.#kernel.send({ type: 'call-end', call, outcome })
    })
  }

  async #carryOut(command: Of<'call'>, called: Called): Promise<Ending> {
    try {
      const value = await this.#invoke(command, called)
      return returned(command.name, value, (agent) => this.#kernel.agents.ref(agent))
    } catch (error) {
      return thrown(error, called.signal)
    }
  }

  async #invoke({ agent: id, reply, name, args }: Of<'call'>, called: Called): Promise<unknown> {
    const agent = this.#kernel.agents.get(id)
    if (name === finish && isTask(agent)) return this.#finish(agent, args, called)
    if (name === cancelCall) return cancelOther(called, parseArgs(args))
    const hidden = (tool: string) => this.#replies.hides(reply, tool)
    const entry = hidden(name) ? undefined : entryOf(agent, name)
    if (!entry) throw new ToolError(`Unknown tool "${name}". ${available(agent, hidden)}`)
    if (isAgent(entry)) return this.#result(entry, called)
    const parsed = parseArgs(args)
    const input = entry.inputSchema ? await validate(entry.inputSchema, parsed, unfit) : undefined
    return this.#result(await entry.execute(input, runContext(called, reply)), called)
  }

  /** The tool that every task has. What the schema refuses is told to the model, and the task goes on. */
  async #finish({ result }: Task, args: string, called: Called): Promise<void> {
    await this.#tasks.finish(ownTask(called), resultArgs(result).pick(parseArgs(args)))
  }

  /** A task, among the tools or returned by one, is awaited, and its result told. Anything else is what it is. */
  #result(value: unknown, { call }: Called): unknown {
    return isTask(value) ? this.#tasks.start(call, value) : value
  }

  hook({ call, agent: id, hook, text }: Of<'hook'>): void {
    const agent = this.#kernel.agents.get(id)
    this.#start(call, `hook \`${hook}\` of agent "${agent.name}"`, async (signal) => {
      const turn: UserTurn | null = text === null ? null : { text }
      const error = await this.#runHook(agent, hook, turn, this.#called(call, signal))
      return () => this.#hooked(call, turn, error)
    })
  }

  /** What the hook has thrown. */
  async #runHook(agent: Agent, hook: Of<'hook'>['hook'], turn: UserTurn | null, called: Called): Promise<unknown> {
    const context = hookContext(called)
    try {
      if (hook === 'turn') await agent.hooks.userTurn?.(turn ?? { text: '' }, context)
      else await agent.hooks[hook]?.(context)
      if (turn && typeof (turn.text as unknown) !== 'string')
        throw new UsageError('userTurn: `turn.text` must stay a string')
      return undefined
    } catch (error) {
      if (StopResponse.is(error) || called.signal.aborted) return error
      this.#kernel.report('hook', failureOf(error, 'caller'))
      return error
    }
  }

  #hooked(call: Id, turn: UserTurn | null, error: unknown): void {
    const stopped = StopResponse.is(error)
    if (turn && (error === undefined || stopped)) {
      this.#kernel.send({ type: 'turn-pass', call, text: turn.text, reply: !stopped })
    } else {
      const failed = error !== undefined && !stopped
      const outcome = { output: null, error: failed, silent: true, handoff: null }
      this.#kernel.send({ type: 'call-end', call, outcome })
    }
  }

  abort({ call, reason, because }: Of<'call-abort'>): void {
    this.#running.get(call)?.abort(reasons[because](reason))
  }

  #called(call: Id, signal: AbortSignal): Called {
    return { kernel: this.#kernel, tasks: this.#tasks, replies: this.#replies, call, signal }
  }

  /** `run` resolves with what is to be told when the code has ended. */
  #start(call: Id, name: string, run: (signal: AbortSignal) => Promise<() => void>): void {
    const end = (tell: () => void) => {
      this.#running.delete(call)
      tell()
    }
    const scope = this.#kernel.scope.start({
      name,
      run,
      ended: end,
      failed: (error) => end(() => this.#kernel.crash(error)),
    })
    this.#running.set(call, scope)
  }
}

/** What the signal of a call is aborted with. */
const reasons: Record<Of<'call-abort'>['because'], (reason: string) => Error> = {
  interrupted: (reason) => new InterruptedError(reason),
  cancelled: (reason) => new ToolError(reason),
  timeout: (reason) => new ToolError(reason),
  closing: (reason) => new SessionClosed(reason),
}

function available(agent: Agent, hidden: (tool: string) => boolean): string {
  const names = toolSpecs(agent)
    .map(({ name }) => name)
    .filter((name) => !hidden(name))
  return names.length > 0 ? `Available tools: ${names.join(', ')}.` : 'There are no tools.'
}
