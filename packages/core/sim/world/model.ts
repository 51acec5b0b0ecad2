import type { Id, ToolTraits } from '../../src/conversation/protocol.js'
import type { Pending } from './queue.js'
import type { Ordered, Stage } from './stage.js'

const tools = [
  ...['quick', 'quick', 'slow', 'fail', 'hang', 'handoff', 'silent', 'update', 'cancel', 'speak'],
  ...['ask', 'ask', 'ask', 'askTwice', 'askTogether', 'desert', 'finish', 'fail task'],
]

/** A language model, or a speech-to-speech model that also answers of its own accord. */
export class Model {
  readonly #stage: Stage
  readonly #coming = new Map<Id, Pending[]>()
  /** What a speech-to-speech model has said so far: its own voice follows it. */
  readonly texts = new Map<Id, string>()
  readonly ended = new Set<Id>()
  onText: ((generation: Id) => void) | null = null

  constructor(stage: Stage) {
    this.#stage = stage
  }

  perform(command: Ordered<'generate' | 'generate-cancel'>, inTask: boolean): void {
    if (command.type === 'generate') return this.#answer(command.generation, command.tools, inTask)
    for (const pending of this.#coming.get(command.generation) ?? []) {
      const tooLateToStop = pending.at < this.#stage.now + 80 && this.#stage.fails('modelLate')
      if (!tooLateToStop) pending.run = null
    }
  }

  /** Nobody asked, but it answers. */
  startItself(inTask: boolean): void {
    const generation = this.#stage.id('m')
    this.#stage.send({ type: 'model-start', generation })
    this.#answer(generation, 'auto', inTask)
  }

  /** Streams the words of a `say`, whose generation has the id of the reply. */
  stream(reply: Id): void {
    this.#answer(reply, 'none', false)
  }

  #answer(generation: Id, choice: 'auto' | 'none' | 'required', inTask: boolean): void {
    const { random } = this.#stage
    const coming: Pending[] = []
    this.#coming.set(generation, coming)
    this.texts.set(generation, '')
    let at = this.#stage.fails('modelSlow') ? random.int(500, 6_000) : random.int(5, 400)
    const part = (run: () => void) => {
      coming.push(this.#stage.after(at, run))
      at += random.pick([0, 0, 20, 150])
    }
    const parts = this.#parts(generation, choice, inTask)
    const cut = this.#stage.fails('modelStall') ? random.int(0, parts.length) : null
    if (cut !== null) parts.length = cut
    for (const each of parts) part(each)
    if (cut !== null) return
    const error = this.#stage.fails('modelError')
      ? ({ blame: 'provider', message: 'the model failed', retryable: random.chance(0.5) } as const)
      : undefined
    part(() => {
      this.ended.add(generation)
      this.#stage.send({ type: 'model-end', generation, ...(error && { error }) })
      this.onText?.(generation)
    })
  }

  #parts(generation: Id, choice: 'auto' | 'none' | 'required', inTask: boolean): (() => void)[] {
    const { random } = this.#stage
    if (this.#stage.fails('modelEmpty')) return []
    const parts: (() => void)[] = []
    for (let count = random.pick([0, 1, 2, 5]); count > 0; count--) parts.push(() => this.#says(generation))
    const ownVoice = this.#stage.settings.voice === 'model'
    if (!ownVoice && random.chance(0.2)) parts.push(() => this.#stage.send({ type: 'model-flush', generation }))
    const calls = choice === 'required' ? random.int(1, 2) : random.pick([0, 0, 1, 1, 2, 3])
    if (choice === 'none' && random.chance(0.9)) return parts
    for (let count = calls; count > 0; count--) {
      const place = random.chance(0.7) ? parts.length : random.int(0, parts.length)
      parts.splice(place, 0, () => this.#calls(generation, inTask))
    }
    return parts
  }

  #says(generation: Id): void {
    const { random } = this.#stage
    const words = Array.from({ length: random.int(1, 4) }, () => this.#stage.id('w'))
    const blank = this.#stage.settings.voice !== 'model' && random.chance(0.05)
    const text = blank ? ' ' : `${words.join(' ')}${random.pick([' ', ' ', '. ', ''])}`
    this.texts.set(generation, (this.texts.get(generation) ?? '') + text)
    this.#stage.send({ type: 'model-text', generation, text })
    this.onText?.(generation)
  }

  #calls(generation: Id, inTask: boolean): void {
    const { random } = this.#stage
    const name = inTask && random.chance(0.4) ? 'finish' : random.pick(tools)
    const call = this.#stage.id('c')
    this.#stage.send({ type: 'model-call', generation, call, name, args: '{}', traits: this.#traits(name) })
  }

  #traits(name: string): ToolTraits {
    const { random } = this.#stage
    return {
      key: random.chance(0.5) ? name : `${name} ${random.int(1, 3)}`,
      duplicates: name === 'finish' ? 'allow' : random.pick(['join', 'join', 'allow', 'reject', 'replace']),
      onInterrupt: random.pick(['continue', 'continue', 'cancel']),
      announce: random.pick(['unless-interrupted', 'unless-interrupted', 'always', 'never']),
      cancellable: random.chance(0.4),
      effect: random.pick(['pure', 'repeatable', 'repeatable', 'irreversible']),
      timeout: random.pick([600, 5_000, 60_000]),
    }
  }
}
