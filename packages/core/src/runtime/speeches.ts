import { UsageError } from '../api/errors.js'
import type { Track, TrackEnd } from '../api/line.js'
import type { Failover, TTS } from '../api/models.js'
import type { Command, ConversationEvent, Id, VoiceInput } from '../conversation/protocol.js'
import { VoiceMeter } from '../report/meters.js'
import { TextStream } from '../speaking/text-stream.js'
import { TranscriptSync } from '../speaking/transcript.js'
import { speak } from '../speaking/voice.js'
import { failoverOf, failureOf, keepCause } from './failure.js'
import type { Kernel } from './kernel.js'
import type { Scope } from './scope.js'

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>
type Move = 'play' | 'pause' | 'resume' | 'duck' | 'unduck' | 'clear'

interface Sounding {
  readonly track: Track
  readonly text: TextStream
  readonly transcript: TranscriptSync
  readonly voice: Scope
  readonly meter: VoiceMeter
  played: boolean
}

/** The speeches on their way from a voice to the line. */
export class Speeches {
  readonly #kernel: Kernel
  readonly #show: (speech: Id, text: string, final: boolean) => void
  readonly #sounding = new Map<Id, Sounding>()

  constructor(kernel: Kernel, show: (speech: Id, text: string, final: boolean) => void) {
    this.#kernel = kernel
    this.#show = show
  }

  speak({ speech, reply, agent: id }: Of<'speak'>): void {
    const agent = this.#kernel.agents.get(id)
    const tts = this.#kernel.agents.tts(agent)
    try {
      if (!tts) throw new UsageError(`agent "${agent.name}" has no voice: give a \`tts\``)
      this.#sounding.set(speech, this.#begin(speech, reply, tts))
    } catch (error) {
      this.#kernel.send({ type: 'voice-end', speech, duration: 0, error: failureOf(error, 'provider') })
    }
  }

  #begin(speech: Id, reply: Id, tts: TTS): Sounding {
    const { line, clock } = this.#kernel.setup
    const ended = ({ position, cleared }: TrackEnd) => {
      meter.heard(position)
      this.#kernel.send({ type: 'playout-end', speech, position, cleared })
    }
    const track = line.open({ speech, sampleRate: tts.sampleRate, ended })
    const meter = new VoiceMeter(this.#kernel.usage, { provider: tts.name, speech, reply })
    const text = new TextStream()
    const transcript = new TranscriptSync({
      clock,
      track,
      shown: (words, final) => this.#show(speech, words, final),
      position: (position) => this.#kernel.send({ type: 'playout-position', speech, position }),
    })
    let cause: unknown
    const send = (input: VoiceInput) => {
      if (input.type === 'voice-end' && input.error) keepCause(input.error, cause)
      this.#kernel.send(input)
    }
    const voice = this.#kernel.scope.start({
      name: `voice ${tts.name}`,
      run: (signal) =>
        speak({
          tts: this.#telling(meter.counted(tts)),
          track,
          text,
          signal,
          speech,
          send,
          marked: (mark) => transcript.mark(mark),
          failed: (error) => {
            cause = error
            meter.failed()
          },
        }),
      failed: (error) => send({ type: 'voice-end', speech, duration: 0, error: failureOf(error, 'provider') }),
    })
    return { track, text, transcript, voice, meter, played: false }
  }

  /** The same voice, which tells when another has spoken in its stead. */
  #telling(tts: TTS): TTS {
    const { name, sampleRate } = tts
    const failedOver = (failover: Failover) => this.#kernel.tell(failoverOf('tts', failover))
    return { name, sampleRate, speak: (text, running) => tts.speak(text, { ...running, failedOver }) }
  }

  /** More of its text; null: there is no more. */
  text(speech: Id, text: string | null): void {
    const sounding = this.#sounding.get(speech)
    if (text === null) return sounding?.text.end()
    sounding?.transcript.append(text)
    sounding?.text.push(text)
  }

  flush(speech: Id): void {
    this.#sounding.get(speech)?.text.flush()
  }

  move(speech: Id, move: Move): void {
    const sounding = this.#sounding.get(speech)
    if (!sounding) return
    try {
      if (move === 'clear') this.#clear(speech, sounding)
      else moves[move](sounding)
    } catch (error) {
      this.#kernel.report('line', failureOf(error, 'provider'))
    }
  }

  #clear(speech: Id, { voice, transcript, track, meter, played }: Sounding): void {
    voice.abort()
    transcript.pause()
    // of what was never heard nobody will report an end
    if (!played) {
      this.#sounding.delete(speech)
      meter.heard(0)
    }
    track.clear()
  }

  see(event: ConversationEvent): void {
    if (event.type !== 'speech-end') return
    const sounding = this.#sounding.get(event.speech)
    this.#sounding.delete(event.speech)
    sounding?.transcript.finish(event.heard)
    // a line that has not told where it ended is believed what it says
    sounding?.meter.heard(sounding.track.position)
  }

  /** Whatever still sounds falls silent. */
  end(): void {
    for (const speech of [...this.#sounding.keys()]) this.move(speech, 'clear')
    this.#sounding.clear()
  }
}

const moves: Record<Exclude<Move, 'clear'>, (sounding: Sounding) => void> = {
  play(sounding) {
    sounding.played = true
    sounding.track.play()
    sounding.transcript.play()
  },
  pause({ track, transcript }) {
    track.pause()
    transcript.pause()
  },
  resume({ track, transcript }) {
    track.resume()
    transcript.resume()
  },
  duck: ({ track }) => track.duck?.(true),
  unduck: ({ track }) => track.duck?.(false),
}
