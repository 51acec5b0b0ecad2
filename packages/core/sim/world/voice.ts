import type { Id } from '../../src/conversation/protocol.js'
import type { Line } from './line.js'
import type { Model } from './model.js'
import type { Pending } from './queue.js'
import type { Ordered, Stage } from './stage.js'

interface Voiced {
  readonly speech: Id
  /** The model whose own voice it is; null: it says the text that it is fed with. */
  readonly model: Id | null
  readonly pace: number
  text: string
  /** How far the text can be said: to the end of a word that is complete. */
  ready: number
  textEnded: boolean
  said: number
  duration: number
  begun: boolean
  coming: Pending | null
  over: boolean
  /** When the last of its marks that are late is told: marks come in order. */
  told: number
}

/** Makes the sound of each speech, word by word and faster than it is played. */
export class Voice {
  readonly #stage: Stage
  readonly #line: Line
  readonly #model: Model
  readonly #voiced = new Map<Id, Voiced>()

  constructor(stage: Stage, line: Line, model: Model) {
    this.#stage = stage
    this.#line = line
    this.#model = model
    model.onText = (generation) => this.#follow(generation)
  }

  perform(command: Ordered<'speak' | 'speak-text' | 'speak-flush' | 'speak-end'>): void {
    if (command.type === 'speak') return this.#open(command.speech, command.generation)
    const voiced = this.#voiced.get(command.speech)
    if (voiced === undefined || voiced.model !== null) return
    if (command.type === 'speak-text') voiced.text += command.text
    else if (command.type === 'speak-end') voiced.textEnded = true
    const whole = command.type !== 'speak-text'
    voiced.ready = whole ? voiced.text.length : Math.max(voiced.ready, voiced.text.lastIndexOf(' '))
    this.#goOn(voiced)
  }

  /** The speech is not wanted any more. What is on its way may still come. */
  stop(speech: Id): void {
    const voiced = this.#voiced.get(speech)
    if (voiced === undefined || voiced.over) return
    if (voiced.coming !== null && this.#stage.fails('voiceLate')) voiced.textEnded = true
    else voiced.over = true
  }

  #open(speech: Id, generation: Id | null): void {
    const { random, settings } = this.#stage
    const model = settings.voice === 'model' ? generation : null
    const pace = random.pick([20, 60, 100])
    const empty = { text: '', ready: 0, textEnded: false, said: 0, duration: 0, begun: false, coming: null, told: -1 }
    this.#voiced.set(speech, { speech, model, pace, ...empty, over: this.#stage.fails('voiceMute') })
    if (model !== null) this.#follow(model)
  }

  #follow(generation: Id): void {
    for (const voiced of this.#voiced.values()) {
      if (voiced.model !== generation) continue
      voiced.text = this.#model.texts.get(generation) ?? ''
      voiced.textEnded = this.#model.ended.has(generation)
      voiced.ready = voiced.textEnded ? voiced.text.length : voiced.text.lastIndexOf(' ')
      this.#goOn(voiced)
    }
  }

  #goOn(voiced: Voiced): void {
    if (voiced.over || voiced.coming !== null) return
    const done = voiced.said >= voiced.ready
    if (done && !(voiced.textEnded && voiced.said >= voiced.text.length)) return
    if (this.#stage.fails('voiceStall')) {
      voiced.over = true
      return
    }
    const { random } = this.#stage
    const delay = this.#stage.fails('voiceSlow') ? random.int(300, 3_000) : random.int(0, 200)
    voiced.coming = this.#stage.after(delay, () => {
      voiced.coming = null
      if (voiced.over) return
      if (this.#stage.fails('voiceError')) this.#fail(voiced)
      else if (done) this.#end(voiced)
      else this.#say(voiced)
      this.#goOn(voiced)
    })
  }

  #say(voiced: Voiced): void {
    const { speech } = voiced
    const { random } = this.#stage
    if (!voiced.begun) {
      voiced.begun = true
      this.#stage.send({ type: 'voice-start', speech })
    }
    const { ready } = voiced
    while (voiced.said < ready) {
      const space = voiced.text.indexOf(' ', voiced.said)
      const next = space < 0 || space >= ready ? ready : space + 1
      voiced.duration += (next - voiced.said) * voiced.pace
      voiced.said = next
      this.#line.longer(speech, voiced.duration)
      if (random.chance(0.9) || next === voiced.text.length) this.#mark(voiced, next)
    }
  }

  /** The word ends before the space that follows it. */
  #mark(voiced: Voiced, end: number): void {
    const { speech, duration, text } = voiced
    const chars = text.slice(0, end).trimEnd().length
    if (chars === 0) return
    this.#line.mark(speech, duration)
    const tell = () => this.#stage.send({ type: 'voice-mark', speech, chars, at: duration })
    const late = this.#stage.fails('marksLate') ? this.#stage.random.int(1, 1_500) : 0
    const { now } = this.#stage
    const when = Math.max(voiced.told + 1, now + late)
    if (when <= now) return tell()
    voiced.told = when
    this.#stage.after(when - now, tell)
  }

  #end(voiced: Voiced): void {
    voiced.over = true
    const { speech, duration } = voiced
    this.#line.whole(speech)
    this.#stage.send({ type: 'voice-end', speech, duration })
  }

  #fail(voiced: Voiced): void {
    voiced.over = true
    const { speech, duration } = voiced
    const error = { blame: 'provider', message: 'the voice failed', retryable: false } as const
    this.#line.whole(speech)
    this.#stage.send({ type: 'voice-end', speech, duration, error })
  }
}
