import type { Id } from '../../src/conversation/protocol.js'
import type { Pending } from './queue.js'
import type { Ordered, Playing, Stage } from './stage.js'

interface Track {
  readonly speech: Id
  /** ms of sound that were made, and whether that is all. */
  made: number
  whole: boolean
  readonly marks: number[]
  state: 'waiting' | 'playing' | 'paused' | 'clearing' | 'ended'
  position: number
  since: number
  watch: Pending | null
}

/** A loudspeaker that knows how far it has played. */
export class Line {
  readonly #stage: Stage
  readonly #tracks = new Map<Id, Track>()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  perform(command: Playing | Ordered<'speak'>): void {
    const { speech } = command
    switch (command.type) {
      case 'speak':
        return this.#open(speech)
      case 'play':
      case 'resume':
        return this.#play(this.#track(speech))
      case 'pause':
        return this.#pause(this.#track(speech))
      case 'clear':
        return this.#clear(this.#track(speech))
      case 'duck':
      case 'unduck':
        return
    }
  }

  longer(speech: Id, made: number): void {
    const track = this.#track(speech)
    this.#advance(track)
    track.made = made
    this.#watch(track)
  }

  mark(speech: Id, at: number): void {
    const track = this.#track(speech)
    track.marks.push(at)
    this.#watch(track)
  }

  whole(speech: Id): void {
    const track = this.#track(speech)
    track.whole = true
    this.#watch(track)
  }

  #open(speech: Id): void {
    const empty = { made: 0, whole: false, marks: [], position: 0, since: 0, watch: null }
    this.#tracks.set(speech, { speech, state: 'waiting', ...empty })
  }

  #track(speech: Id): Track {
    const track = this.#tracks.get(speech)
    if (track === undefined) throw new Error(`nobody has asked for the speech ${speech}`)
    return track
  }

  #play(track: Track): void {
    if (track.state !== 'waiting' && track.state !== 'paused') return
    track.state = 'playing'
    track.since = this.#stage.now
    this.#watch(track)
  }

  #pause(track: Track): void {
    if (track.state !== 'playing') return
    this.#advance(track)
    track.state = 'paused'
    this.#unwatch(track)
  }

  #clear(track: Track): void {
    if (track.state === 'clearing' || track.state === 'ended') return
    this.#advance(track)
    const heard = track.state !== 'waiting'
    track.state = 'clearing'
    this.#unwatch(track)
    if (this.#stage.fails('lineLost') || !(heard || this.#stage.random.chance(0.5))) return
    this.#stage.after(this.#delay(120), () => this.#report(track, true))
  }

  /** How far it has come by now. Where no sound is left, the line waits for more. */
  #advance(track: Track): void {
    if (track.state !== 'playing') return
    track.position = Math.min(track.made, track.position + this.#stage.now - track.since)
    track.since = this.#stage.now
  }

  /** Reports at the end of each word, and at the end of all. */
  #watch(track: Track): void {
    if (track.state !== 'playing') return
    this.#unwatch(track)
    this.#advance(track)
    const word = track.marks.find((at) => at > track.position)
    if (word === undefined && !track.whole) return
    const next = word ?? track.made
    track.watch = this.#stage.after(next - track.position, () => {
      track.watch = null
      this.#advance(track)
      if (word === undefined) return this.#finish(track)
      this.#stage.send({ type: 'playout-position', speech: track.speech, position: track.position })
      this.#watch(track)
    })
  }

  #unwatch(track: Track): void {
    if (track.watch !== null) track.watch.run = null
    track.watch = null
  }

  #finish(track: Track): void {
    track.state = 'ended'
    if (this.#stage.fails('lineLost')) return
    this.#stage.after(this.#delay(0), () => this.#report(track, false))
  }

  #report(track: Track, cleared: boolean): void {
    this.#stage.send({ type: 'playout-end', speech: track.speech, position: track.position, cleared })
  }

  #delay(usual: number): number {
    const { random } = this.#stage
    return this.#stage.fails('lineSlow') ? random.int(100, 1_500) : random.int(0, usual)
  }
}
