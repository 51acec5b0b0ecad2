import type { Line, Track, TrackEnd, TrackOptions } from '../api/line.js'
import type { VirtualClock } from './clock.js'
import { Microphone } from './microphone.js'
import type { Sound } from './sound.js'
import { TestTrack } from './track.js'

export interface TestLineOptions {
  readonly clock: VirtualClock
  readonly name?: string
  /** Default true. */
  readonly canPause?: boolean
  /** Default false. */
  readonly canDuck?: boolean
  /** ms from `play` to the first sound. Default 0. */
  readonly startDelay?: number
  /** ms that go on sounding after a `clear`. Default 0. */
  readonly stopDelay?: number
  /** ms from the last sound to the report of a `clear`. Default 0. */
  readonly clearDelay?: number
  /** The first so many clears are never reported. Default 0; `true`: none is. */
  readonly losesClears?: number | boolean
  /** The end of the first so many speeches is never reported. Default 0; `true`: none is. */
  readonly losesEnds?: number | boolean
  /** ms that may wait in a track before `write` is held back. Default: any number. */
  readonly buffer?: number
  /** ms of a frame of what the caller says. Default 10. */
  readonly frame?: number
}

/**
 * A line without a caller: it plays in virtual time, and remembers what was audible when.
 *
 * ```ts
 * const line = new TestLine({ clock, canPause: false, clearDelay: 20 })
 * line.say(500, 2_500)
 * // … line.sounds[0] → { from: 3_200, to: 4_150, text: 'Sure let', end: 'cut', … }
 * ```
 */
export class TestLine implements Line {
  readonly name: string
  readonly canPause: boolean
  readonly canDuck: boolean
  readonly incoming
  readonly #options: TestLineOptions
  readonly #microphone: Microphone
  readonly #tracks: TestTrack[] = []
  #lostClears: number
  #lostEnds: number
  #closed = false

  constructor(options: TestLineOptions) {
    const {
      clock,
      name = 'test line',
      canPause = true,
      canDuck = false,
      frame = 10,
      losesClears = 0,
      losesEnds = 0,
    } = options
    this.name = name
    this.canPause = canPause
    this.canDuck = canDuck
    this.#options = options
    this.#lostClears = losesClears === true ? Infinity : Number(losesClears)
    this.#lostEnds = losesEnds === true ? Infinity : Number(losesEnds)
    this.#microphone = new Microphone(clock, { rate: 16_000, frame })
    this.incoming = this.#microphone.incoming
  }

  /** What was heard of each speech, in the order in which they were opened. */
  get sounds(): readonly Sound[] {
    return this.#tracks.map((track) => track.sound)
  }

  /** Tracks that have not come to an end. */
  get openTracks(): number {
    return this.#tracks.filter(({ sound }) => sound.end === 'open').length
  }

  /** Whether it was closed. */
  get closed(): boolean {
    return this.#closed
  }

  /** The caller's voice, or a noise, from one time on the clock to another. */
  say(from: number, to: number): void {
    this.#microphone.sound(from, to)
  }

  /** The caller leaves. */
  hangUp(): void {
    this.#microphone.end()
  }

  open({ speech, sampleRate, ended }: TrackOptions): Track {
    const { clock, startDelay = 0, stopDelay = 0, clearDelay = 0, buffer = Infinity } = this.#options
    const report = (end: TrackEnd) => {
      if (end.cleared ? this.#lostClears-- > 0 : this.#lostEnds-- > 0) return false
      ended(end)
      return true
    }
    const track = new TestTrack({ clock, speech, sampleRate, startDelay, stopDelay, clearDelay, buffer, report })
    this.#tracks.push(track)
    return track
  }

  close(): void {
    this.#closed = true
    this.#microphone.end()
    for (const track of this.#tracks) track.drop()
  }
}
