import type { Item } from './history.js'
import type { Command, ConversationEvent, Id } from './protocol.js'
import type { Endpointing, Interruption } from './settings.js'
import type { Frame, State } from './state.js'
import type { Call, Generation, Reply, Speech } from './work.js'

/** The handling of one input: the state, what to do about it, and a few ways to look at it. */
export class Step {
  readonly state: State
  readonly commands: Command[] = []

  constructor(state: State) {
    this.state = state
  }

  do(command: Command): void {
    this.commands.push(command)
  }

  emit(event: ConversationEvent): void {
    this.commands.push({ type: 'emit', event })
  }

  id(kind: string): Id {
    return `${kind}${this.state.nextId++}`
  }

  /** Adds an item to the history. */
  note(item: Item): void {
    const last = this.state.history[this.state.history.length - 1]
    this.state.history.push(last && item.at < last.at ? { ...item, at: last.at } : item)
    if (item.type === 'user' || item.type === 'agent') this.state.version += 1
  }

  get now(): number {
    return this.state.now
  }

  /** Whoever has the conversation. */
  get top(): Frame {
    // biome-ignore lint/style/noNonNullAssertion: the root frame is never left
    return this.state.frames[this.state.frames.length - 1]!
  }

  get interruption(): Interruption {
    const own = this.top.agent.turnHandling?.interruption
    const { interruption } = this.state.settings.turnHandling
    return own ? { ...interruption, ...own } : interruption
  }

  get endpointing(): Endpointing {
    const own = this.top.agent.turnHandling?.endpointing
    const { endpointing } = this.state.settings.turnHandling
    return own ? { ...endpointing, ...own } : endpointing
  }

  frame(id: Id): Frame | undefined {
    return this.state.frames.find((frame) => frame.id === id)
  }

  reply(id: Id): Reply | undefined {
    return this.state.replies.find((reply) => reply.id === id)
  }

  generation(id: Id): Generation | undefined {
    return this.state.generations.find((generation) => generation.id === id)
  }

  speech(id: Id): Speech | undefined {
    return this.state.speeches.find((speech) => speech.id === id)
  }

  call(id: Id): Call | undefined {
    return this.state.calls.find((call) => call.id === id)
  }

  /** The speech that sounds, or has not yet fallen silent. */
  get audible(): Speech | undefined {
    const first = this.state.speeches[0]
    return first && first.sound !== 'queued' ? first : undefined
  }

  get clearing(): boolean {
    return this.audible?.sound === 'clearing'
  }

  /** A model is at work on something that is meant to be heard. */
  get generating(): boolean {
    return this.state.generations.some((generation) => generation.guess === null && !generation.ended)
  }

  /** The user has said something that is not answered for yet, and will be. */
  get unsettled(): boolean {
    const { user, committed, settings } = this.state
    const pending = user.turn?.lastWords != null && (settings.turns === 'voice' || user.turn.commit !== null)
    return pending || committed.length > 0
  }

  /** A call whose task is over is given a moment to end: what it returns is better told than that it runs. */
  get backAt(): number {
    const { top } = this
    const back = this.state.calls.filter((call) => call.frame === top.id && call.status === 'running')
    return Math.max(0, ...back.map((call) => (call.backAt === null ? 0 : call.backAt + 1)))
  }

  get open(): boolean {
    return this.state.phase === 'open' || this.state.phase === 'draining'
  }
}
