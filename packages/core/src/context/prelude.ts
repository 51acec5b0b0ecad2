import type { ChatContext } from '../api/chat-context.js'
import type { Item, Message } from '../conversation/history.js'
import { isSame } from './items.js'
import { headOf, messagesOf } from './messages.js'

/** What an agent was given to start from, as its model is shown it before the conversation. */
export interface Prelude {
  readonly instructions: string
  readonly messages: readonly Message[]
}

/**
 * `history`: that of the session. What stands in it is shown as part of it, and not twice. Calls are named anew, since those
 * of another session may be called like those that are still to come.
 */
export function preludeOf(context: ChatContext, history: readonly Item[]): Prelude {
  const known = new Map(history.map((item) => [item.id, item]))
  const items = context.items.filter((item) => {
    const namesake = known.get(item.id)
    return !(namesake && isSame(namesake, item))
  })
  const { instructions } = headOf(items)
  const messages = messagesOf(items)
  const names = new Map<string, string>()
  const nameOf = (id: string): string => {
    const name = names.get(id) ?? `past-${names.size + 1}`
    names.set(id, name)
    return name
  }
  return {
    instructions,
    messages: messages.map((message) => {
      if (message.role === 'call')
        return { ...message, call: nameOf(message.call), group: nameOf(`group ${message.group}`) }
      return message.role === 'output' ? { ...message, call: nameOf(message.call) } : message
    }),
  }
}
