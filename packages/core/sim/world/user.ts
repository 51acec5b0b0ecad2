import type { Pending } from './queue.js'
import type { Ordered, Stage } from './stage.js'

interface Segment {
  readonly from: number
  readonly to: number
}

/** Somebody on the other end, heard through a voice detector and a recogniser; or typing; or pressing a button. */
export class User {
  readonly #stage: Stage
  /** Whoever decides that a turn is over brings its words along; then no recogniser does. */
  readonly #wordsAtCommit: boolean
  #last = ''
  /** What the recogniser still has to say. */
  #coming: { pending: Pending; text: string; before: readonly Pending[] }[] = []
  /** A model that takes turns has decided that the user's is over. */
  onTurn: (() => void) | null = null

  constructor(stage: Stage) {
    this.#stage = stage
    this.#wordsAtCommit = stage.settings.turns === 'model' && stage.random.chance(0.5)
  }

  /** Says something, or makes a noise, from now on. Returns how long it takes until the detector has reported its end. */
  utter(): number {
    const { random, settings } = this.#stage
    const lag = random.pick([20, 50, 150])
    const silence = random.pick([0, 100, 300, 500])
    const segments = this.#segments(lag, silence)
    const end = segments.at(-1)!.to
    if (settings.turns === 'manual' && random.chance(0.3)) this.#in(0, () => this.#stage.send({ type: 'turn-clear' }))
    for (const segment of segments) this.#sound(segment, lag, silence)
    if (random.chance(0.15)) this.#judge(segments)
    const words = settings.transcribes && !this.#stage.fails('noise')
    if (words && !this.#wordsAtCommit) for (const segment of segments) this.#transcribe(segment)
    if (settings.turns === 'voice' && random.chance(0.03)) {
      this.#in(end + random.int(0, 900), () => this.#stage.send({ type: 'turn-clear' }))
    }
    if (settings.turns !== 'voice' || random.chance(0.03)) this.#commit(end, words && this.#wordsAtCommit)
    return end + silence
  }

  type(): void {
    const { random } = this.#stage
    const text = random.chance(0.1) ? '' : this.#words(random.int(1, 4))
    this.#stage.send({ type: 'user-text', text, interrupt: random.chance(0.7) })
  }

  /** What no detector in its right mind would say. */
  babble(): void {
    const { random, now } = this.#stage
    const kinds = [
      () => this.#stage.send({ type: 'user-speech-end', silence: 0 }),
      () => this.#stage.send({ type: 'user-speech-start', at: now }),
      () => this.#stage.send({ type: 'user-speech-progress', voiced: 700 }),
      () => this.#stage.send({ type: 'turn-prediction', prediction: 'nobody asked', probability: 1 }),
      () => this.#stage.send({ type: 'user-overlap', verdict: random.pick(['backchannel', 'interruption']) }),
      () => this.#stage.send({ type: 'user-transcript', text: '', final: random.chance(0.5) }),
    ]
    random.pick(kinds)()
    // whatever was said, the user is silent in the end
    this.#in(random.int(100, 1_500), () => this.#stage.send({ type: 'user-speech-end', silence: 100 }))
  }

  perform(command: Ordered<'predict-turn-end' | 'flush-transcript'>): void {
    const { random } = this.#stage
    if (command.type === 'flush-transcript') return this.#flush()
    if (this.#stage.fails('predictionNever')) return
    const probability = random.chance(0.15) ? null : random.next()
    const delay = this.#stage.fails('predictionLate') ? random.int(300, 4_000) : random.int(0, 150)
    this.#in(delay, () => {
      this.#stage.send({ type: 'turn-prediction', prediction: command.prediction, probability })
    })
  }

  #segments(lag: number, silence: number): Segment[] {
    const { random } = this.#stage
    const segments: Segment[] = []
    let from = 0
    for (let count = random.pick([1, 1, 1, 2, 3]); count > 0; count--) {
      const to = from + lag + random.pick([1, 60, 400, 900, 2_500]) + random.int(0, 100)
      segments.push({ from, to })
      from = to + silence + lag + random.int(1, 900)
    }
    return segments
  }

  #sound({ from, to }: Segment, lag: number, silence: number): void {
    const { random } = this.#stage
    const onset = this.#stage.now + from
    this.#in(from + lag, () => this.#stage.send({ type: 'user-speech-start', at: onset }))
    const pace = random.pick([50, 100, 250])
    for (let at = from + lag + pace; at < to; at += pace) {
      this.#in(at, () => this.#stage.send({ type: 'user-speech-progress', voiced: at - from }))
    }
    this.#in(to + silence, () => this.#stage.send({ type: 'user-speech-end', silence }))
  }

  #judge(segments: readonly Segment[]): void {
    const { random } = this.#stage
    const { from, to } = random.pick(segments)
    this.#in(random.int(from, to + 300), () => {
      this.#stage.send({ type: 'user-overlap', verdict: random.pick(['backchannel', 'interruption']) })
    })
  }

  #transcribe({ from, to }: Segment): void {
    const { random } = this.#stage
    if (this.#stage.fails('wordsNever')) return
    const text = this.#said()
    const last = to + (this.#stage.fails('wordsLate') ? random.int(600, 4_000) : random.int(-40, 350))
    const space = text.indexOf(' ')
    if (space > 0 && this.#stage.fails('wordsSplit')) {
      const first = random.int(Math.min(to, last), last)
      this.#hear(first, text.slice(0, space), this.#guessAtWords(from, first, text.slice(0, space)))
      this.#hear(last, text.slice(space + 1))
    } else this.#hear(last, text, this.#guessAtWords(from, last, text))
    if (this.#stage.fails('wordsTwice')) this.#hear(last + random.int(0, 400), text)
  }

  /** What the recogniser thinks before it is sure. */
  #guessAtWords(from: number, last: number, text: string): Pending[] {
    const { random } = this.#stage
    const guesses: Pending[] = []
    let at = from
    for (let count = random.int(0, 2); count > 0; count--) {
      at = random.int(at + 1, Math.max(at + 1, last - 1))
      const part = text.slice(0, random.int(1, text.length))
      if (at >= last) break
      guesses.push(this.#in(at, () => this.#stage.send({ type: 'user-transcript', text: part, final: false })))
    }
    return guesses
  }

  #said(): string {
    const { random } = this.#stage
    // who was not understood says it again
    const words = random.chance(0.1) && this.#last !== '' ? this.#last : this.#words(random.int(1, 4))
    this.#last = words
    if (random.chance(0.1)) return random.pick(['mhm', 'Uh-huh.', 'hm'])
    return random.chance(0.05) ? `hm ${words}` : words
  }

  /** Words that nobody says twice, so that each can be followed through the conversation. */
  #words(count: number): string {
    return Array.from({ length: count }, () => `${this.#stage.id('said')}z`).join(' ')
  }

  #hear(delay: number, text: string, before: readonly Pending[] = []): void {
    const one = { text, before, pending: this.#in(delay, () => this.#recognised(one)) }
    this.#coming.push(one)
  }

  #recognised(one: { text: string; before: readonly Pending[] }): void {
    for (const guess of one.before) guess.run = null
    this.#coming = this.#coming.filter((each) => each !== one)
    this.#stage.send({ type: 'user-transcript', text: one.text, final: true })
  }

  /** The recogniser is asked to hurry: usually it does, and says all that it has, in order. */
  #flush(): void {
    const { random, now } = this.#stage
    if (random.chance(0.3)) return
    let delay = 0
    for (const one of [...this.#coming].sort((a, b) => a.pending.at - b.pending.at)) {
      if (one.pending.at > now + 4_000) return
      one.pending.run = null
      delay += random.int(1, 200)
      this.#in(delay, () => this.#recognised(one))
    }
  }

  #commit(end: number, knowsWords: boolean): void {
    const { random, settings } = this.#stage
    if (random.chance(0.1)) return
    const text = knowsWords ? this.#words(2) : null
    this.#in(end + random.int(-20, 700), () => {
      this.#stage.send({ type: 'turn-commit', text, reply: random.chance(0.9) })
      if (settings.turns === 'model') this.onTurn?.()
    })
  }

  #in(delay: number, run: () => void): Pending {
    return this.#stage.after(Math.max(0, delay), run)
  }
}
