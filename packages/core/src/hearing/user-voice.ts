import type { Clock } from '../api/clock.js'
import type { UserInput } from '../conversation/protocol.js'

export interface UserVoiceOptions {
  readonly clock: Clock
  readonly worthTelling: () => number
  readonly send: (input: UserInput) => void
  /** The VAD's voice goes on, but the VAD is not heard of any more. */
  readonly stalled: () => void
}

/** ms between two reports that a voice goes on. */
const pace = 50
/** ms without a judgement after which a voice is given up, so that no turn stays open for ever. */
const patience = 1_000

/** Tells of the user's voice: each beginning has one end, and each is told by whoever told the other. */
export class UserVoice {
  readonly #options: UserVoiceOptions
  #speaking: 'vad' | 'stt' | null = null
  #told = Number.NEGATIVE_INFINITY
  #judged = 0
  #watch: Disposable | null = null

  constructor(options: UserVoiceOptions) {
    this.#options = options
  }

  start(source: 'vad' | 'stt', at: number): void {
    if (this.#speaking) return
    this.#speaking = source
    if (source === 'vad') this.#keepWatch()
    this.#options.send({ type: 'user-speech-start', at })
  }

  progress(voiced: number): void {
    const { clock, worthTelling, send } = this.#options
    const now = clock.now()
    if (!this.#speaking || voiced < worthTelling() || now - this.#told < pace) return
    this.#told = now
    send({ type: 'user-speech-progress', voiced })
  }

  end(source: 'vad' | 'stt', silence: number): void {
    if (this.#speaking !== source) return
    this.stop()
    this.#options.send({ type: 'user-speech-end', silence })
  }

  /** The VAD is at work. */
  judged(): void {
    this.#judged = this.#options.clock.now()
  }

  /** Nothing more is told. */
  stop(): void {
    this.#speaking = null
    this.#watch?.[Symbol.dispose]()
    this.#watch = null
  }

  #keepWatch(): void {
    const { clock, stalled } = this.#options
    this.#watch = clock.at(this.#judged + patience, () => {
      if (clock.now() < this.#judged + patience) this.#keepWatch()
      else stalled()
    })
  }
}
