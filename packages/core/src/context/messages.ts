import type { ContextItem } from '../api/chat-context.js'
import type { Message } from '../conversation/history.js'

type Call = Extract<ContextItem, { type: 'call' }>
type Output = Extract<ContextItem, { type: 'output' }>

/** The instructions at the head of a context, and how many items they are. */
export function headOf(items: readonly ContextItem[]): { readonly instructions: string; readonly length: number } {
  const behind = items.findIndex(({ type }) => type !== 'instructions')
  const head = behind < 0 ? items : items.slice(0, behind)
  const texts = head.flatMap((item) => (item.type === 'instructions' && item.text.trim() !== '' ? [item.text] : []))
  return { instructions: texts.join('\n\n'), length: head.length }
}

/** What a model is shown of a context: as a session shows its history, but of what was never answered nothing. */
export function messagesOf(items: readonly ContextItem[]): Message[] {
  const groups = new Groups(items)
  return items.slice(headOf(items).length).flatMap((item) => {
    switch (item.type) {
      case 'instructions':
        return said(item.text, (text) => ({ role: 'user', text: `<instructions>\n${text}\n</instructions>` }))
      case 'user':
        return said(item.text, (text) => ({ role: 'user', text }))
      case 'assistant':
        return said(item.text, (text) => ({ role: 'assistant', text, interrupted: item.interrupted }))
      case 'output':
        return groups.answer(item)
      default:
        return []
    }
  })
}

/** No empty message is shown to a model. */
const said = (text: string, message: (text: string) => Message): Message[] =>
  text.trim() === '' ? [] : [message(text.trim())]

interface Group {
  readonly calls: Call[]
  /** The first output of each. */
  readonly outputs: Map<string, Output>
}

/** The calls that were answered. Those of one group are shown together, where the last of them was. */
class Groups {
  readonly #calls = new Map<string, Call>()
  readonly #groups = new Map<string, Group>()
  readonly #news = new Map<string, number>()

  constructor(items: readonly ContextItem[]) {
    const answered = new Set(items.flatMap((item) => (item.type === 'output' ? [item.call] : [])))
    for (const item of items) {
      if (item.type !== 'call' || !answered.has(item.id)) continue
      this.#calls.set(item.id, item)
      const group: Group = this.#groups.get(item.group) ?? { calls: [], outputs: new Map() }
      group.calls.push(item)
      this.#groups.set(item.group, group)
    }
  }

  /** What is to be shown when an output comes. */
  answer(output: Output): Message[] {
    const call = this.#calls.get(output.call)
    const group = call && this.#groups.get(call.group)
    if (!call || !group) return []
    const news = (this.#news.get(call.id) ?? 0) + 1
    this.#news.set(call.id, news)
    // news of a call that was shown as answered is shown as a call of its own
    if (news > 1) return pair({ ...call, id: `${call.id}_${news}` }, output)
    group.outputs.set(call.id, output)
    if (group.outputs.size < group.calls.length) return []
    return group.calls.flatMap((each) => pair(each, group.outputs.get(each.id) ?? output))
  }
}

function pair({ id, group, name, args }: Call, { text, error }: Output): Message[] {
  return [
    { role: 'call', call: id, group, name, args },
    { role: 'output', call: id, name, text, error, running: false },
  ]
}
