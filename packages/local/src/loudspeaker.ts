import { gain, mix, Resampler, type Track, type TrackOptions } from 'antiphon'

/** How loud a voice is that makes room for another: 12 dB less. */
const DUCKED = 0.25
/** ms that may wait in a track before its writer does. */
const ROOM = 10_000

export interface LoudspeakerOptions {
  readonly rate: number
  /** Called before a track changes, so that what has been heard by then is taken. */
  readonly catchUp: () => void
}

/** Where tracks are heard: gives out what sounds, sample by sample, and tells each track how far it was heard. */
export class Loudspeaker {
  readonly #options: LoudspeakerOptions
  readonly #tracks = new Set<LoudspeakerTrack>()
  #begun = 0

  constructor(options: LoudspeakerOptions) {
    this.#options = options
  }

  /** How many tracks have begun to sound. */
  get begun(): number {
    return this.#begun
  }

  open(opening: TrackOptions): Track {
    const track = new LoudspeakerTrack(opening, this.#options, {
      began: () => {
        this.#begun += 1
      },
      over: () => this.#tracks.delete(track),
    })
    this.#tracks.add(track)
    return track
  }

  /** The next `count` samples; null when all is still. */
  take(count: number): Int16Array | null {
    const heard = [...this.#tracks].flatMap((track) => track.take(count) ?? [])
    if (heard.length === 0) return null
    return mix(new Int16Array(count), ...heard)
  }
}

interface Turns {
  began(): void
  over(): void
}

class LoudspeakerTrack implements Track {
  readonly #opening: TrackOptions
  readonly #options: LoudspeakerOptions
  readonly #turns: Turns
  readonly #resampler: Resampler
  readonly #waiting: (() => void)[] = []
  #state: 'waiting' | 'playing' | 'paused' | 'over' = 'waiting'
  #queue: Int16Array[] = []
  #queued = 0
  #played = 0
  #complete = false
  #ducked = false

  constructor(opening: TrackOptions, options: LoudspeakerOptions, turns: Turns) {
    this.#opening = opening
    this.#options = options
    this.#turns = turns
    this.#resampler = new Resampler(opening.sampleRate, options.rate)
  }

  get position(): number {
    this.#options.catchUp()
    return this.#position
  }

  write(samples: Int16Array): Promise<void> | undefined {
    if (this.#state === 'over' || this.#complete) return
    this.#push(this.#resampler.push(samples))
    if (this.#queued * 1_000 < ROOM * this.#options.rate) return
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  end(): void {
    if (this.#state === 'over' || this.#complete) return
    this.#push(this.#resampler.flush())
    this.#complete = true
    this.#options.catchUp()
    this.#finishIfPlayed()
  }

  play(): void {
    this.#become('playing', 'waiting')
    this.#finishIfPlayed()
  }

  pause(): void {
    this.#become('paused', 'playing')
  }

  resume(): void {
    this.#become('playing', 'paused')
    this.#finishIfPlayed()
  }

  duck(on: boolean): void {
    this.#options.catchUp()
    this.#ducked = on
  }

  clear(): void {
    this.#options.catchUp()
    if (this.#state !== 'over') this.#finish(true)
  }

  /** Up to `count` samples, fewer if there are no more; null when it is not heard. */
  take(count: number): Int16Array | null {
    if (this.#state !== 'playing' || this.#queued === 0) return null
    if (this.#played === 0) this.#turns.began()
    const taken = new Int16Array(Math.min(count, this.#queued))
    for (let filled = 0; filled < taken.length; ) {
      const [first] = this.#queue
      const part = first!.subarray(0, taken.length - filled)
      taken.set(part, filled)
      filled += part.length
      if (part.length === first!.length) this.#queue.shift()
      else this.#queue[0] = first!.subarray(part.length)
    }
    this.#queued -= taken.length
    this.#played += taken.length
    if (this.#queued * 1_000 < ROOM * this.#options.rate) this.#release()
    this.#finishIfPlayed()
    return this.#ducked ? gain(taken, DUCKED) : taken
  }

  get #position(): number {
    return (this.#played * 1_000) / this.#options.rate
  }

  #push(samples: Int16Array): void {
    if (samples.length === 0) return
    this.#queue.push(samples)
    this.#queued += samples.length
  }

  #become(state: 'playing' | 'paused', from: 'waiting' | 'playing' | 'paused'): void {
    this.#options.catchUp()
    if (this.#state === from) this.#state = state
  }

  #finishIfPlayed(): void {
    if (this.#state === 'playing' && this.#complete && this.#queued === 0) this.#finish(false)
  }

  #finish(cleared: boolean): void {
    this.#state = 'over'
    this.#queue = []
    this.#queued = 0
    this.#release()
    this.#turns.over()
    this.#opening.ended({ position: this.#position, cleared })
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
