import type { Item, Message } from '../conversation/history.js'
import type { Id } from '../conversation/protocol.js'

/**
 * A conversation as a value: what an agent starts from, what is stored and read back. It never changes: whatever is done to it
 * makes another. Made with `chatContext` or `parseChatContext`; that of a session is `session.chatContext`.
 */
export interface ChatContext extends Iterable<ContextItem> {
  /** In the order in which they are shown. */
  readonly items: readonly ContextItem[]
  /** The same without what is to be left out. */
  copy(options?: CopyOptions): ChatContext
  /** With `items`, each behind the last that is not later; one without a time comes last. @throws {UsageError} as `chatContext`. */
  insert(...items: readonly NewItem[]): ChatContext
  /**
   * With those items of `other` that are not in it, each in its place by time. What has the id of another item, as happens
   * between two sessions, is given a new one, so that nothing is lost.
   */
  merge(other: ChatContext, options?: CopyOptions): ChatContext
  /** The last `length` items, or fewer. The instructions at its head stay, and no call or output stands first behind them. */
  truncate(length: number): ChatContext
  /** The instructions at its head, a blank line between them. */
  readonly instructions: string
  /**
   * What a language model is shown of the rest: each call beside exactly one output, where the last of its group came. What
   * was never answered is left out. Instructions in the midst of it are words of the user's in `<instructions>`.
   */
  readonly messages: readonly Message[]
  /** A text that `parseChatContext` reads. `times`: false leaves the times out. */
  serialise(options?: { readonly times?: boolean }): string
  /** What JSON is to hold of it. */
  toJSON(): StoredChatContext
}

/** What a chat context may be made without. `tool-calls`: their outputs, too. `empty`: messages without words. */
export type Exclusion = 'instructions' | 'handoff' | 'config' | 'tool-calls' | 'overheard' | 'empty'

export interface CopyOptions {
  readonly exclude?: readonly Exclusion[]
  /** Only calls of these tools, and their outputs. */
  readonly tools?: readonly string[]
}

/** An item of a history, or something that only a context has. `at` may be missing: then nobody knows. */
export type ContextItem = Frozen<Item> | InstructionsItem | ConfigItem

type Frozen<T> = T extends Item ? Readonly<Omit<T, 'at'>> & Timed : never
interface Timed {
  /** ms on the clock of the session that it is from. */
  readonly at?: number
}

/** What a model is told to be or to do. */
export interface InstructionsItem extends Timed {
  readonly id: Id
  readonly type: 'instructions'
  readonly text: string
}

/** A note that an agent has become another; shown to no model. */
export interface ConfigItem extends Timed {
  readonly id: Id
  readonly type: 'config'
  readonly agent?: string
  readonly instructions?: string
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

/** An item of which only is said what matters. */
export type NewItem = Sparse<ContextItem>
type Essential<T> = Extract<
  keyof T,
  'type' | 'text' | 'call' | 'name' | 'args' | (T extends { type: 'agent' } ? 'agent' : never)
>
type Sparse<T> = T extends ContextItem ? Pick<T, Essential<T>> & Partial<Omit<T, Essential<T>>> : never

/** A chat context in JSON. */
export interface StoredChatContext {
  readonly version: 1
  readonly items: readonly ContextItem[]
}
