import type { Command, ConversationEvent, Input } from '../conversation/protocol.js'
import type { State } from '../conversation/state.js'

/** One step of a conversation as an observer sees it: what came in, what was asked for, and what is the case since. */
export interface Seen {
  readonly at: number
  readonly input: Input
  readonly commands: readonly Command[]
  /** Not the observer's: it goes on changing. */
  readonly state: State
}

/** Sees every step of a conversation, in order, and has no part in it. */
export interface Observer {
  see(seen: Seen): void
}

export function* eventsOf({ commands }: Pick<Seen, 'commands'>): Generator<ConversationEvent, void, void> {
  for (const command of commands) if (command.type === 'emit') yield command.event
}
