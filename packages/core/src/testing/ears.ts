import type { STT, Transcript, VAD } from '../api/models.js'
import type { VirtualClock } from './clock.js'
import { Pushed } from './queue.js'

export interface ScriptedSTTOptions {
  readonly clock: VirtualClock
  readonly name?: string
  /** What it hears by itself, at so many ms after it was opened first. */
  readonly script?: readonly ({ readonly at: number } & Transcript)[]
}

export interface ScriptedSTT extends STT {
  /** Makes it hear something now. */
  hear(heard: Transcript): void
  /** Makes it fail now: whoever listens to it is thrown `error`. */
  fail(error: Error): void
  /** Streams that are open. */
  readonly open: number
}

/**
 * A recogniser that hears what it is told to hear, whatever the sound is.
 *
 * ```ts
 * const stt = scriptedSTT({ clock, script: [{ at: 2_700, type: 'transcript', text: 'book me', final: true }] })
 * stt.hear({ type: 'transcript', text: 'wait', final: false })
 * ```
 */
export function scriptedSTT({ clock, name = 'scripted ear', script = [] }: ScriptedSTTOptions): ScriptedSTT {
  let words = new Pushed<Transcript>()
  let open = 0
  let begun = false
  const timers: Disposable[] = []
  const begin = () => {
    begun = true
    for (const { at, ...heard } of script)
      timers.push(clock.at(clock.now() + at, () => words.push(heard as Transcript)))
  }
  return {
    name,
    sampleRate: 16_000,
    hear: (heard) => words.push(heard),
    fail: (error) => words.fail(error),
    get open() {
      return open
    },
    async *transcribe(audio, { signal, segments }) {
      if (!begun) begin()
      open++
      const mine = words
      const stop = () => {
        mine.end()
        for (const timer of timers) timer[Symbol.dispose]()
      }
      signal.addEventListener('abort', stop, { once: true })
      void drain(segments)
      void drain(audio).then(() => mine.end())
      try {
        if (!signal.aborted) yield* mine
      } finally {
        signal.removeEventListener('abort', stop)
        open--
        if (words === mine) words = new Pushed()
      }
    },
  }
}

export interface ScriptedVADOptions {
  readonly name?: string
  /** ms of voice until it is reported. Default 50. */
  readonly start?: number
  /** ms of silence until the end of a voice is reported. Default 500. */
  readonly end?: number
  /** ms of sound that it looks at at a time. Default 10. */
  readonly frame?: number
}

/** A voice detector that takes whatever is not silence for a voice. */
export function scriptedVAD({
  name = 'scripted VAD',
  start = 50,
  end = 500,
  frame = 10,
}: ScriptedVADOptions = {}): VAD {
  const sampleRate = 16_000
  return {
    name,
    sampleRate,
    detection: { start, silence: end },
    open: () => ({
      frameSize: Math.round((frame * sampleRate) / 1_000),
      process: (samples) => (samples.filter((sample) => sample !== 0).length * 2 > samples.length ? 0.95 : 0.02),
    }),
  }
}

async function drain(source: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of source);
  } catch {
    // Whoever made the source hears of its failure from it.
  }
}
