import type { Track, TrackEnd } from '../api/line.js'
import type { VirtualClock } from './clock.js'
import { runsOf, type Sound, wordOf } from './sound.js'

interface Made {
  readonly clock: VirtualClock
  readonly speech: string
  readonly sampleRate: number
  readonly startDelay: number
  readonly stopDelay: number
  readonly clearDelay: number
  readonly buffer: number
  /** Whether the report reached anybody. */
  readonly report: (end: TrackEnd) => boolean
}

export class TestTrack implements Track {
  readonly #made: Made
  #state: 'waiting' | 'playing' | 'paused' | 'clearing' | 'over' = 'waiting'
  #end: Sound['end'] = 'open'
  /** ms written. */
  #length = 0
  #whole = false
  /** It was at `#base` at the time `#since`, and has played since then while there was sound. */
  #base = 0
  #since = 0
  #from: number | null = null
  #to: number | null = null
  #timer: Disposable | undefined
  readonly #waiting: (() => void)[] = []
  readonly #words: { text: string; start: number; end: number; value: number }[] = []
  readonly #pauses: { at: number; position: number; until: number | null }[] = []
  readonly #ducks: { at: number; until: number | null }[] = []
  readonly #stretches: { from: number; to: number; start: number; end: number }[] = []
  #reported: number | null = null
  #late = 0

  constructor(made: Made) {
    this.#made = made
  }

  get position(): number {
    if (this.#state !== 'playing' && this.#state !== 'clearing') return this.#base
    return Math.min(this.#length, this.#base + Math.max(0, this.#now() - this.#since))
  }

  get sound(): Sound {
    const { position } = this
    const words = this.#words.map(({ text, start, end }) => ({ text, start, end }))
    const heard = words.filter(({ end }) => end <= position + 0.5)
    const sounding = this.#stretch(this.#now())
    return {
      speech: this.#made.speech,
      from: this.#from ?? sounding?.from ?? null,
      to: this.#to,
      end: this.#end,
      text: heard
        .map(({ text }) => text)
        .join('')
        .trim(),
      position,
      pauses: this.#pauses.map((pause) => ({ ...pause })),
      ducks: this.#ducks.map((duck) => ({ ...duck })),
      stretches: [...this.#stretches.map((each) => ({ ...each })), ...(sounding ? [sounding] : [])],
      words,
      reported: this.#reported,
      late: this.#late,
    }
  }

  write(samples: Int16Array): Promise<void> | void {
    if (this.#state === 'over' || this.#state === 'clearing') {
      if (this.#state === 'over') this.#late++
      return
    }
    this.#rest()
    this.#read(samples)
    const full = this.#queued() > this.#made.buffer
    const room = full ? new Promise<void>((resolve) => this.#waiting.push(resolve)) : undefined
    this.#watch()
    return room
  }

  end(): void {
    this.#whole = true
    this.#watch()
  }

  play(): void {
    if (this.#state === 'waiting') this.#go(this.#now() + this.#made.startDelay)
  }

  pause(): void {
    if (this.#state !== 'playing') return
    this.#rest()
    this.#state = 'paused'
    this.#pauses.push({ at: this.#now(), position: this.#base, until: null })
    this.#watch()
  }

  resume(): void {
    if (this.#state !== 'paused') return
    const pause = this.#pauses.at(-1)
    if (pause) pause.until = this.#now()
    this.#go(this.#now())
  }

  duck(on: boolean): void {
    const duck = this.#ducks.at(-1)
    if (on) this.#ducks.push({ at: this.#now(), until: null })
    else if (duck && duck.until === null) duck.until = this.#now()
  }

  clear(): void {
    if (this.#state === 'over' || this.#state === 'clearing') return
    const { clock, stopDelay, clearDelay } = this.#made
    const sounds = this.#state === 'playing'
    const stop = () => {
      this.#finish('cut')
      const report = () => this.#report(true)
      if (clearDelay === 0) report()
      else this.#timer = clock.at(clock.now() + clearDelay, report)
    }
    this.#timer?.[Symbol.dispose]()
    this.#release(true)
    if (!sounds || stopDelay === 0) return stop()
    this.#state = 'clearing'
    this.#timer = clock.at(clock.now() + stopDelay, stop)
  }

  /** The line is gone: nothing more is heard, and nothing reported. */
  drop(): void {
    if (this.#state !== 'over') this.#finish('cut')
    this.#timer?.[Symbol.dispose]()
    this.#release(true)
  }

  #now(): number {
    return this.#made.clock.now()
  }

  #queued(): number {
    return this.#length - this.position
  }

  #go(since: number): void {
    this.#state = 'playing'
    this.#since = since
    this.#watch()
  }

  /** Appends sound, and reads the words in it. */
  #read(samples: Int16Array): void {
    const perMs = this.#made.sampleRate / 1_000
    let at = this.#length
    for (const run of runsOf(samples)) {
      const end = at + run.length / perMs
      const text = wordOf(run)
      const last = this.#words.at(-1)
      if (last?.value === run.value && last.end === at) last.end = end
      else if (text !== undefined) this.#words.push({ text, start: at, end, value: run.value })
      at = end
    }
    this.#length = at
  }

  /** The stretch that sounds, up to `time`; undefined when there is none. */
  #stretch(time: number): Sound['stretches'][number] | undefined {
    if (this.#state !== 'playing' && this.#state !== 'clearing') return undefined
    const to = Math.min(time, this.#since + this.#length - this.#base)
    return to > this.#since
      ? { from: this.#since, to, start: this.#base, end: this.#base + to - this.#since }
      : undefined
  }

  /** Settles what was played by now, so that what follows is counted from here. */
  #rest(): void {
    const stretch = this.#stretch(this.#now())
    if (stretch) {
      const before = this.#stretches.at(-1)
      this.#from ??= stretch.from
      if (before && before.to === stretch.from && before.end === stretch.start)
        Object.assign(before, { to: stretch.to, end: stretch.end })
      else this.#stretches.push(stretch)
    }
    this.#base = this.position
    this.#since = Math.max(this.#since, this.#now())
  }

  #finish(end: 'whole' | 'cut'): void {
    this.#rest()
    this.#state = 'over'
    this.#end = this.#from === null && end === 'cut' ? 'unheard' : end
    this.#to = this.#stretches.at(-1)?.to ?? this.#now()
  }

  #report(cleared: boolean): void {
    const position = this.#base
    if (this.#made.report({ position, cleared })) this.#reported = position
  }

  /** Waits for the next thing that playing brings: room for more, or the end. */
  #watch(): void {
    this.#timer?.[Symbol.dispose]()
    this.#release(false)
    if (this.#state !== 'playing') return
    const { clock, buffer } = this.#made
    const room = this.#waiting.length > 0 ? this.#since + this.#length - this.#base - buffer : Infinity
    const end = this.#whole ? this.#since + this.#length - this.#base : Infinity
    if (Math.min(room, end) === Infinity) return
    this.#timer = clock.at(Math.min(room, end), () => {
      if (clock.now() < end) return this.#watch()
      this.#finish('whole')
      this.#report(false)
    })
  }

  #release(all: boolean): void {
    if (all || this.#queued() <= this.#made.buffer + 0.001) for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
