import type { Clock } from '../api/clock.js'
import { ProviderError } from '../api/errors.js'
import type { Audio, STT, Transcript, VAD } from '../api/models.js'
import { abortable } from '../audio/flow.js'
import { admit, durationOf } from '../audio/frames.js'
import type { UserInput } from '../conversation/protocol.js'
import { listen } from './listen.js'
import { pause } from './pause.js'
import { Recogniser } from './recogniser.js'
import { Segments } from './segments.js'
import { Tape } from './tape.js'
import { UserVoice } from './user-voice.js'
import { VoiceDetector, type VoiceEvent } from './vad.js'

/** What an agent hears with. */
export interface Ear {
  readonly vad: VAD | undefined
  readonly stt: STT | undefined
}

export interface HearOptions {
  readonly incoming: AsyncIterable<Audio>
  /** Asked again at `rewire`. */
  readonly ear: () => Ear
  readonly clock: Clock
  /** Nothing is sent after it aborts. */
  readonly signal: AbortSignal
  /** ms of voice from which its progress is worth telling: the smallest limit that anybody has set. */
  readonly worthTelling: () => number
  readonly send: (input: UserInput) => void
  readonly failed: (source: 'stt' | 'vad' | 'line', error: unknown) => void
  readonly usage?: (audioSeconds: number) => void
}

export interface Hearing {
  /** The line has ended, or the signal has aborted. Never rejects. Words may still come while the signal lets them. */
  readonly ended: Promise<void>
  /** Another agent has the conversation, perhaps with ears of its own. Nothing of what is being said is lost. */
  rewire(): void
  /** Asks for the words of what was heard so far. */
  flush(): void
  /** Forgets what was heard so far: no words of it come any more. */
  clear(): void
}

/** Turns what a line hears into what the user does. Begins at once. */
export function hear(options: HearOptions): Hearing {
  return new Hearer(options)
}

/** ms of sound that wait for an ear that does not keep up, or has to be replaced. */
const patience = 10_000
/** ms that the VAD may take to hear the rest after the line has ended. */
const rest = 500

/** An ear at work: what it is, what it has still to hear, and how it is stopped. */
interface Working<T> {
  readonly with: T
  readonly tape: Tape
  readonly scope: AbortController
}

class Hearer implements Hearing {
  readonly ended: Promise<void>
  readonly #options: HearOptions
  readonly #detector = new VoiceDetector()
  readonly #segments = new Segments()
  readonly #voice: UserVoice
  /** ms that the line has given. */
  #received = 0
  #refusing = false
  #vad: (Working<VAD> & { readonly done: Promise<void> }) | null = null
  #stt: (Working<STT> & { readonly recogniser: Recogniser }) | null = null
  /** A VAD that has failed is not tried again. */
  #broken: VAD | null = null

  constructor(options: HearOptions) {
    this.#options = options
    const { clock, worthTelling, send, signal } = options
    this.#voice = new UserVoice({ clock, worthTelling, send, stalled: () => this.#tell(this.#detector.finish()) })
    this.rewire()
    signal.addEventListener('abort', () => this.#stop(), { once: true })
    this.ended = this.#hear()
  }

  rewire(): void {
    if (this.#options.signal.aborted) return
    const { vad, stt } = this.#options.ear()
    if (vad !== this.#vad?.with && vad !== this.#broken) this.#wireVAD(vad)
    if (stt !== this.#stt?.with) this.#wireSTT(stt)
  }

  flush(): void {
    this.#segments.push({ type: 'flush', at: this.#received })
  }

  clear(): void {
    this.#stt?.tape.clear()
    this.#segments.forget(this.#received)
    this.#stt?.recogniser.restart()
  }

  async #hear(): Promise<void> {
    const { incoming, signal } = this.#options
    try {
      for await (const audio of abortable(incoming, signal)) this.#take(audio)
    } catch (error) {
      this.#failed('line', error)
    }
    if (!signal.aborted) await this.#finish()
  }

  /** The line is over: the VAD hears the rest, then nobody speaks any more. */
  async #finish(): Promise<void> {
    const { clock, signal } = this.#options
    if (this.#vad) {
      const { tape, done, scope } = this.#vad
      tape.end()
      void done.then(() => scope.abort())
      await pause(clock, rest, scope.signal)
      scope.abort()
    }
    if (signal.aborted) return
    this.#tell(this.#detector.finish())
    this.#segments.end()
    this.#stt?.tape.end()
  }

  #take(audio: Audio): void {
    const pieces = this.#admit(audio)
    this.#vad?.tape.push(pieces, this.#received)
    this.#stt?.tape.push(pieces, this.#received)
    for (const { samples, rate } of pieces) this.#received += durationOf(samples.length, rate)
  }

  /** Nothing of what is no sound, which is told once and not at each of its frames. */
  #admit(audio: Audio): Audio[] {
    try {
      const pieces = admit(audio)
      this.#refusing = false
      return pieces
    } catch (error) {
      if (!this.#refusing) this.#failed('line', error)
      this.#refusing = true
      return []
    }
  }

  #wireVAD(vad: VAD | undefined): void {
    const last = this.#vad
    last?.scope.abort()
    this.#vad = null
    if (!vad) return this.#tell(this.#detector.finish())
    this.#voice.end('stt', 0)
    this.#detector.tune(vad.detection)
    const tape = last?.tape ?? this.#tape('vad', vad)
    const scope = new AbortController()
    const { signal } = scope
    const judged = (probability: number, at: number, duration: number) => {
      this.#voice.judged()
      this.#tell(this.#detector.hear(probability, at, duration))
    }
    const done = listen({ vad, tape, signal, judged }).catch((error: unknown) => {
      if (!signal.aborted) this.#loseVAD(vad, error)
    })
    this.#vad = { with: vad, tape, scope, done }
  }

  /** From here on the recogniser must say where voices begin and end. */
  #loseVAD(vad: VAD, error: unknown): void {
    this.#broken = vad
    this.#vad = null
    this.#failed('vad', error)
    this.#tell(this.#detector.finish())
  }

  #wireSTT(stt: STT | undefined): void {
    const last = this.#stt
    last?.scope.abort()
    this.#voice.end('stt', 0)
    this.#stt = null
    if (!stt) return
    const tape = last?.tape ?? this.#tape('stt', stt)
    tape.rewind()
    const scope = new AbortController()
    const recogniser = new Recogniser({
      stt,
      tape,
      segments: this.#segments,
      clock: this.#options.clock,
      signal: scope.signal,
      heard: (said) => this.#hearWords(said),
      failed: (error) => this.#failed('stt', error),
      ended: () => this.#voice.end('stt', 0),
    })
    this.#stt = { with: stt, tape, scope, recogniser }
  }

  #tape(source: 'stt' | 'vad', { name }: STT | VAD): Tape {
    return new Tape(this.#received, patience, () => {
      if (source === 'stt' && !this.#stt?.recogniser.isListening) return
      const what = `${name} is more than 10 s behind the line: the oldest sound is dropped.`
      this.#failed(source, new ProviderError(what, { retryable: true }))
    })
  }

  #tell(events: readonly VoiceEvent[]): void {
    const { clock, signal } = this.#options
    for (const event of events) {
      if (signal.aborted) return
      if (event.type === 'progress') {
        this.#voice.progress(event.voiced)
        continue
      }
      this.#segments.forget(this.#stt?.tape.start ?? this.#received)
      this.#segments.push(event)
      const ago = this.#received - event.at
      if (event.type === 'start') this.#voice.start('vad', clock.now() - ago)
      else this.#voice.end('vad', ago)
    }
  }

  #hearWords(said: Transcript): void {
    const { clock, signal, send, usage } = this.#options
    if (signal.aborted) return
    if (said.type === 'usage') usage?.(said.audioSeconds)
    else if (said.type === 'transcript') {
      const text = said.text.trim()
      if (text !== '' || said.final) send({ type: 'user-transcript', text, final: said.final }) // no words is news too
    } else if (this.#vad) return
    else if (said.type === 'speech-start') this.#voice.start('stt', clock.now())
    else this.#voice.end('stt', 0)
  }

  #failed(source: 'stt' | 'vad' | 'line', error: unknown): void {
    if (!this.#options.signal.aborted) this.#options.failed(source, error)
  }

  #stop(): void {
    this.#vad?.scope.abort()
    this.#stt?.scope.abort()
    this.#voice.stop()
    this.#segments.end()
  }
}
