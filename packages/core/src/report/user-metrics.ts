import type { UserMetrics } from '../api/report.js'
import type { ConversationEvent, Id } from '../conversation/protocol.js'
import { since, timed } from './durations.js'
import type { Seen } from './seen.js'

/** The voice in one turn. Each time is the last of its kind in this turn, so that none of another turn's counts. */
interface Voice {
  startedAt?: number
  stoppedAt?: number
  wordsAt?: number
}
/** A turn that has ended, until it stands in the history. */
interface Ended {
  readonly turn: Id
  readonly endedAt: number
  readonly voice: Voice
  text: string
  hook: { readonly call: Id; readonly at: number; passedAt?: number } | null
}

/** How long the caller's turns took, from the voice to the history. */
export class UserTurns {
  #voice: Voice = {}
  /** Onset of the voice that sounds. */
  #sounding: number | undefined
  #ended: Ended[] = []
  /** The turn that ended in this step. */
  #fresh: Ended | null = null

  /** @returns the metrics of turns that were recorded in this step. */
  see(seen: Seen): UserMetrics[] {
    const begins = seen.commands.some((command) => command.type === 'emit' && command.event.type === 'user-turn-start')
    if (begins) this.#voice = timed({ startedAt: this.#sounding })
    this.#seeInput(seen)
    this.#fresh = null
    return seen.commands.flatMap((command) => {
      // the hook that looks at a turn is started when the turn ends
      if (command.type === 'hook' && this.#fresh) this.#fresh.hook = { call: command.call, at: seen.at }
      return command.type === 'emit' ? this.#seeEvent(seen.at, command.event) : []
    })
  }

  #seeInput({ at, input }: Seen): void {
    if (input.type === 'user-speech-start') {
      this.#sounding = Math.min(at, input.at)
      this.#voice.startedAt ??= this.#sounding
      // who has gone on speaking has not stopped yet
      delete this.#voice.stoppedAt
    } else if (input.type === 'user-speech-end') {
      if (this.#sounding !== undefined) this.#voice.stoppedAt = at - Math.max(0, input.silence)
      this.#sounding = undefined
    } else if (input.type === 'user-transcript' && input.final) this.#voice.wordsAt = at
    else if (input.type === 'turn-pass' || input.type === 'call-end') {
      const ended = this.#ended.find(({ hook }) => hook?.call === input.call)
      if (ended?.hook) ended.hook.passedAt = at
      if (ended && input.type === 'turn-pass') ended.text = input.text
    }
  }

  #seeEvent(at: number, event: ConversationEvent): UserMetrics[] {
    if (event.type === 'user-turn-end') {
      const { turn, text } = event
      this.#fresh = text === null ? null : { turn, endedAt: at, voice: this.#voice, text, hook: null }
      if (this.#fresh) this.#ended.push(this.#fresh)
      this.#voice = timed({ startedAt: this.#sounding })
    }
    if (event.type !== 'history-item' || event.item.type !== 'user') return []
    const { id, text } = event.item
    const ended = this.#ended.find((each) => each.text === text)
    if (!ended) return [] // typed, or given with a request
    // turns are recorded in their order: what was before it has come to nothing
    this.#ended = this.#ended.slice(this.#ended.indexOf(ended) + 1)
    return [metricsOf(id, ended)]
  }
}

function metricsOf(item: Id, { turn, endedAt, voice, hook }: Ended): UserMetrics {
  const { startedAt, stoppedAt, wordsAt } = voice
  const sound = stoppedAt !== undefined && startedAt !== undefined && stoppedAt >= startedAt
  return {
    role: 'user',
    item,
    turn,
    ...timed({
      startedSpeakingAt: startedAt,
      stoppedSpeakingAt: sound ? stoppedAt : undefined,
      // words may be there before the voice has ended
      transcriptionDelay: sound && wordsAt !== undefined ? Math.max(0, wordsAt - stoppedAt) : undefined,
      endOfTurnDelay: sound ? since(stoppedAt, endedAt) : undefined,
      hookDelay: since(hook?.at, hook?.passedAt),
    }),
  }
}
