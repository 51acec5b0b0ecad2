import type { Command, ConversationEvent, Id } from '../conversation/protocol.js'
import type { Observer, Seen } from './seen.js'

/** A stretch of time. `to` null: it goes on. */
export interface Span {
  readonly from: number
  to: number | null
}

/** ms by which a line's report of its position may lag behind without anything being wrong. */
const lag = 250

/**
 * When somebody was heard: the caller by the voice detector, the agent by what the line was told and what it reported. A line
 * that stands still because its voice has made no more sound is silent.
 */
export class Audible implements Observer {
  /** In no particular order; they may overlap. */
  readonly spans: Span[] = []
  #caller: Span | null = null
  #voices = false
  #agent: Playing | null = null

  see(seen: Seen): void {
    this.#seeCaller(seen)
    this.#seeReports(seen)
    for (const command of seen.commands) {
      if (command.type === 'emit') this.#seeEvent(seen.at, command.event)
      else if (command.type === 'play') this.#agent = this.#playing(command.speech, seen.at)
      else if ('speech' in command && this.#agent?.speech === command.speech)
        this.#move(seen.at, command.type, this.#agent)
    }
  }

  #seeEvent(at: number, event: ConversationEvent): void {
    if (event.type === 'speech-end' && this.#agent?.speech === event.speech) this.#end(at)
    if (event.type === 'closed') for (const span of this.spans) span.to ??= at
  }

  #move(at: number, move: Command['type'], agent: Playing): void {
    if (move === 'pause' || move === 'clear') agent.span.to ??= at
    // where it stands is not known before the line says so again
    if (move === 'resume') Object.assign(agent, { span: this.#open(at), anchor: null })
  }

  #seeCaller({ at, input, state }: Seen): void {
    if (input.type === 'user-speech-start') {
      this.#voices = true
      this.#caller ??= this.#open(Math.min(at, input.at))
    } else if (input.type === 'user-speech-end' && this.#caller) {
      this.#caller.to = Math.max(this.#caller.from, at - Math.max(0, input.silence))
      this.#caller = null
    } else if (input.type === 'user-transcript' && !this.#voices && !state.settings.measuresVoice) {
      // where nobody says when a voice sounds, words tell that there was one
      this.spans.push({ from: at, to: at })
    }
  }

  #seeReports({ at, input }: Seen): void {
    if (input.type !== 'playout-position' && input.type !== 'playout-end') return
    const agent = this.#agent
    if (agent?.speech !== input.speech) return
    const cleared = input.type === 'playout-end' && input.cleared
    if (agent.anchor) this.#findStandstill(agent, agent.anchor, { at, position: input.position }, cleared)
    agent.anchor = { at, position: input.position }
    if (input.type === 'playout-end') this.#end(at)
  }

  /** Sound that took longer than it lasts stood still: after its last word if it was cleared, else before the words since. */
  #findStandstill(agent: Playing, before: Anchor, after: Anchor, cleared: boolean): void {
    const { span } = agent
    const sounded = after.position - before.position
    const until = span.to ?? after.at
    if (until - before.at - sounded <= lag) return
    if (cleared) span.to = before.at + sounded
    else if (span.to === null) {
      span.to = before.at
      agent.span = this.#open(after.at - sounded)
    }
  }

  #playing(speech: Id, at: number): Playing {
    return { speech, span: this.#open(at), anchor: { at, position: 0 } }
  }

  #end(at: number): void {
    if (this.#agent) this.#agent.span.to ??= at
    this.#agent = null
  }

  #open(at: number): Span {
    const span: Span = { from: at, to: null }
    this.spans.push(span)
    return span
  }
}

/** The speech that sounds. */
interface Playing {
  readonly speech: Id
  span: Span
  /** When the line was where; null: that is not known. */
  anchor: Anchor | null
}
interface Anchor {
  readonly at: number
  readonly position: number
}
