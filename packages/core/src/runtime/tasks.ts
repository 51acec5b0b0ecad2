import { isTask, type Task, type TaskRunOptions } from '../api/agent.js'
import { InterruptedError, SessionClosed, ToolError, UsageError } from '../api/errors.js'
import type { Schema } from '../api/schema.js'
import type { Command, Id } from '../conversation/protocol.js'
import { Deferred } from './deferred.js'
import { messageOf } from './failure.js'
import type { Kernel } from './kernel.js'
import { validate } from './tool-input.js'

interface Open {
  readonly schema: Schema
  readonly done: Deferred<unknown>
  /** How it ended, kept until the conversation says that whoever awaits it may know. */
  ending: { readonly value: unknown } | { readonly error: unknown } | null
  /** Forgets the signal that would cancel it. */
  readonly release: () => void
}

/** The tasks that somebody awaits. Their values stay here; the conversation knows only that they are there. */
export class Tasks {
  /** The value with which a task returned last. */
  lastResult: unknown
  readonly #kernel: Kernel
  readonly #open = new Map<Id, Open>()

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /** The call `call` hands the conversation to `task`. */
  start<Result>(call: Id, task: Task<Result>, { speech = 'yield', signal }: TaskRunOptions = {}): Promise<Result> {
    const done = new Deferred<unknown>()
    const id = this.#kernel.id('task')
    const cancel = () => this.#kernel.send({ type: 'task-cancel', task: id, reason: cancelled(signal) })
    const release = () => signal?.removeEventListener('abort', cancel)
    try {
      check(task)
      if (signal?.aborted) throw new ToolError(cancelled(signal))
      const agent = this.#kernel.agents.ref(task)
      this.#open.set(id, { schema: task.result, done, ending: null, release })
      signal?.addEventListener('abort', cancel, { once: true })
      this.#kernel.request({ type: 'task-start', task: id, call, agent, speech }, id)
    } catch (error) {
      release()
      this.#open.delete(id)
      done.reject(error)
    }
    return done.promise as Promise<Result>
  }

  /** Ends a task with a value. @throws {ToolError} when its schema refuses the value, or it has ended already. */
  async finish(id: Id, value: unknown): Promise<void> {
    const schema = this.#unfinished(id).schema
    const result = await validate(schema, value, 'The result was refused')
    this.#unfinished(id).ending = { value: result }
    this.#kernel.send({ type: 'task-finish', task: id, error: null })
  }

  /** Ends a task with an error. @throws {ToolError} when it has ended already. */
  fail(id: Id, error: Error | string): void {
    const thrown = typeof error === 'string' ? new ToolError(error) : error
    this.#unfinished(id).ending = { error: thrown }
    const reason = ToolError.is(thrown) ? messageOf(thrown) : 'An internal error occurred'
    this.#kernel.send({ type: 'task-finish', task: id, error: reason })
  }

  resolve({ task: id }: Extract<Command, { type: 'task-resolve' }>): void {
    const task = this.#take(id)
    if (task?.ending && 'value' in task.ending) {
      this.lastResult = task.ending.value
      task.done.resolve(task.ending.value)
    } else task?.done.reject(new Error(`task ${id} ended without a value`))
  }

  reject({
    task: id,
    reason,
    because,
  }: Pick<Extract<Command, { type: 'task-reject' }>, 'task' | 'reason' | 'because'>): void {
    const task = this.#take(id)
    if (!task) return
    const { ending } = task
    const own = because === 'failed' && ending !== null && 'error' in ending
    task.done.reject(own ? ending.error : errorOf(reason, because))
  }

  /** Nobody will settle what is still open. */
  end(): void {
    for (const id of [...this.#open.keys()])
      this.reject({ task: id, reason: 'The session is closed.', because: 'closing' })
  }

  #unfinished(id: Id): Open {
    const task = this.#open.get(id)
    if (!task || task.ending) throw new ToolError('The task has ended already.')
    return task
  }

  #take(id: Id): Open | undefined {
    const task = this.#open.get(id)
    this.#open.delete(id)
    task?.release()
    return task
  }
}

function check(task: unknown): void {
  if (isTask(task)) return
  throw new UsageError(
    'run.task(task) needs a task: make it with task({ instructions, result }). To hand over for good, return an agent from the tool',
  )
}

const cancelled = (signal: AbortSignal | undefined): string =>
  signal?.reason instanceof Error && signal.reason.name !== 'AbortError'
    ? signal.reason.message
    : 'The task was cancelled.'

function errorOf(reason: string, because: Extract<Command, { type: 'task-reject' }>['because']): Error {
  switch (because) {
    case 'closing':
      return new SessionClosed(reason)
    case 'interrupted':
      return new InterruptedError(reason)
    case 'refused':
      return new UsageError(`run.task: ${reason}`)
    case 'failed':
    case 'cancelled':
      return new ToolError(reason)
  }
}
