import type { AgentSession, ErrorEvent, SessionEvent } from '../api/session.js'
import type { Failure, Id, Input } from '../conversation/protocol.js'
import type { State } from '../conversation/state.js'
import type { Usage } from '../report/usage.js'
import type { Agents } from './agents.js'
import type { Setup } from './options.js'
import type { Scope } from './scope.js'
import type { Watch } from './watch.js'

/** What each part of the runtime is given: the session it works for, and the way to the conversation. */
export interface Kernel {
  readonly session: AgentSession
  readonly setup: Setup
  readonly scope: Scope
  readonly agents: Agents
  readonly watch: Watch
  readonly state: State
  /** What is used of the providers. */
  readonly usage: Usage
  /** The session has ended, or broken: nothing that was waited for will come. */
  readonly over: boolean
  /** Tells the conversation a fact. */
  send(input: Input): void
  /** Asks something of the conversation. @throws what it is refused with; `id`: what a refusal quotes. */
  request(input: Input, id: Id): void
  /** Tells the application of what is no matter of the conversation's. */
  tell(event: SessionEvent): void
  /** The same for an error. */
  report(source: ErrorEvent['source'], error: Failure): void
  /** An exception that nobody has foreseen: the session ends. */
  crash(error: unknown): void
  /** A name for something that the conversation has not named itself. */
  id(kind: string): Id
}
