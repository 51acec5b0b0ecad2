import type { CallItem, Item, Message, OutputItem } from './history.js'
import type { Id } from './protocol.js'
import type { Frame, State } from './state.js'

/**
 * What the model of the agent in `frame` is shown: everything that was heard, of an interrupted answer only what was heard,
 * and of what is about to sound all of it. Each call stands beside exactly one output: where the last output of its group
 * came, or, while one of the group runs, where it was made. `guess`: words of the user's that are not history yet.
 */
export function viewOf(state: State, frame: Frame, guess: string | null): Message[] {
  const view = new View(state, frame)
  state.history.forEach((item, index) => view.add(item, index))
  for (const speech of state.speeches) {
    if (speech.item === null) view.say(speech.text, false)
    for (const item of speech.behind) view.add(item, -1)
  }
  for (const generation of state.generations) for (const item of generation.behind) view.add(item, -1)
  if (guess !== null) view.hear(guess)
  return view.finish()
}

interface ShownGroup {
  readonly calls: CallItem[]
  readonly outputs: Map<Id, OutputItem>
  /** Where among the messages it stands. */
  readonly slot: Message[]
}

class View {
  readonly #state: State
  /** Each slot is a place in the order; groups fill theirs when all is known. */
  #slots: Message[][] = []
  readonly #groups = new Map<Id, ShownGroup>()
  readonly #groupOf = new Map<Id, Id>()
  readonly #news = new Map<Id, number>()
  readonly #lanes: Map<Id, boolean>

  constructor(state: State, frame: Frame) {
    this.#state = state
    // an agent knows what was done by those below it, and does itself what its own frame does
    const below = state.frames.filter((each) => each.id !== frame.id)
    this.#lanes = new Map([...below.map((each) => [each.id, false] as const), [frame.id, true]])
  }

  add(item: Item, index: number): void {
    switch (item.type) {
      case 'user':
        return this.hear(item.text)
      case 'assistant': {
        const live = item.done ? undefined : this.#state.speeches.find((speech) => speech.item === index)
        return live && live.sound !== 'clearing' ? this.say(live.text, false) : this.say(item.text, item.interrupted)
      }
      case 'call':
        return this.#call(item)
      case 'output':
        return this.#output(item)
      case 'agent':
      case 'overheard':
    }
  }

  hear(text: string): void {
    this.#slots.push([{ role: 'user', text }])
  }

  say(text: string, interrupted: boolean): void {
    if (text.trim() !== '') this.#slots.push([{ role: 'assistant', text: text.trim(), interrupted }])
  }

  #call(item: CallItem): void {
    if (!this.#lanes.has(item.frame)) return
    const group: ShownGroup = this.#groups.get(item.group) ?? { calls: [], outputs: new Map(), slot: [] }
    if (group.calls.length === 0) this.#slots.push(group.slot)
    group.calls.push(item)
    this.#groups.set(item.group, group)
    this.#groupOf.set(item.id, item.group)
  }

  #output(item: OutputItem): void {
    const id = this.#groupOf.get(item.call)
    const group = id === undefined ? undefined : this.#groups.get(id)
    const call = group?.calls.find((each) => each.id === item.call)
    if (!group || !call) return
    if (group.outputs.has(item.call)) return this.#later(call, item)
    group.outputs.set(item.call, item)
    if (group.outputs.size < group.calls.length) return
    this.#slots = this.#slots.filter((slot) => slot !== group.slot)
    this.#slots.push(group.slot)
  }

  /** News of a call that was answered before: shown as a call of its own. */
  #later(call: CallItem, item: OutputItem): void {
    const nth = (this.#news.get(call.id) ?? 1) + 1
    this.#news.set(call.id, nth)
    this.#slots.push(pair({ ...call, id: `${call.id}_${nth}` }, item))
  }

  finish(): Message[] {
    for (const { calls, outputs, slot } of this.#groups.values()) {
      const own = calls.every((call) => this.#lanes.get(call.frame))
      if (outputs.size < calls.length && !own) continue // what goes on below is not this agent's business
      for (const call of calls) slot.push(...pair(call, outputs.get(call.id)))
    }
    return this.#slots.flat()
  }
}

function pair(call: CallItem, output: OutputItem | undefined): Message[] {
  const { id, group, name, args } = call
  return [
    { role: 'call', call: id, group, name, args },
    { role: 'output', call: id, name, text: output ? output.text : 'Still running.', error: output?.error ?? false },
  ]
}
