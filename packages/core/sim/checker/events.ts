import type { AgentState, Command, ConversationEvent, Id, UserState } from '../../src/conversation/protocol.js'
import type { Ledger, StepFact } from './ledger.js'
import { must } from './must.js'

/** What the public is told agrees with what happened: begun once, ended once, in order. */
export class EventCheck {
  readonly #open = new Map<string, 'open' | 'over'>()
  #turn: Id | null = null
  #agent: AgentState = 'initializing'
  #user: UserState = 'listening'
  #named: string | null = null
  #items = new Set<Id>()
  #closed = false

  command(ledger: Ledger, command: Command): void {
    if (command.type !== 'emit') return
    must(!this.#closed, 'the end is the last that the public hears of', command.event.type)
    this.#closed = command.event.type === 'closed'
    this.#told(ledger, command.event)
  }

  after(ledger: Ledger, { before }: StepFact): void {
    if (!ledger.open) return
    must(before === 'new' || this.#named === ledger.top.name, 'the public knows who has the conversation')
    const speaks = [...ledger.live.speeches].some((speech) => speech.sound === 'playing' || speech.sound === 'ducked')
    if (ledger.settings.voice !== 'none')
      must(speaks === (this.#agent === 'speaking'), 'the agent is said to speak when, and only when, it does')
    must(
      ledger.userSpeaks === (this.#user === 'speaking'),
      'the user is said to speak when, and only when, a voice is heard',
    )
    must((this.#turn !== null) === (ledger.state.user.turn !== null), 'the public knows whether the user has a turn')
  }

  atRest(): void {
    this.#ended(['speech'])
  }

  atEnd(): void {
    this.#ended(['speech', 'reply', 'call', 'task'])
    must(this.#turn === null, 'every turn ends')
  }

  #ended(kinds: readonly string[]): void {
    for (const [key, state] of this.#open) {
      if (kinds.some((kind) => key.startsWith(`${kind} `)))
        must(state === 'over', `what starts, ends: ${key.split(' ')[0]}`)
    }
  }

  #told(ledger: Ledger, event: ConversationEvent): void {
    switch (event.type) {
      case 'user-turn-start':
        must(this.#turn === null, 'one turn of the user at a time')
        this.#starts('turn', event.turn)
        this.#turn = event.turn
        return
      case 'user-turn-end':
        must(this.#turn === event.turn, 'a turn ends once')
        this.#turn = null
        return
      case 'reply-start':
        return this.#starts('reply', event.reply)
      case 'reply-end':
        return this.#ends('reply', event.reply)
      case 'speech-start':
        if (ledger.settings.voice !== 'none')
          must(ledger.speeches.get(event.speech)?.played === ledger.now, 'a speech is said to start when it does')
        return this.#starts('speech', event.speech)
      case 'speech-pause':
      case 'speech-resume':
        return must(this.#open.get(`speech ${event.speech}`) === 'open', 'only what has started is paused or resumed')
      case 'speech-end':
        return this.#ends('speech', event.speech)
      case 'call-start':
        return this.#starts('call', event.call)
      case 'call-update':
        return must(this.#open.get(`call ${event.call}`) === 'open', 'only what runs reports progress')
      case 'call-end':
        return this.#ends('call', event.call)
      case 'tools-end':
        return this.#toldTogether(ledger, event.calls)
      case 'task-start':
        return this.#starts('task', event.task)
      case 'task-end':
        return this.#ends('task', event.task)
      default:
        return this.#changed(event)
    }
  }

  /** The calls of one generation have one end. */
  #toldTogether(ledger: Ledger, calls: readonly { readonly call: Id }[]): void {
    const generations = new Set(calls.map(({ call }) => ledger.calls.get(call)?.generation))
    must(generations.size <= 1, 'only calls of one generation are told together')
    for (const generation of generations) {
      must(
        !this.#open.has(`group ${generation}`),
        'the calls of one generation are told together, once',
        `${generation}`,
      )
      this.#open.set(`group ${generation}`, 'over')
    }
  }

  #changed(event: ConversationEvent): void {
    switch (event.type) {
      case 'user-state':
        must(event.from === this.#user && event.to !== this.#user, 'states follow one another')
        this.#user = event.to
        return
      case 'agent-state':
        must(event.from === this.#agent && event.to !== this.#agent, 'states follow one another')
        this.#agent = event.to
        return
      case 'agent-change':
        must(event.from === this.#named, 'agents follow one another')
        this.#named = event.to
        return
      case 'history-item':
        must(!this.#items.has(event.item.id), 'an item is announced once, when it is final')
        this.#items.add(event.item.id)
        return
      default:
        return
    }
  }

  #starts(kind: string, id: Id): void {
    const key = `${kind} ${id}`
    must(!this.#open.has(key), `a ${kind} starts once`)
    this.#open.set(key, 'open')
  }

  #ends(kind: string, id: Id): void {
    const key = `${kind} ${id}`
    must(this.#open.get(key) === 'open', `a ${kind} ends once, and after its start`)
    this.#open.set(key, 'over')
  }
}
