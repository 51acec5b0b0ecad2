import type {
  ChatContext,
  ContextItem,
  CopyOptions,
  Exclusion,
  NewItem,
  StoredChatContext,
} from '../api/chat-context.js'
import { fields, oneOf, texts } from '../api/check.js'
import { UsageError } from '../api/errors.js'
import type { Message } from '../conversation/history.js'
import { complete } from './items.js'
import { headOf, messagesOf } from './messages.js'
import { newcomers, placeOf } from './order.js'

/**
 * A conversation to start from, item by item. Of each only what matters has to be said.
 *
 * ```ts
 * const before = chatContext([
 *   { type: 'instructions', text: 'The caller has called before:' },
 *   { type: 'user', text: 'I want to move my booking.' },
 *   { type: 'call', id: 'c1', name: 'find', args: '{}' },
 *   { type: 'output', call: 'c1', text: 'Friday, 7 pm' },
 *   { type: 'assistant', text: 'You have a table on Friday.' },
 * ])
 * ```
 *
 * @throws {UsageError} that names the item that cannot be, and why.
 */
export function chatContext(items: Iterable<NewItem> = []): ChatContext {
  if (!isIterable(items))
    throw new UsageError('chatContext(items) needs a list of items, such as [{ type: "user", text: "Hello." }]')
  return new Context(completed('chatContext: items', [...items], []))
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

/**
 * Reads what `serialise` or JSON has made of a chat context.
 *
 * @throws {UsageError} that says what is wrong with it, and where.
 */
export function parseChatContext(stored: string | StoredChatContext): ChatContext {
  const value = typeof stored === 'string' ? parsed(stored) : stored
  const { version, items } = (value ?? {}) as Partial<Record<keyof StoredChatContext, unknown>>
  if (version !== 1) {
    throw new UsageError(
      version === undefined
        ? 'this is no chat context: it has no `version`; give what `serialise` has returned'
        : `this chat context is of version ${JSON.stringify(version)}; this version of antiphon reads version 1`,
    )
  }
  if (!Array.isArray(items)) throw new UsageError('the chat context has no list of `items`')
  const unnamed = items.findIndex((item: Partial<ContextItem> | null) => item?.id === undefined)
  if (unnamed >= 0) throw new UsageError(`the chat context: items[${unnamed}].id is missing`)
  return new Context(completed('the chat context: items', items as NewItem[], []))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`this is no chat context: it is no JSON (${(error as Error).message})`, { cause: error })
  }
}

/** Whole items. @throws {UsageError} when one cannot be, or an id is there twice. */
function completed(where: string, items: readonly NewItem[], known: readonly ContextItem[]): ContextItem[] {
  const ids = new Set([...known, ...items].map((item: { id?: string } | null) => item?.id))
  let count = ids.size
  const freshId = () => {
    do count += 1
    while (ids.has(`i${count}`))
    return `i${count}`
  }
  const used = new Set(known.map(({ id }) => id))
  return items.map((item, index) => {
    const whole = complete(`${where}[${index}]`, item, freshId)
    if (used.has(whole.id)) throw new UsageError(`${where}[${index}].id "${whole.id}" is there already`)
    used.add(whole.id)
    return whole
  })
}

const exclusions: Readonly<Record<Exclusion, (item: ContextItem) => boolean>> = {
  instructions: ({ type }) => type === 'instructions',
  handoff: ({ type }) => type === 'agent',
  config: ({ type }) => type === 'config',
  'tool-calls': ({ type }) => type === 'call' || type === 'output',
  overheard: ({ type }) => type === 'overheard',
  empty: (item) => 'text' in item && item.type !== 'output' && item.text.trim() === '',
}

const checkOptions = fields({
  exclude: (where, value) => {
    texts(where, value)
    for (const [index, each] of (value as string[]).entries())
      oneOf(...Object.keys(exclusions))(`${where}[${index}]`, each)
  },
  tools: texts,
})

class Context implements ChatContext {
  readonly items: readonly ContextItem[]

  /** The items are whole, frozen, and each has an id of its own. */
  constructor(items: readonly ContextItem[]) {
    this.items = Object.freeze([...items])
    Object.freeze(this)
  }

  [Symbol.iterator](): Iterator<ContextItem> {
    return this.items[Symbol.iterator]()
  }

  copy(options: CopyOptions = {}): ChatContext {
    checkOptions('copy', options)
    const { exclude = [], tools } = options
    const names = new Map(this.items.flatMap((item) => (item.type === 'call' ? [[item.id, item.name]] : [])))
    const wanted = (item: ContextItem): boolean => {
      if (exclude.some((each) => exclusions[each](item))) return false
      const call = item.type === 'call' ? item.id : item.type === 'output' ? item.call : null
      return !tools || call === null || tools.includes(names.get(call) ?? '')
    }
    return new Context(this.items.filter(wanted))
  }

  insert(...items: readonly NewItem[]): ChatContext {
    const all = [...this.items]
    for (const item of completed('insert: items', items, this.items)) all.splice(placeOf(all, item.at), 0, item)
    return new Context(all)
  }

  merge(other: ChatContext, options: CopyOptions = {}): ChatContext {
    const all = [...this.items]
    for (const { item, at } of newcomers(this.items, other.copy(options).items)) all.splice(placeOf(all, at), 0, item)
    return new Context(all)
  }

  truncate(length: number): ChatContext {
    if (!Number.isInteger(length) || length < 0)
      throw new UsageError(`truncate(length) needs a whole number, 0 or more; it is ${length}`)
    const head = this.items.slice(0, headOf(this.items).length).slice(0, length)
    const rest = this.items.slice(headOf(this.items).length)
    const tail = rest.slice(Math.max(0, rest.length - (length - head.length)))
    const first = tail.findIndex(({ type }) => type !== 'call' && type !== 'output')
    const kept = first < 0 ? [] : tail.slice(first)
    const calls = new Set(kept.flatMap((item) => (item.type === 'call' ? [item.id] : [])))
    return new Context([...head, ...kept.filter((item) => item.type !== 'output' || calls.has(item.call))])
  }

  get instructions(): string {
    return headOf(this.items).instructions
  }

  get messages(): readonly Message[] {
    return messagesOf(this.items)
  }

  serialise({ times = true }: { readonly times?: boolean } = {}): string {
    const { version, items } = this.toJSON()
    return JSON.stringify({ version, items: times ? items : items.map(({ at: _, ...item }) => item) })
  }

  toJSON(): StoredChatContext {
    return { version: 1, items: this.items }
  }
}
