import type { ContextItem, NewItem } from '../api/chat-context.js'
import { type Check, fields, oneOf, someText, texts, yesOrNo } from '../api/check.js'
import { UsageError } from '../api/errors.js'

type Kind = ContextItem['type']

const text: Check = (where, value) => {
  if (typeof value !== 'string') throw new UsageError(`${where} must be a text; it is ${JSON.stringify(value)}`)
}
const time: Check = (where, value) => {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new UsageError(`${where} must be a number of milliseconds; it is ${JSON.stringify(value)}`)
}

/** What each item has; what must be said of it, and what it is otherwise. */
const kinds: { readonly [K in Kind]: Shape<Extract<ContextItem, { type: K }>> } = {
  instructions: { known: { text }, needs: ['text'], usual: {} },
  user: { known: { text }, needs: ['text'], usual: {} },
  assistant: {
    known: { text, agent: text, reply: text, interrupted: yesOrNo, done: yesOrNo },
    needs: ['text'],
    usual: { agent: '', reply: '', interrupted: false, done: true },
  },
  call: {
    known: { frame: text, group: text, name: someText, args: text },
    needs: ['name', 'args'],
    usual: { frame: '' },
  },
  output: {
    known: { call: someText, text, error: yesOrNo, progress: yesOrNo },
    needs: ['call', 'text'],
    usual: { error: false, progress: false },
  },
  agent: {
    known: { agent: someText, cause: oneOf('start', 'handoff', 'task', 'return') },
    needs: ['agent'],
    usual: { cause: 'handoff' },
  },
  overheard: {
    known: { text, reason: oneOf('backchannel', 'cleared') },
    needs: ['text'],
    usual: { reason: 'backchannel' },
  },
  config: {
    known: { agent: text, instructions: text, added: texts, removed: texts },
    needs: [],
    usual: {},
  },
}

interface Shape<Of> {
  readonly known: Readonly<Record<Exclude<keyof Of, 'id' | 'at' | 'type'>, Check>>
  readonly needs: readonly (keyof Of)[]
  readonly usual: Partial<Of>
}

/**
 * The item that `item` describes, with all that was not said of it, as a value that does not change. `freshId`: an id for one
 * that has none.
 *
 * @throws {UsageError} that names the field that cannot be.
 */
export function complete(where: string, item: NewItem, freshId: () => string): ContextItem {
  const { known, needs, usual } = shapeOf(where, item)
  fields({ ...known, id: someText, at: time, type: text })(where, item)
  const given = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))
  for (const field of needs) if (!(field in given)) throw new UsageError(`${where}.${field} is missing`)
  const id = item.id ?? freshId()
  const group = item.type === 'call' && item.group === undefined ? { group: id } : {}
  return frozen({ ...usual, ...group, ...given, id } as ContextItem)
}

function shapeOf(where: string, item: unknown): Shape<Record<string, unknown>> {
  if (typeof item !== 'object' || item === null)
    throw new UsageError(`${where} must be an item: { type: 'user', text }`)
  const { type } = item as { type?: unknown }
  if (typeof type === 'string' && Object.hasOwn(kinds, type))
    return kinds[type as Kind] as Shape<Record<string, unknown>>
  throw new UsageError(`${where}.type must be one of ${Object.keys(kinds).join(', ')}; it is ${JSON.stringify(type)}`)
}

function frozen(item: ContextItem): ContextItem {
  if (item.type !== 'config') return Object.freeze(item)
  const { added, removed } = item
  const lists = {
    ...(added && { added: Object.freeze([...added]) }),
    ...(removed && { removed: Object.freeze([...removed]) }),
  }
  return Object.freeze({ ...item, ...lists })
}

/**
 * Whether both are the same thing that happened: ids are unique within a session only. A time that nobody knows speaks
 * neither for nor against it.
 */
export const isSame = (
  a: Pick<ContextItem, 'id' | 'type' | 'at'>,
  b: Pick<ContextItem, 'id' | 'type' | 'at'>,
): boolean => a.id === b.id && a.type === b.type && (a.at === undefined || b.at === undefined || a.at === b.at)
