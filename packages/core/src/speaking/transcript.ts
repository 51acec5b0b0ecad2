import type { Clock } from '../api/clock.js'
import type { WordMark } from './words.js'

export interface TranscriptOptions {
  readonly clock: Clock
  /** How far the speech was heard, ms; a `Track` is one. */
  readonly track: { readonly position: number }
  /** `text`: the words so far, all of them. Once `final`, exactly what was heard; nothing comes after. */
  readonly shown: (text: string, final: boolean) => void
  /** A word was heard to its end, or the sound goes on without one; `position`: ms of the speech. */
  readonly position?: (position: number) => void
}

/** A mark as the conversation knows it; without `start` the word begins where the one before it ends. */
export type Mark = Pick<WordMark, 'chars' | 'at'> & Partial<WordMark>

/** The line is asked again no sooner than this, ms: it may report its position in leaps, or stand still. */
const patience = { moving: 1, still: 20 }
/** ms between two reports of a line that plays on while the voice tells nothing: it is known to be at work. */
const heartbeat = 1_000
/** ms by which two ways of counting the same time may differ. */
const rounding = 0.01

/**
 * Shows the words of one speech as they are heard: at their beginning when the voice has told it, a third into them when
 * it is estimated. It reads the position from the line, so what is shown is never ahead of what sounds, and a pause holds
 * both. At most one timer at a time.
 */
export class TranscriptSync {
  readonly #options: TranscriptOptions
  #text = ''
  #marks: WordMark[] = []
  /** Marks whose word was shown, and whose word was heard to its end. */
  #shown = 0
  #heard = 0
  /** The position that was told last. */
  #reported = 0
  #state: 'waiting' | 'playing' | 'paused' | 'finished' = 'waiting'
  #timer: Disposable | null = null

  constructor(options: TranscriptOptions) {
    this.#options = options
  }

  /** More of the speech's text. */
  append(text: string): void {
    this.#text += text
  }

  /** When a word of the text is said. */
  mark(mark: Mark): void {
    const start = mark.start ?? this.#marks.at(-1)?.at ?? 0
    this.#marks.push({ chars: mark.chars, start, at: mark.at, precise: mark.precise ?? false })
    this.#proceed()
  }

  play(): void {
    if (this.#state === 'waiting') this.resume()
  }

  pause(): void {
    if (this.#state === 'finished') return
    this.#state = 'paused'
    this.#stop()
  }

  resume(): void {
    if (this.#state === 'finished') return
    this.#state = 'playing'
    this.#proceed()
  }

  /** The speech is over, to its end or cut. Shows exactly `heard`. */
  finish(heard: string): void {
    if (this.#state === 'finished') return
    this.#state = 'finished'
    this.#stop()
    this.#options.shown(heard, true)
  }

  /** Does what is due, then waits for what is next. `since`: the position when this was last waited for. */
  #proceed(since?: number): void {
    this.#stop()
    if (!this.#isPlaying()) return
    const position = this.#options.track.position
    this.#showUpTo(position)
    this.#hearUpTo(position)
    if (position >= this.#reported + heartbeat) this.#report(position)
    // Whoever was told may have paused or finished it, or have gone on already.
    if (!this.#isPlaying() || this.#timer) return
    const next = Math.min(
      timeToShow(this.#marks[this.#shown]),
      this.#marks[this.#heard]?.at ?? Number.POSITIVE_INFINITY,
    )
    const least = position === since ? patience.still : patience.moving
    const { clock } = this.#options
    const wait = Math.min(Math.max(next - position, least), heartbeat)
    this.#timer = clock.at(clock.now() + wait, () => this.#proceed(position))
  }

  #isPlaying(): boolean {
    return this.#state === 'playing'
  }

  #showUpTo(position: number): void {
    const before = this.#shown
    while (timeToShow(this.#marks[this.#shown]) <= position + rounding) this.#shown++
    if (this.#shown > before) this.#options.shown(this.#text.slice(0, this.#marks[this.#shown - 1]!.chars), false)
  }

  #hearUpTo(position: number): void {
    if (!this.#isPlaying()) return
    const before = this.#heard
    while (this.#marks[this.#heard] && this.#marks[this.#heard]!.at <= position + rounding) this.#heard++
    const last = this.#marks[this.#heard - 1]
    if (last && this.#heard > before) this.#report(Math.max(position, last.at))
  }

  #report(position: number): void {
    this.#reported = position
    this.#options.position?.(position)
  }

  #stop(): void {
    this.#timer?.[Symbol.dispose]()
    this.#timer = null
  }
}

function timeToShow(mark: WordMark | undefined): number {
  if (!mark) return Number.POSITIVE_INFINITY
  return mark.precise ? mark.start : mark.start + (mark.at - mark.start) / 3
}
