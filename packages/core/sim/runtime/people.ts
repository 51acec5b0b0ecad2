import type { AgentSession, SpeechHandle } from '../../src/api/session.js'
import { ProviderError } from '../../src/index.js'
import { type Act, at, hangUp, heard, noise, typed, user, type VirtualClock } from '../../src/testing/index.js'
import type { Random } from '../random.js'
import type { Met } from './faults.js'

/** Whoever is at the other end, and the program around the session. */
export class People {
  readonly #random: Random
  readonly #met: Met
  readonly #handles: SpeechHandle[] = []
  #words = 0
  #closing = false
  /** Promises that the program was given and that must all settle. */
  readonly promises: Promise<unknown>[] = []

  constructor(random: Random, met: Met) {
    this.#random = random
    this.#met = met
  }

  meet(session: AgentSession): void {
    session.on('closing', () => {
      this.#closing = true
    })
    const random = this.#random
    if (random.chance(0.5)) session.on('user-state', ({ to }) => to === 'away' && this.#say(session))
    if (random.chance(0.2)) session.on(random.pick(['user-turn-end', 'speech-end', 'call-end']), () => this.#crash())
  }

  /** What happens, and until when. */
  timeline(events: number): { readonly acts: Act[]; readonly end: number } {
    const random = this.#random
    const acts: Act[] = []
    let time = random.int(0, 1_500)
    for (let i = 0; i < events; i++) {
      const act = random.chance(0.6) ? this.#sound(time) : this.#deed(time)
      acts.push(...act)
      const last = act.at(-1)
      const pause = random.chance(0.05) ? this.#met.with('silence', 30_000) : random.pick([100, 700, 2_500, 6_000])
      time = (last && 'to' in last ? last.to : time) + pause
    }
    return { acts, end: time }
  }

  #said(): string {
    return Array.from({ length: this.#random.int(1, 4) }, () => this.#word()).join(' ')
  }

  /** One that nobody has said before. */
  #word(): string {
    this.#words += 1
    return `word${this.#words}`
  }

  #sound(from: number): Act[] {
    const random = this.#random
    const to = from + random.pick([80, 400, 900, 2_000])
    const kind = random.int(0, 9)
    if (kind === 0) return [noise(from, to)]
    if (kind === 1)
      return this.#met.with('finals', [user(from, to, this.#said(), { delay: random.pick([null, 1_500, 3_000]) })])
    if (kind === 2)
      return this.#met.with('finals', [noise(from, to), heard(to - 20, this.#said()), heard(to + 300, this.#said())])
    return [user(from, to, this.#said(), { delay: random.int(0, 400), interims: random.pick([false, 100, 300]) })]
  }

  #deed(time: number): Act[] {
    const random = this.#random
    const deeds: readonly (() => Act)[] = [
      () => typed(time, this.#said(), { interrupt: random.chance(0.5) }),
      () => heard(time, new ProviderError('the recogniser lost its connection')),
      () => at(time, (session) => this.#say(session)),
      () => at(time, (session) => this.#say(session)),
      () => at(time, (session) => this.#ask(session)),
      () => at(time, (session) => this.#interrupt(session)),
      () => at(time, (session) => this.#handle(session)),
      () => at(time, (session) => this.#push(session)),
    ]
    if (random.chance(0.03)) return [hangUp(time)]
    if (random.chance(0.03)) return [at(time, (_, { clock }) => this.#suspend(clock))]
    return [random.pick(deeds)()]
  }

  #say(session: AgentSession): void {
    const random = this.#random
    const text = `Let me tell you ${this.#word()}.`
    const streamed = random.chance(0.3)
    const handle = session.say(streamed ? pieces(text) : text, {
      allowInterruptions: random.chance(0.7),
      priority: random.pick(['low', 'normal', 'high']),
      addToHistory: streamed || random.chance(0.9),
    })
    this.#keep(handle)
  }

  #ask(session: AgentSession): void {
    const random = this.#random
    const userInput = random.chance(0.3) && !this.#closing ? { userInput: this.#said() } : {}
    this.#keep(session.generateReply({ ...userInput, toolChoice: random.pick(['auto', 'none', 'required']) }))
  }

  #keep(handle: SpeechHandle): void {
    this.#handles.push(handle)
    this.promises.push(handle.done, handle.playedOut)
  }

  #suspend(clock: VirtualClock): void {
    this.#met.add('suspended')
    clock.suspend(this.#random.pick([300, 2_000, 20_000]))
  }

  #crash(): never {
    this.#met.add('crash')
    throw new Error('the listener is broken')
  }

  #interrupt(session: AgentSession): void {
    if (session.agentState !== 'listening') this.#met.add('interrupted')
    session.interrupt({ force: this.#random.chance(0.3) })
  }

  #handle(session: AgentSession): void {
    const handle = this.#handles.at(-1)
    if (handle === undefined) return this.#say(session)
    if (this.#random.chance(0.5)) handle.interrupt({ force: this.#random.chance(0.5) })
    else handle.allowInterruptions = this.#random.chance(0.5)
  }

  /** Push-to-talk, pressed or let go. */
  #push(session: AgentSession): void {
    if (this.#random.chance(0.3)) return session.clearUserTurn()
    // refused when the session has closed: that is an answer
    this.promises.push(session.commitUserTurn({ reply: this.#random.chance(0.8) }).catch(() => ''))
  }
}

async function* pieces(text: string): AsyncGenerator<string> {
  for (const piece of text.match(/\S+\s*/g) ?? []) yield piece
}
