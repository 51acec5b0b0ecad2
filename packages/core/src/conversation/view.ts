import type { CallItem, Id, Item, Message, OutputItem } from './history.js'
import type { Frame, State } from './state.js'

/**
 * What the model of the agent in `frame` is shown: everything that was heard, of an interrupted answer only what was heard,
 * and of what is about to sound all of it. Each call stands beside exactly one output: where the last output of its group
 * came, or, while one of the group runs, where it was made. `guess`: words of the user's that are not history yet.
 */
export function viewOf(state: State, frame: Frame, guess: string | null): Message[] {
  const lanes = lanesOf(state, frame)
  const past = settledPart(state, lanes)
  const view = new View(state, lanes, past.answered)
  for (let i = past.length; i < state.history.length; i++) view.add(state.history[i] as Item, i)
  for (const speech of state.speeches) {
    if (speech.item === null && speech.sound !== 'clearing') view.say(speech.text, false)
    for (const item of speech.behind) view.add(item, -1)
  }
  for (const generation of state.generations) for (const item of generation.behind) view.add(item, -1)
  if (guess !== null) view.hear(guess)
  return past.messages.concat(view.finish())
}

/** The frames whose calls an agent sees: its own, and what has ended in those below it. */
interface Lanes {
  readonly own: Id
  readonly all: readonly Id[]
}

function lanesOf(state: State, frame: Frame): Lanes {
  const below = state.frames.map((each) => each.id).filter((id) => id !== frame.id)
  return { own: frame.id, all: [...below, frame.id] }
}

// ── the part that does not change any more ─────────────────────────────────────────────────────

interface Past {
  /** Items of the history that are in it. */
  length: number
  readonly messages: Message[]
  /** Calls in it, for news of them that may still come. */
  readonly answered: Map<Id, Answered>
}
interface Answered {
  readonly call: CallItem
  news: number
}

/** Follows from the state and can always be made anew; kept so that a view costs no more late in a conversation than early. */
const pasts = new WeakMap<State, Map<string, Past>>()

function settledPart(state: State, lanes: Lanes): Past {
  const known = pasts.get(state) ?? new Map<string, Past>()
  pasts.set(state, known)
  for (const key of known.keys()) {
    const own = key.split(' ').pop()
    if (own !== lanes.own && !state.frames.some((frame) => frame.id === own)) known.delete(key)
  }
  const key = lanes.all.join(' ')
  const past = known.get(key) ?? { length: 0, messages: [], answered: new Map() }
  known.set(key, past)
  settle(state, lanes, past)
  return past
}

/** Takes in as much of the history as is final and leaves no group of calls half answered. */
function settle(state: State, lanes: Lanes, past: Past): void {
  let view = new View(state, lanes, past.answered)
  for (let i = past.length; i < state.history.length; i++) {
    const item = state.history[i] as Item
    if (!isFinal(state, item)) return
    view.add(item, i)
    if (!view.whole) continue
    past.messages.push(...view.finish())
    for (const [id, answered] of view.answered) past.answered.set(id, answered)
    past.length = i + 1
    view = new View(state, lanes, past.answered)
  }
}

function isFinal(state: State, item: Item): boolean {
  if (item.type === 'assistant') return item.done
  if (item.type !== 'call') return true
  const going = state.calls.some((call) => call.group === item.group && !call.released)
  return !going && !state.generations.some((generation) => generation.id === item.group)
}

// ── from items to messages ─────────────────────────────────────────────────────────────────────

interface ShownGroup {
  readonly calls: CallItem[]
  readonly outputs: Map<Id, OutputItem>
  /** Where among the messages it stands. */
  readonly slot: Message[]
}

class View {
  /** Calls that have their output. */
  readonly answered = new Map<Id, Answered>()
  readonly #state: State
  readonly #lanes: Lanes
  readonly #before: ReadonlyMap<Id, Answered>
  /** Each slot is a place in the order; groups fill theirs when all is known. */
  #slots: Message[][] = []
  readonly #groups = new Map<Id, ShownGroup>()

  constructor(state: State, lanes: Lanes, before: ReadonlyMap<Id, Answered>) {
    this.#state = state
    this.#lanes = lanes
    this.#before = before
  }

  /** Every group that it shows is answered. */
  get whole(): boolean {
    for (const { calls, outputs } of this.#groups.values()) if (outputs.size < calls.length) return false
    return true
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
    if (!this.#lanes.all.includes(item.frame)) return
    const group: ShownGroup = this.#groups.get(item.group) ?? { calls: [], outputs: new Map(), slot: [] }
    if (group.calls.length === 0) this.#slots.push(group.slot)
    group.calls.push(item)
    this.#groups.set(item.group, group)
  }

  #output(item: OutputItem): void {
    const answered = this.answered.get(item.call) ?? this.#before.get(item.call)
    if (answered) return this.#later(answered, item)
    const group = [...this.#groups.values()].find(({ calls }) => calls.some((call) => call.id === item.call))
    const call = group?.calls.find((each) => each.id === item.call)
    if (!group || !call) return
    group.outputs.set(item.call, item)
    this.answered.set(call.id, { call, news: 1 })
    if (group.outputs.size < group.calls.length) return
    this.#slots = this.#slots.filter((slot) => slot !== group.slot)
    this.#slots.push(group.slot)
  }

  /** News of a call that was answered before: shown as a call of its own. */
  #later({ call, news }: Answered, item: OutputItem): void {
    this.answered.set(call.id, { call, news: news + 1 })
    this.#slots.push(pair({ ...call, id: `${call.id}_${news + 1}` }, item))
  }

  finish(): Message[] {
    for (const { calls, outputs, slot } of this.#groups.values()) {
      // what still goes on in a frame below is not this agent's business
      if (outputs.size < calls.length && calls.some((call) => call.frame !== this.#lanes.own)) continue
      for (const call of calls) slot.push(...pair(call, outputs.get(call.id)))
    }
    return this.#slots.flat()
  }
}

function pair(call: CallItem, output: OutputItem | undefined): Message[] {
  const { id, group, name, args } = call
  const said = output ?? { text: 'Still running.', error: false }
  return [
    { role: 'call', call: id, group, name, args },
    { role: 'output', call: id, name, text: said.text, error: said.error, running: output === undefined },
  ]
}
