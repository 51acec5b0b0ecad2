import type { Detection } from '../api/models.js'

/** A voice in a stream of sound. Places in it are ms from its beginning. */
export type VoiceEvent =
  /** A voice began at `at`, a little before it was recognised as one. */
  | { readonly type: 'start'; readonly at: number }
  /** It has sounded for `voiced` ms by now, pauses not counted. */
  | { readonly type: 'progress'; readonly voiced: number }
  /** It was last heard at `at`. */
  | { readonly type: 'end'; readonly at: number }

const defaults: Detection = { on: 0.5, off: 0.35, start: 96, silence: 400 }

interface Voice {
  voiced: number
  lastHeard: number
}

/** Makes voices of probabilities: a short noise is none, and a short silence ends none. */
export class VoiceDetector {
  #detection = defaults
  /** Voiced frames that may be the beginning of a voice. */
  #candidates: { readonly at: number; readonly duration: number }[] = []
  #voice: Voice | null = null

  /** What the probabilities to come mean. */
  tune(detection: Partial<Detection> = {}): void {
    this.#detection = { ...defaults, ...detection }
  }

  /** The `duration` ms from `at` on are a voice with this probability. */
  hear(probability: number, at: number, duration: number): VoiceEvent[] {
    if (this.#voice) return this.#follow(this.#voice, probability, at + duration, duration)
    return probability >= this.#detection.on ? this.#suspect(at, duration) : []
  }

  /** The stream is over, or stands still: so does the voice in it. */
  finish(): VoiceEvent[] {
    this.#candidates = []
    if (!this.#voice) return []
    const { lastHeard } = this.#voice
    this.#voice = null
    return [{ type: 'end', at: lastHeard }]
  }

  #suspect(at: number, duration: number): VoiceEvent[] {
    const { start } = this.#detection
    this.#candidates.push({ at, duration })
    this.#candidates = this.#candidates.filter((frame) => frame.at >= at + duration - 2 * start)
    const voiced = this.#candidates.reduce((sum, frame) => sum + frame.duration, 0)
    if (voiced < start) return []
    const onset = this.#candidates[0]!.at
    this.#candidates = []
    this.#voice = { voiced, lastHeard: at + duration }
    return [
      { type: 'start', at: onset },
      { type: 'progress', voiced },
    ]
  }

  #follow(voice: Voice, probability: number, end: number, duration: number): VoiceEvent[] {
    const { on, off, silence } = this.#detection
    if (probability >= off) voice.lastHeard = end
    else if (end - voice.lastHeard >= silence) return this.finish()
    if (probability < on) return []
    voice.voiced += duration
    return [{ type: 'progress', voiced: voice.voiced }]
  }
}
