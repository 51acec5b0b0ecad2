import type { AssistantMetrics } from '../api/report.js'
import type { Command, ConversationEvent, Id, ReplySource } from '../conversation/protocol.js'
import type { State } from '../conversation/state.js'
import { SentenceSplitter } from '../speaking/sentences.js'
import { since, timed } from './durations.js'
import type { Seen } from './seen.js'

interface Request {
  readonly askedAt: number
  firstAt?: number
}
interface Sound {
  readonly reply: Id
  generation: Id | null
  /** Cuts the text as the voice is given it, until it was given something. */
  splitter: SentenceSplitter | null
  textAt?: number
  soundAt?: number
  startedAt?: number
  stoppedAt?: number
  paused: boolean
  endToEnd?: number
}

/** What the application wants said answers no caller. */
const unasked: ReadonlySet<ReplySource> = new Set<ReplySource>(['say', 'request', 'filler'])

/** How long what the agent says takes, from the request to the caller's ear. */
export class Answers {
  readonly #requests = new Map<Id, Request>()
  /** The last request of each reply. */
  readonly #latest = new Map<Id, Id>()
  readonly #sounds = new Map<Id, Sound>()
  /** Replies that answer the caller, and not the application. */
  readonly #answering = new Set<Id>()
  /** When the caller stopped who was not answered yet. */
  #stoppedAt: number | undefined

  /** From here on `stoppedAt` is what an answer answers. undefined: it is not known. */
  callerStopped(stoppedAt: number | undefined): void {
    this.#stoppedAt = stoppedAt
  }

  /** @returns the metrics of messages that were finished in this step. */
  see(seen: Seen): AssistantMetrics[] {
    this.#seeInput(seen)
    return seen.commands.flatMap((command) => {
      if (command.type === 'emit') return this.#seeEvent(seen, command.event)
      this.#seeCommand(seen, command)
      return []
    })
  }

  #seeInput({ at, input }: Seen): void {
    if (input.type === 'model-text' || input.type === 'model-call') {
      const request = this.#requests.get(input.generation)
      if (request) request.firstAt ??= at
    } else if (input.type === 'voice-start') {
      const sound = this.#sounds.get(input.speech)
      if (sound) sound.soundAt ??= at
    }
  }

  #seeCommand({ at }: Seen, command: Command): void {
    if (command.type === 'generate') {
      this.#requests.set(command.generation, { askedAt: at })
      this.#latest.set(command.reply, command.generation)
    } else if (command.type === 'speak') {
      const { speech, reply, generation } = command
      this.#sounds.set(speech, { reply, generation, splitter: new SentenceSplitter(), paused: false })
    } else if ('speech' in command) {
      const sound = this.#sounds.get(command.speech)
      if (sound) seeText(sound, at, command)
      if (sound) seeMove(sound, at, command.type)
    }
  }

  #seeEvent({ at, state }: Seen, event: ConversationEvent): AssistantMetrics[] {
    switch (event.type) {
      case 'reply-start':
        if (!unasked.has(event.source)) this.#answering.add(event.reply)
        return []
      case 'speech-start':
        this.#begin(at, event.speech, event.reply)
        return []
      case 'speech-end': {
        const sound = this.#sounds.get(event.speech)
        if (sound) sound.stoppedAt ??= at
        return []
      }
      case 'history-item':
        return event.item.type === 'assistant' ? this.#finish(event.item.id, event.item.reply, at) : []
      case 'reply-end':
        this.#forget(event.reply, state)
        return []
      default:
        return []
    }
  }

  #begin(at: number, speech: Id, reply: Id): void {
    const generation = this.#latest.get(reply) ?? null
    const sound = this.#sounds.get(speech) ?? { reply, generation, splitter: null, paused: false }
    this.#sounds.set(speech, sound)
    sound.startedAt = at
    if (!this.#answering.has(reply)) return
    const endToEnd = since(this.#stoppedAt, at)
    if (endToEnd !== undefined) sound.endToEnd = endToEnd
    this.#stoppedAt = undefined
  }

  #finish(item: Id, reply: Id, at: number): AssistantMetrics[] {
    const sound = this.#sounds.get(item)
    this.#sounds.delete(item)
    if (!sound) return []
    const request = sound.generation === null ? undefined : this.#requests.get(sound.generation)
    const { startedAt, stoppedAt = at, textAt, soundAt, endToEnd } = sound
    return [
      {
        role: 'assistant',
        item,
        reply,
        ...timed({
          startedSpeakingAt: startedAt,
          stoppedSpeakingAt: stoppedAt,
          timeToFirstToken: since(request?.askedAt, request?.firstAt),
          timeToFirstByte: since(textAt, soundAt),
          timeToFirstSound: since(request?.askedAt, startedAt),
          endToEnd,
        }),
      },
    ]
  }

  /** Keeps what is still at work, and of the rest nothing. */
  #forget(reply: Id, { generations, speeches }: State): void {
    this.#answering.delete(reply)
    for (const [speech, sound] of this.#sounds) if (sound.reply === reply) this.#sounds.delete(speech)
    const live = new Set([...generations.map(({ id }) => id), ...speeches.map(({ generation }) => generation)])
    for (const generation of this.#requests.keys()) if (!live.has(generation)) this.#requests.delete(generation)
    for (const [each, generation] of this.#latest) if (!this.#requests.has(generation)) this.#latest.delete(each)
  }
}

/** A voice is given its text sentence by sentence. */
function seeText(sound: Sound, at: number, command: Command): void {
  const { splitter } = sound
  if (!splitter) return
  const pieces = command.type === 'speak-text' ? splitter.push(command.text) : []
  if (command.type === 'speak-flush' || command.type === 'speak-end') pieces.push(...splitter.flush())
  if (pieces.every((piece) => piece.trim() === '')) return
  sound.textAt = at
  sound.splitter = null
}

function seeMove(sound: Sound, at: number, move: Command['type']): void {
  if (move === 'pause' || (move === 'clear' && !sound.paused)) sound.stoppedAt = at
  if (move === 'pause') sound.paused = true
  if (move !== 'resume') return
  sound.paused = false
  delete sound.stoppedAt
}
