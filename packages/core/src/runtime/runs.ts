import { AntiphonError, UsageError } from '../api/errors.js'
import type { RunCall, RunResult } from '../api/session.js'
import { type AgentItem, type AssistantItem, type CallItem, type Item, isShown } from '../conversation/history.js'
import type { Failure } from '../conversation/protocol.js'
import { causeOf } from './failure.js'
import { atRest } from './rest.js'
import type { Runtime } from './runtime.js'
import { parseArgs } from './tool-input.js'

/** Conversations in writing, one turn at a time. */
export class Runs {
  readonly #runtime: Runtime
  #running = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Does `begin` and waits until the conversation rests. */
  async run(begin: () => void): Promise<RunResult> {
    if (this.#running) throw new UsageError('session.run: a run goes on already; await it before the next')
    this.#running = true
    try {
      return await this.#run(begin)
    } finally {
      this.#running = false
    }
  }

  async #run(begin: () => void): Promise<RunResult> {
    const runtime = this.#runtime
    runtime.begin()
    const { history } = runtime.state
    const from = history.length
    runtime.lastReply = null
    runtime.tasks.lastResult = undefined
    begin()
    await runtime.watch.until(() => runtime.over || atRest(runtime.state) || undefined)
    const failure = (runtime.lastReply as Runtime['lastReply'])?.error
    if (failure) throw errorOf(failure)
    return resultOf(history, from, runtime.tasks.lastResult)
  }
}

function resultOf(history: readonly Item[], from: number, output: unknown): RunResult {
  const items = history.slice(from).filter(isShown)
  return {
    items,
    messages: items.filter((item): item is AssistantItem => item.type === 'assistant').map(({ text }) => text),
    calls: callsOf(history, items),
    handoffs: items
      .filter((item): item is AgentItem => item.type === 'agent' && item.cause !== 'start')
      .map(({ agent }) => agent),
    output,
  }
}

/** The calls that were made, or of which there was news. */
function callsOf(history: readonly Item[], items: readonly Item[]): RunCall[] {
  const ids = new Set<string>()
  for (const item of items) {
    if (item.type === 'call') ids.add(item.id)
    if (item.type === 'output') ids.add(item.call)
  }
  const calls = history.filter((item): item is CallItem => item.type === 'call' && ids.has(item.id))
  return calls.map(({ id, name, args }) => {
    const output = history.findLast((item) => item.type === 'output' && item.call === id)
    const told = output?.type === 'output' ? output : null
    return { name, args: readable(args), output: told?.text ?? null, error: told?.error ?? false }
  })
}

function readable(args: string): unknown {
  try {
    return parseArgs(args)
  } catch {
    return args
  }
}

function errorOf(failure: Failure): Error {
  const cause = causeOf(failure)
  return cause instanceof Error ? cause : new AntiphonError(failure.message, { ...failure, cause })
}
