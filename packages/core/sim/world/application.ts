import type { CloseReason, ConversationEvent, Id } from '../../src/conversation/protocol.js'
import type { Model } from './model.js'
import type { Stage } from './stage.js'
import type { Tools } from './tools.js'

/** The program around the conversation, which may ask for anything at any moment. */
export class Application {
  readonly #stage: Stage
  readonly #model: Model
  readonly #tools: Tools
  readonly #replies = new Set<Id>()

  constructor(stage: Stage, model: Model, tools: Tools) {
    this.#stage = stage
    this.#model = model
    this.#tools = tools
    tools.onSay = () => (stage.random.chance(0.6) ? this.say() : this.reply())
  }

  act(): void {
    const { random } = this.#stage
    const acts = [
      ...[() => this.say(), () => this.say(), () => this.say(), () => this.reply(), () => this.reply()],
      ...[() => this.#interrupt(), () => this.#interrupt(), () => this.#protect(), () => this.#protect()],
      () => this.#stage.send({ type: 'agent-update', agent: this.#stage.newAgent() }),
      () => this.#cancelCall(),
      () => this.#cancelTask(),
      () => this.#claim(),
      () => this.#stage.send({ type: 'turn-clear' }),
    ]
    random.pick(acts)()
  }

  say(): void {
    const { random } = this.#stage
    const reply = this.#stage.id('say')
    const streamed = random.chance(0.2)
    const words = Array.from({ length: random.int(1, 6) }, () => this.#stage.id('w')).join(' ')
    this.#replies.add(reply)
    this.#stage.send({
      type: 'say',
      reply,
      text: streamed ? null : random.chance(0.05) ? '' : words,
      interruptible: random.chance(0.7),
      priority: random.pick(['low', 'normal', 'normal', 'normal', 'high']),
      record: random.chance(0.9),
    })
    if (streamed) this.#model.stream(reply)
  }

  reply(): void {
    const { random } = this.#stage
    const reply = this.#stage.id('ask')
    this.#replies.add(reply)
    this.#stage.send({
      type: 'reply',
      reply,
      instructions: random.chance(0.5) ? 'be kind' : null,
      userInput: random.chance(0.2) ? `${this.#stage.id('said')}z` : null,
      tools: random.pick(['auto', 'auto', 'none', 'required']),
      interruptible: random.chance(0.8),
      priority: random.pick(['low', 'normal', 'normal', 'high']),
    })
  }

  /** Ends the conversation, one way or the other. */
  end(): void {
    const { random } = this.#stage
    const reasons: readonly CloseReason[] = ['application', 'caller-left', 'job-end']
    const reason = random.pick(reasons)
    if (random.chance(0.4)) return this.#stage.send({ type: 'drain', reason })
    const error = { blame: 'bug', message: 'the program is broken', retryable: false } as const
    this.#stage.send(random.chance(0.2) ? { type: 'close', reason: 'error', error } : { type: 'close', reason })
  }

  /** A service that nobody has asked for anything just then breaks. */
  suffer(): void {
    const source = this.#stage.random.pick(['stt', 'vad', 'line', 'realtime'] as const)
    const error = { blame: 'provider', message: 'the service failed', retryable: true } as const
    this.#stage.send({ type: 'provider-error', source, error })
  }

  /** A program knows the replies that it asked for and those that it is told of. */
  notice(event: ConversationEvent): void {
    if (event.type === 'reply-start') this.#replies.add(event.reply)
  }

  #interrupt(): void {
    const { random } = this.#stage
    const reply = random.chance(0.4) ? this.#anyReply() : null
    this.#stage.send({ type: 'interrupt', reply, force: random.chance(0.3) })
  }

  #protect(): void {
    const reply = this.#anyReply()
    if (reply === null) return
    this.#stage.send({ type: 'reply-protect', reply, interruptible: this.#stage.random.chance(0.4) })
  }

  /** Takes the floor for the user, for a while. */
  #claim(): void {
    this.#stage.send({ type: 'user-claim', on: true })
    this.#stage.after(this.#stage.random.int(0, 4_000), () => this.#stage.send({ type: 'user-claim', on: false }))
  }

  #anyReply(): Id | null {
    const latest = [...this.#replies].slice(-4)
    return latest.length === 0 ? null : this.#stage.random.pick(latest)
  }

  #cancelCall(): void {
    const { running } = this.#tools
    if (running.length === 0) return
    this.#stage.send({ type: 'call-cancel', call: this.#stage.random.pick(running), reason: 'not wanted any more' })
  }

  #cancelTask(): void {
    const { asked } = this.#tools
    if (asked.length === 0) return
    this.#stage.send({ type: 'task-cancel', task: this.#stage.random.pick(asked), reason: 'not wanted any more' })
  }
}
