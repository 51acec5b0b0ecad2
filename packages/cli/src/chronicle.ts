import type { AgentSession, Clock, Id, SessionEvent } from 'antiphon'
import type { Paint, Style } from './style.js'

type Of<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>

interface Line {
  readonly at: number
  readonly who: string
  readonly paint: Paint
  /** null: that is not known yet, and later lines wait. */
  text: string | null
}

interface Speech {
  readonly line: Line
  /** Where it was held. */
  held: number | null
  /** The caller began to speak while it sounded. */
  talkedOver: boolean
}

/** Somebody's voice, ms from the beginning of the call. */
export interface Voice {
  readonly who: 'caller' | 'agent'
  readonly from: number
  to: number | null
}

export interface ChronicleOptions {
  readonly style: Style
  readonly write: (line: string) => void
  /** When the call began, on the clock of the session. */
  readonly began: number
  readonly clock: Clock
}

const NAME_WIDTH = 8
/** Characters of what was not heard any more that are shown. */
const UNHEARD = 40

/**
 * Tells a conversation line by line in the order in which things began, so that a sentence and what interrupted it stand
 * one under the other.
 */
export class Chronicle {
  readonly #options: ChronicleOptions
  readonly #lines: Line[] = []
  readonly #speakers = new Map<Id, string>()
  readonly #speeches = new Map<Id, Speech>()
  readonly #voices: Voice[] = []
  readonly #waits: number[] = []
  #turn: { readonly line: Line; over: boolean } | null = null
  #callerSilentSince: number | null = null
  #talkOvers = 0

  constructor(session: AgentSession, options: ChronicleOptions) {
    this.#options = options
    session.on('user-turn-start', () => this.#turnStarted())
    session.on('user-turn-end', (event) => this.#turnEnded(event))
    session.on('user-state', (event) => this.#callerChanged(event))
    session.on('reply-start', ({ reply, agent }) => this.#speakers.set(reply, agent))
    session.on('speech-start', (event) => this.#speechStarted(event))
    session.on('speech-pause', (event) => this.#held(event))
    session.on('speech-resume', (event) => this.#resumed(event))
    session.on('speech-end', (event) => this.#speechEnded(event))
    session.on('call-start', ({ name, args }) => this.#note('tool', `${name} ${args}`))
    session.on('call-end', ({ name, status, output }) =>
      this.#note('tool', `${name} ${status}${output && `: ${output}`}`),
    )
    session.on('task-start', ({ agent }) => this.#note('task', `${agent} has the conversation`))
    session.on('task-end', ({ agent, outcome }) => this.#note('task', `${agent} ${outcome}`))
    session.on('error', ({ source, error }) => this.#note('error', `${source}: ${error.message}`))
    session.on('closed', ({ reason }) => this.#close(reason))
  }

  /** Who spoke when. */
  get voices(): readonly Voice[] {
    return this.#voices
  }

  /** How often the caller talked over the agent and was heard. */
  get talkOvers(): number {
    return this.#talkOvers
  }

  /** ms from the caller's last sound to the agent's first, for each answer. */
  get waits(): readonly number[] {
    return this.#waits
  }

  #turnStarted(): void {
    this.#turn = { line: this.#open('caller'), over: this.#agentSounds }
    for (const speech of this.#speeches.values()) speech.talkedOver = true
  }

  #turnEnded({ text, reason }: Of<'user-turn-end'>): void {
    if (!this.#turn) return
    const { line, over } = this.#turn
    this.#turn = null
    const words = text ?? this.#options.style.dim(`(${reason === 'no-words' ? 'no words' : reason})`)
    this.#complete(line, over ? `${this.#options.style.yellow('over the agent:')} ${words}` : words)
  }

  #callerChanged({ from, to, at }: Of<'user-state'>): void {
    const time = at - this.#options.began
    if (to === 'speaking') this.#voices.push({ who: 'caller', from: time, to: null })
    if (from === 'speaking') this.#silence('caller', time)
    this.#callerSilentSince = from === 'speaking' ? time : null
  }

  #speechStarted({ speech, reply }: Of<'speech-start'>): void {
    const line = this.#open(this.#speakers.get(reply) ?? 'agent')
    this.#speeches.set(speech, { line, held: null, talkedOver: false })
    this.#voices.push({ who: 'agent', from: line.at, to: null })
    if (this.#callerSilentSince !== null) this.#waits.push(line.at - this.#callerSilentSince)
    this.#callerSilentSince = null
  }

  #held({ speech, position }: Of<'speech-pause'>): void {
    const known = this.#speeches.get(speech)
    if (known) known.held = position
    this.#silence('agent')
    this.#note('', `held after ${seconds(position)}`)
  }

  #resumed({ position }: Of<'speech-resume'>): void {
    this.#voices.push({ who: 'agent', from: this.#now, to: null })
    this.#note('', `it was nothing: the agent goes on at ${seconds(position)}`)
  }

  #speechEnded({ speech, heard, unheard, interrupted }: Of<'speech-end'>): void {
    const known = this.#speeches.get(speech)
    this.#speeches.delete(speech)
    this.#silence('agent')
    if (!known) return
    const { dim, yellow } = this.#options.style
    if (!interrupted) return this.#complete(known.line, heard)
    const spoken = known.held ?? this.#now - known.line.at
    this.#complete(known.line, `${heard} ${yellow('✂')} ${dim(shortened(unheard))}`.trim())
    this.#note('', `cut after ${seconds(spoken)}${known.talkedOver ? ': the caller has the floor' : ''}`)
    if (known.talkedOver) this.#talkOvers += 1
  }

  #close(reason: string): void {
    for (const line of this.#lines) line.text ??= ''
    this.#note('', `the call is over: ${reason.replace('-', ' ')}`)
  }

  get #now(): number {
    return this.#options.clock.now() - this.#options.began
  }

  get #agentSounds(): boolean {
    return this.#voices.some(({ who, to }) => who === 'agent' && to === null)
  }

  #silence(who: Voice['who'], time = this.#now): void {
    const voice = this.#voices.findLast((each) => each.who === who && each.to === null)
    if (voice) voice.to = time
  }

  #open(who: string): Line {
    const { green, cyan } = this.#options.style
    const line: Line = { at: this.#now, who, paint: who === 'caller' ? green : cyan, text: null }
    this.#lines.push(line)
    return line
  }

  #note(who: string, text: string): void {
    const { dim, red } = this.#options.style
    const paint = who === 'error' ? red : dim
    this.#lines.push({ at: this.#now, who, paint, text: paint(text) })
    this.#flush()
  }

  #complete(line: Line, text: string): void {
    line.text = text
    this.#flush()
  }

  #flush(): void {
    while (this.#lines[0] && this.#lines[0].text !== null) {
      const { at, who, paint, text } = this.#lines.shift()!
      const time = this.#options.style.dim((at / 1_000).toFixed(1).padStart(6))
      this.#options.write(`${time}  ${paint(who.padEnd(NAME_WIDTH))}  ${text}`)
    }
  }
}

const shortened = (text: string) => (text.length <= UNHEARD ? text : `${text.slice(0, UNHEARD).trimEnd()} …`)

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
