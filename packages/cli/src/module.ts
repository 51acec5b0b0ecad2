import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RecordedLineOptions } from '@antiphon/local'
import { type Agent, type AgentSession, isAgent, isTask, type SessionOptions, UsageError } from 'antiphon'

/** What a module exports so that `antiphon talk` can run it. */
export interface TalkModule {
  /** Who answers. May be the default export instead. */
  readonly agent: Agent
  /** Models and settings. Default for each model: the embedded one. */
  readonly options?: Omit<SessionOptions, 'line'>
  /** A recorded caller. Default, also without `--caller`: this machine's microphone. */
  readonly caller?: RecordedLineOptions['caller'] | (() => Promise<RecordedLineOptions['caller']>)
  /** Looks at the conversation when it is over; throws if it is not as it should be. */
  readonly check?: (session: AgentSession) => void | Promise<void>
}

/** @throws {UsageError} when there is no such module, or no agent in it. */
export async function loadModule(path: string): Promise<TalkModule> {
  const url = pathToFileURL(resolve(path))
  const loaded = (await import(url.href).catch((cause: unknown) => {
    throw new UsageError(`${path} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  })) as Partial<TalkModule> & { readonly default?: unknown }
  const agent: unknown = loaded.agent ?? loaded.default
  if (!isAgent(agent) || isTask(agent)) {
    throw new UsageError(
      `${path} exports no agent: write \`export const agent = agent({ … })\`, or make it the default export`,
    )
  }
  return { ...loaded, agent }
}
