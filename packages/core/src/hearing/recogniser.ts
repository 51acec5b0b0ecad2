import type { Clock } from '../api/clock.js'
import { AntiphonError, ProviderError } from '../api/errors.js'
import type { Audio, STT, Transcript } from '../api/models.js'
import { abortable } from '../audio/flow.js'
import { RateConverter } from '../audio/resample.js'
import { pause } from './pause.js'
import type { Segments } from './segments.js'
import type { Tape } from './tape.js'

export interface RecogniserOptions {
  readonly stt: STT
  readonly tape: Tape
  readonly segments: Segments
  readonly clock: Clock
  /** Ends it for good. */
  readonly signal: AbortSignal
  readonly heard: (transcript: Transcript) => void
  readonly failed: (error: unknown) => void
  /** A stream has ended: what it has begun to say will not be said. */
  readonly ended: () => void
}

/** ms until a stream that failed is opened again: doubled each time, up to the longest. */
const backOff = { first: 500, longest: 8_000 }
/** ms after which a stream that fails is not taken to fail for what made the last one fail. */
const steady = 10_000

/**
 * Keeps a speech recogniser listening. When its stream breaks, a new one is opened, and is given again what the old one had
 * made no final words of.
 */
export class Recogniser {
  readonly #options: RecogniserOptions
  #stream = new AbortController()
  #delay = backOff.first

  constructor(options: RecogniserOptions) {
    this.#options = options
    options.signal.addEventListener('abort', () => this.#stream.abort(), { once: true })
    void this.#run()
  }

  /** A stream is open; without one, sound is kept for the next. */
  get isListening(): boolean {
    return !this.#stream.signal.aborted
  }

  /** Opens a new stream: the old one says nothing any more. */
  restart(): void {
    this.#stream.abort()
  }

  async #run(): Promise<void> {
    const { clock, signal, tape, failed, ended } = this.#options
    while (!this.#isOver()) {
      this.#stream = new AbortController()
      const opened = clock.now()
      const error = await this.#listen(this.#stream)
      ended()
      if (error === null) {
        // A service may allow one stream at a time: the old one is given the chance to close.
        await pause(clock, 0, signal)
        continue
      }
      failed(error)
      if (AntiphonError.is(error) && error.blame === 'caller') return
      if (clock.now() - opened > steady) this.#delay = backOff.first
      await pause(clock, this.#delay, signal)
      this.#delay = Math.min(this.#delay * 2, backOff.longest)
      tape.rewind()
    }
  }

  #isOver(): boolean {
    return this.#options.signal.aborted || this.#options.tape.finished
  }

  /** Resolves when the stream is over: with what was wrong, or null when it was told to stop or has heard everything. */
  async #listen(stream: AbortController): Promise<unknown> {
    const { stt, tape, segments } = this.#options
    const { signal } = stream
    try {
      const places = segments.open(tape.start)
      for await (const said of abortable(stt.transcribe(this.#sound(signal), { signal, segments: places }), signal)) {
        if (!signal.aborted) this.#take(said)
      }
      if (signal.aborted || tape.finished) return null
      return new ProviderError(`The recogniser ${stt.name} ended although the line goes on.`, { retryable: true })
    } catch (error) {
      return signal.aborted ? null : error
    } finally {
      // Whoever still reads for it leaves the tape to the next.
      stream.abort()
    }
  }

  #take(said: Transcript): void {
    const { tape, segments, heard } = this.#options
    if (said.type === 'transcript') this.#delay = backOff.first
    if (said.type === 'transcript' && said.final) {
      tape.settle()
      segments.forget(tape.start)
    }
    heard(said)
  }

  async *#sound(signal: AbortSignal): AsyncGenerator<Audio, void, void> {
    const { stt, tape } = this.#options
    const converter = new RateConverter(stt.sampleRate)
    for await (const { audio } of tape.read(signal)) {
      const samples = converter.push(audio)
      if (samples.length > 0) yield { samples, rate: stt.sampleRate }
    }
    const samples = converter.flush()
    if (samples.length > 0 && !signal.aborted) yield { samples, rate: stt.sampleRate }
  }
}
