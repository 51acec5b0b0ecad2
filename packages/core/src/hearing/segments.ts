import type { VoiceSegment } from '../api/models.js'
import { Channel } from '../audio/flow.js'

interface Reader {
  readonly channel: Channel<VoiceSegment>
  /** Where on the line he counts from. */
  readonly start: number
}

/** Where voices begin and end on the line, told to a recogniser that may have to start again in the middle. */
export class Segments {
  /** What was told, with its places on the line. */
  #told: VoiceSegment[] = []
  #reader: Reader | null = null
  #ended = false

  push(segment: VoiceSegment): void {
    this.#told.push(segment)
    if (this.#reader) this.#pass(segment, this.#reader)
  }

  end(): void {
    this.#ended = true
    this.#reader?.channel.end()
  }

  /** What concerns the sound from `start` on, for a reader who counts from there. Takes the place of the last reader. */
  open(start: number): AsyncIterable<VoiceSegment> {
    this.#reader?.channel.end()
    this.forget(start)
    const reader = { channel: new Channel<VoiceSegment>(), start }
    this.#reader = reader
    for (const segment of this.#told) this.#pass(segment, reader)
    if (this.#ended) reader.channel.end()
    return reader.channel
  }

  /** Sound before `position` is not needed any more; a voice that goes on there is. */
  forget(position: number): void {
    const sounding = this.#told.filter(({ type, at }) => type !== 'flush' && at < position).at(-1)
    this.#told = this.#told.filter(
      (segment) => segment.at >= position || (segment === sounding && segment.type === 'start'),
    )
  }

  #pass({ type, at }: VoiceSegment, { channel, start }: Reader): void {
    channel.push({ type, at: Math.max(0, at - start) })
  }
}
