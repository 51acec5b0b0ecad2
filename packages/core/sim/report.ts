import type { Command, ConversationEvent } from '../src/conversation/protocol.js'
import { Violation } from './checker/must.js'
import type { LogEntry, Outcome } from './simulate.js'

/** Gathers what went wrong by the invariant that was broken. */
export class Failures {
  readonly #byInvariant = new Map<string, Outcome[]>()

  get count(): number {
    return [...this.#byInvariant.values()].reduce((sum, runs) => sum + runs.length, 0)
  }

  add(run: Outcome): void {
    if (run.failure === null) return
    const name = nameOf(run.failure)
    const runs = this.#byInvariant.get(name) ?? []
    runs.push(run)
    this.#byInvariant.set(name, runs)
  }

  *lines(): Iterable<string> {
    const groups = [...this.#byInvariant].sort(([, a], [, b]) => b.length - a.length)
    for (const [name, runs] of groups) {
      const shortest = [...runs].sort((a, b) => a.inputs - b.inputs).slice(0, 5)
      yield `${String(runs.length).padStart(6)} × ${name}`
      const detail = detailOf(shortest[0]!.failure!)
      if (detail !== '') yield `         ${detail.slice(0, 300)}`
      yield `         ${shortest.map((run) => `--replay ${run.seed} --events ${run.events}`).join(' | ')}`
    }
  }
}

export const detailOf = (error: Error): string => (error instanceof Violation ? error.detail : '')

function nameOf(error: Error): string {
  if (error instanceof Violation) return error.message
  const where = error.stack?.split('\n').find((line) => line.includes('packages/')) ?? ''
  return `thrown: ${error.message} ${where.trim()}`
}

/** A conversation, readably: what came in, and below it what was made of it. */
export function* readable(log: readonly LogEntry[]): Iterable<string> {
  for (const { at, input, commands } of log) {
    yield `${String(at).padStart(8)}  ${brief(input)}`
    for (const command of commands) yield `          ${told(command)}`
  }
}

function told(command: Command): string {
  if (command.type === 'emit') return `   ! ${brief<ConversationEvent>(command.event)}`
  if (command.type !== 'generate') return `→ ${brief(command)}`
  const view = command.view.map((message) => {
    return 'text' in message ? `${message.role}: ${message.text}` : `${message.role} ${message.call}`
  })
  return `→ ${brief({ ...command, view: view.slice(-6) })}`
}

function brief<T extends { readonly type: string }>({ type, ...rest }: T): string {
  const fields = Object.entries(rest).map(([key, value]) => {
    return `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  return [type, ...fields].join(' ').slice(0, 220)
}
