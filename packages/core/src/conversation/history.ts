/** Names one thing of one conversation. */
export type Id = string

/** How an agent came to have the conversation. */
export type AgentChange = 'start' | 'handoff' | 'task' | 'return'

/** What happened, in the order in which it could be heard. Items are added, never moved or taken back. */
export type Item = UserItem | AssistantItem | CallItem | OutputItem | AgentItem | OverheardItem

interface Placed {
  readonly id: Id
  /** When it took its place, ms on the session's clock. Never decreases along the history. */
  readonly at: number
}
export interface UserItem extends Placed {
  readonly type: 'user'
  readonly text: string
}
export interface AssistantItem extends Placed {
  readonly type: 'assistant'
  readonly agent: string
  readonly reply: Id
  /**
   * What was heard of it so far: grows while it sounds, and is the whole truth when `done`. An item without text keeps the place
   * of words that may still be heard; what was never heard stands in no history that is shown.
   */
  text: string
  interrupted: boolean
  done: boolean
}
export interface CallItem extends Placed {
  readonly type: 'call'
  /** The frame that made it: only those who hold that frame are shown it. */
  readonly frame: Id
  /** Calls of one generation are one group, and are told together. */
  readonly group: Id
  readonly name: string
  readonly args: string
}
export interface OutputItem extends Placed {
  readonly type: 'output'
  readonly call: Id
  readonly text: string
  readonly error: boolean
  /** News of a call that goes on. */
  readonly progress: boolean
}
export interface AgentItem extends Placed {
  readonly type: 'agent'
  readonly agent: string
  readonly cause: AgentChange
}
/** Words that are nobody's turn: heard, kept, and shown to no model. */
export interface OverheardItem extends Placed {
  readonly type: 'overheard'
  readonly text: string
  readonly reason: 'backchannel' | 'cleared'
}

/** Whether an item can be shown: of a speech of which no word was heard (yet) there is nothing to show. */
export const isShown = (item: Item): boolean => item.type !== 'assistant' || item.text !== ''

/** An item as a language model is shown it. Each `call` is followed by exactly one `output`. */
export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly interrupted: boolean }
  | { readonly role: 'call'; readonly call: Id; readonly group: Id; readonly name: string; readonly args: string }
  | {
      readonly role: 'output'
      readonly call: Id
      readonly name: string
      readonly text: string
      readonly error: boolean
      /** The call still runs; the text says so too. */
      readonly running: boolean
    }
