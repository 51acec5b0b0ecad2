import type { Audio, STT, Transcript, VAD, VoiceSegment } from '../../src/api/models.js'
import { Channel } from '../../src/audio/flow.js'
import { Framer } from '../../src/audio/frames.js'
import type { UserInput } from '../../src/conversation/protocol.js'
import { type Ear, type Hearing, type HearOptions, hear } from '../../src/hearing/hear.js'
import { VirtualClock } from '../../src/testing/clock.js'

const frame = 20
/** Hz of the line. */
const rate = 8_000

/** A line into which one can speak, and everything that is told of it, with its time. */
export class Bench {
  readonly clock = new VirtualClock()
  readonly incoming = new Channel<Audio>()
  readonly abort = new AbortController()
  readonly told: [at: number, input: UserInput][] = []
  readonly failures: [at: number, source: string, message: string][] = []
  readonly usage: number[] = []
  worthTelling = 0
  ear: Ear
  hearing!: Hearing

  constructor(ear: Partial<Ear>) {
    this.ear = { vad: undefined, stt: undefined, ...ear }
  }

  start(options: Partial<HearOptions> = {}): this {
    this.hearing = hear({
      incoming: this.incoming,
      ear: () => this.ear,
      clock: this.clock,
      signal: this.abort.signal,
      worthTelling: () => this.worthTelling,
      send: (input) => this.told.push([this.clock.now(), input]),
      failed: (source, error) => this.failures.push([this.clock.now(), source, (error as Error).message]),
      usage: (seconds) => this.usage.push(seconds),
      ...options,
    })
    return this
  }

  /** Sound until `time`: its samples have this value. 0 is silence. */
  async sound(time: number, value: number): Promise<void> {
    while (this.clock.now() < time) {
      await this.clock.advance(frame)
      this.incoming.push({ samples: new Int16Array((rate * frame) / 1_000).fill(value), rate })
      await this.clock.settle()
    }
  }

  voice(until: number, value = 5_000): Promise<void> {
    return this.sound(until, value)
  }

  quiet(until: number): Promise<void> {
    return this.sound(until, 0)
  }

  /** What was told, without the progress of voices. */
  get edges(): [at: number, ...rest: unknown[]][] {
    return this.told.flatMap(([at, input]): [number, ...unknown[]][] => {
      if (input.type === 'user-speech-start') return [[at, 'start', input.at]]
      if (input.type === 'user-speech-end') return [[at, 'end', input.silence]]
      if (input.type === 'user-transcript') return [[at, input.final ? 'final' : 'interim', input.text]]
      return []
    })
  }

  get progress(): [at: number, voiced: number][] {
    return this.told.flatMap(([at, input]): [number, number][] =>
      input.type === 'user-speech-progress' ? [[at, input.voiced]] : [],
    )
  }
}

/** Takes everything loud for a voice. As quick as in the tables of the specification. */
export function loudness(more: Partial<VAD> = {}): VAD {
  return {
    name: 'loudness',
    sampleRate: rate,
    detection: { start: 50, silence: 500 },
    open: () => ({
      frameSize: rate / 100,
      process: (samples) => (samples.some((sample) => Math.abs(sample) > 1_000) ? 0.9 : 0.1),
    }),
    ...more,
  }
}

/** A recogniser that says what it is told to say, and remembers what it was given. */
export class Scribe implements STT {
  readonly name = 'scribe'
  readonly sampleRate: number
  /** Each stream that was opened: the value of each 20 ms of sound, the segments, and whether it was told to stop. */
  readonly streams: { values: number[]; segments: VoiceSegment[]; aborted: boolean; audioEnded: boolean }[] = []
  #say = new Channel<Transcript | Error>()

  constructor(sampleRate = rate) {
    this.sampleRate = sampleRate
  }

  get stream() {
    return this.streams.at(-1)!
  }

  say(text: string, final = true): void {
    this.#say.push({ type: 'transcript', text, final })
  }

  tell(said: Exclude<Transcript, { type: 'transcript' }>): void {
    this.#say.push(said)
  }

  fail(error: Error): void {
    this.#say.push(error)
  }

  /** Leaves, although the sound goes on. */
  leave(): void {
    this.#say.end()
  }

  async *transcribe(...[audio, { signal, segments }]: Parameters<STT['transcribe']>): AsyncGenerator<Transcript> {
    const stream: Scribe['stream'] = { values: [], segments: [], aborted: false, audioEnded: false }
    this.streams.push(stream)
    const say = new Channel<Transcript | Error>()
    this.#say = say
    signal.addEventListener('abort', () => {
      stream.aborted = true
    })
    void this.#listen(audio, stream, say)
    void this.#mark(segments, stream)
    for await (const said of say) {
      if (said instanceof Error) throw said
      yield said
    }
  }

  async #listen(
    audio: AsyncIterable<Audio>,
    stream: Scribe['stream'],
    say: Channel<Transcript | Error>,
  ): Promise<void> {
    const framer = new Framer((this.sampleRate * frame) / 1_000)
    for await (const { samples } of audio) stream.values.push(...framer.push(samples).map((each) => each[0]!))
    stream.audioEnded = true
    say.end()
  }

  async #mark(segments: AsyncIterable<VoiceSegment>, stream: Scribe['stream']): Promise<void> {
    for await (const segment of segments) stream.segments.push(segment)
  }
}
