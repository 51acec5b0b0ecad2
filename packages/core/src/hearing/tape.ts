import type { Audio } from '../api/models.js'
import { Bell } from '../audio/flow.js'
import { durationOf } from '../audio/frames.js'

/** A piece of what the line hears, and where it begins: ms from the beginning of the line. */
export interface Heard {
  readonly audio: Audio
  readonly at: number
}

/**
 * What was heard and may still be needed: pieces that the reader has not had yet, and pieces that he has had but that may
 * have to be read again. It never waits for the reader; when he is too far behind, the oldest are lost.
 */
export class Tape {
  readonly #limit: number
  readonly #overflow: () => void
  readonly #bell = new Bell()
  #pieces: Heard[] = []
  /** Pieces at the beginning that were read. */
  #read = 0
  #end: number
  #ended = false
  #overflowing = false

  /**
   * @param start ms of the line that are over
   * @param limit ms that are kept
   * @param overflow pieces begin to be lost that nobody has read
   */
  constructor(start: number, limit: number, overflow: () => void) {
    this.#end = start
    this.#limit = limit
    this.#overflow = overflow
  }

  /** Where the oldest piece begins, or the next will. */
  get start(): number {
    return this.#pieces[0]?.at ?? this.#end
  }

  /** Nothing more comes, and all was read. */
  get finished(): boolean {
    return this.#ended && this.#read === this.#pieces.length
  }

  /** @param at where the first piece begins. All of them are kept until the next come, however long they are. */
  push(pieces: readonly Audio[], at: number): void {
    this.#end = at
    for (const audio of pieces) {
      this.#pieces.push({ audio, at: this.#end })
      this.#end += durationOf(audio.samples.length, audio.rate)
    }
    while (this.#end - this.start > this.#limit && this.#pieces.length > pieces.length) this.#drop()
    this.#bell.ring()
  }

  /** Nothing more comes. */
  end(): void {
    this.#ended = true
    this.#bell.ring()
  }

  /** What was read is not needed any more. */
  settle(): void {
    this.#pieces.splice(0, this.#read)
    this.#read = 0
  }

  /** What was read is needed again. */
  rewind(): void {
    this.#read = 0
  }

  /** Nothing of it is needed. */
  clear(): void {
    this.#pieces = []
    this.#read = 0
  }

  /** Reads on from where the last reader was, until the end or until `signal` aborts. One at a time. */
  async *read(signal: AbortSignal): AsyncGenerator<Heard, void, void> {
    while (!signal.aborted) {
      const piece = this.#pieces[this.#read]
      if (piece) {
        this.#read++
        yield piece
      } else if (this.#ended) return
      else {
        this.#overflowing = false
        await this.#bell.heard(signal)
      }
    }
  }

  #drop(): void {
    this.#pieces.shift()
    if (this.#read > 0) this.#read--
    else if (!this.#overflowing) {
      this.#overflowing = true
      this.#overflow()
    }
  }
}
