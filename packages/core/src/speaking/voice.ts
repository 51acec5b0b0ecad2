import { AntiphonError, ProviderError } from '../api/errors.js'
import type { Track } from '../api/line.js'
import type { Audio, Spoken, TTS } from '../api/models.js'
import { abortable, unlessAborted } from '../audio/flow.js'
import { admit, durationOf } from '../audio/frames.js'
import type { Failure, Id, VoiceInput } from '../conversation/protocol.js'
import { Alignment } from './alignment.js'
import type { TextStream } from './text-stream.js'
import { isSpeakable, type WordMark } from './words.js'

export interface SpeakOptions {
  readonly tts: TTS
  /** Takes sound at the rate of the voice. */
  readonly track: Track
  readonly text: TextStream
  readonly signal: AbortSignal
  readonly speech: Id
  readonly send: (input: VoiceInput) => void
  /** The same marks that are sent, with what a display needs to know of them. */
  readonly marked?: (mark: WordMark) => void
  /** What went wrong, whole; the conversation is sent a summary. */
  readonly failed?: (error: unknown) => void
  /** Makes of a piece of text what the voice shall say: without markdown, say. Marks and transcript keep the original. */
  readonly transformed?: (text: string) => string
}

/** What a voice was asked for, also when it was cut short. */
export interface VoiceUsage {
  readonly characters: number
  readonly audioMs: number
}

/**
 * Lets a voice say a text into a track. Resolves when all is written, or failed, or as soon as the signal aborts. Then the
 * words are still marked that were heard by pace alone; nothing is written or sent afterwards, whatever the voice does. Never
 * rejects.
 */
export async function speak(options: SpeakOptions): Promise<VoiceUsage> {
  const voice = new Voice(options)
  await voice.run()
  return voice.usage
}

class Voice {
  readonly #options: SpeakOptions
  readonly #alignment = new Alignment()
  #characters = 0
  #speakable = false
  #textEnded = false
  #started = false

  constructor(options: SpeakOptions) {
    this.#options = options
  }

  get usage(): VoiceUsage {
    return { characters: this.#characters, audioMs: this.#alignment.made }
  }

  async run(): Promise<void> {
    const { tts, signal, track } = this.#options
    const cut = () => this.#tell(this.#alignment.cut(track.position))
    signal.addEventListener('abort', cut)
    try {
      const sound = tts.speak(this.#text(), { signal })
      for await (const spoken of abortable(sound, signal)) await this.#write(spoken)
      if (!signal.aborted) this.#end()
    } catch (error) {
      if (!signal.aborted) this.#fail(error)
    } finally {
      signal.removeEventListener('abort', cut)
    }
  }

  /** What the voice reads. That it asks for more tells something about what it has said. */
  async *#text(): AsyncGenerator<string, void, void> {
    const { text, signal, transformed } = this.#options
    for await (const piece of abortable(text, signal)) {
      this.#alignment.given(piece)
      const spoken = transformed ? transformed(piece) : piece
      if (spoken.trim() === '') continue
      this.#characters += spoken.length
      this.#speakable ||= isSpeakable(spoken)
      yield spoken
      if (!signal.aborted) this.#mark(this.#alignment.asked())
    }
    this.#textEnded = true
  }

  async #write(spoken: Spoken): Promise<void> {
    const { tts, track, signal, speech, send } = this.#options
    const pieces = this.#admit(spoken)
    const marks = this.#alignment.sounded(spoken, durationOf(spoken.audio.length, tts.sampleRate))
    for (const { samples } of pieces) {
      const room = track.write(samples)
      // The track has sound before anybody hears of it: it can be played at once.
      if (!this.#started) send({ type: 'voice-start', speech })
      this.#started = true
      this.#mark(marks.splice(0))
      await unlessAborted(room, signal)
      if (signal.aborted) return
    }
    this.#mark(marks)
  }

  #admit({ audio }: Spoken): Audio[] {
    const { name, sampleRate } = this.#options.tts
    try {
      return admit({ samples: audio, rate: sampleRate })
    } catch (cause) {
      throw new ProviderError(`The voice ${name} made something that is no sound. ${(cause as Error).message}`, {
        cause,
      })
    }
  }

  #end(): void {
    const { tts, track, speech, send, signal } = this.#options
    if (!this.#textEnded) {
      throw new ProviderError(`The voice ${tts.name} ended before its text did.`, { retryable: true })
    }
    if (!this.#started && this.#speakable) {
      throw new ProviderError(`The voice ${tts.name} made no sound of its text.`, { retryable: true })
    }
    this.#mark(this.#alignment.finished())
    if (signal.aborted) return
    track.end()
    send({ type: 'voice-end', speech, duration: this.#alignment.made })
  }

  #fail(error: unknown): void {
    const { tts, track, speech, send, failed } = this.#options
    failed?.(error)
    track.end()
    send({ type: 'voice-end', speech, duration: this.#alignment.made, error: failureOf(error, tts) })
  }

  #mark(marks: readonly WordMark[]): void {
    if (!this.#options.signal.aborted) this.#tell(marks)
  }

  #tell(marks: readonly WordMark[]): void {
    const { speech, send, marked } = this.#options
    for (const mark of marks) {
      marked?.(mark)
      send({ type: 'voice-mark', speech, chars: mark.chars, at: mark.at })
    }
  }
}

function failureOf(error: unknown, { name }: TTS): Failure {
  if (AntiphonError.is(error)) return { blame: error.blame, message: error.message, retryable: error.retryable }
  const message = error instanceof Error ? error.message : String(error)
  return { blame: 'provider', message: `The voice ${name} failed: ${message}`, retryable: true }
}
