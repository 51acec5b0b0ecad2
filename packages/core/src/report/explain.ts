import type { Explanation, Recording } from '../api/report.js'
import { Holds } from './holds.js'
import { Interruptions } from './interruptions.js'
import { relive } from './recording.js'
import type { Observer, Seen } from './seen.js'
import { Silences } from './silences.js'

/**
 * Says of every silence over a second, as the caller heard it, and of every interruption what it was due to: a line each, in
 * the order of time. It follows from the recording alone.
 *
 * ```ts
 * for (const { text } of explain(recording)) console.log(text)
 * // 12.4 s–14.1 s silence: waiting for the model's first word (1.7 s)
 * ```
 *
 * @throws {UsageError} when it is no recording.
 */
export function explain(recording: Recording): Explanation[] {
  const explainer = new Explainer()
  for (const seen of relive(recording)) explainer.see(seen)
  return explainer.lines()
}

/** Sees a conversation as it goes, and can say at any time what its silences and interruptions were due to. */
export class Explainer implements Observer {
  readonly #holds = new Holds()
  readonly #silences = new Silences(this.#holds)
  readonly #interruptions = new Interruptions(this.#holds)
  #from: number | null = null
  #until = 0
  #closed = false

  see(seen: Seen): void {
    // what comes after the end concerns nobody
    if (this.#closed) return
    this.#closed = seen.state.phase === 'closed'
    this.#from ??= seen.at
    this.#until = seen.at
    this.#holds.see(seen)
    this.#silences.see(seen)
    this.#interruptions.see(seen)
  }

  /** `now`: up to when; without, up to the last that was seen. */
  lines(now = this.#until): Explanation[] {
    if (this.#from === null) return []
    const until = this.#closed ? this.#until : Math.max(now, this.#until)
    const lines = [...this.#silences.explain(this.#from, until), ...this.#interruptions.explain(this.#from)]
    return lines.sort((a, b) => a.from - b.from)
  }
}
