import type { Clock } from '../../src/api/clock.js'
import type { Line, Track, TrackEnd } from '../../src/api/line.js'
import type { Audio, GenerateRequest, LLM, LLMPart, Transcript, TTS } from '../../src/api/models.js'
import type { SessionEvent } from '../../src/api/session.js'
import { Channel } from '../../src/audio/flow.js'
import { type Agent, type AgentSession, agent, type SessionOptions, start } from '../../src/index.js'

/** A clock that stands still until it is told to go on, and lets every promise settle between two timers. */
export class TestClock implements Clock {
  #now = 0
  #timers: { readonly time: number; readonly run: () => void }[] = []

  now(): number {
    return this.#now
  }

  get timers(): number {
    return this.#timers.length
  }

  at(time: number, run: () => void): Disposable {
    const timer = { time: Math.max(time, this.#now), run }
    const index = this.#timers.findIndex((other) => other.time > timer.time)
    this.#timers.splice(index < 0 ? this.#timers.length : index, 0, timer)
    return {
      [Symbol.dispose]: () => {
        this.#timers = this.#timers.filter((other) => other !== timer)
      },
    }
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.at(this.#now + ms, resolve)
      const abort = () => {
        timer[Symbol.dispose]()
        reject(signal?.reason as Error)
      }
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await settle()
    for (let next = this.#timers[0]; next && next.time <= until; next = this.#timers[0]) {
      this.#timers.shift()
      this.#now = next.time
      next.run()
      await settle()
    }
    this.#now = until
  }
}

/** Lets every promise that can settle do so. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** A line that plays in the time of the clock, and a caller who can leave. */
export class TestLine implements Line {
  readonly name = 'test line'
  readonly canPause = true
  readonly canDuck = false
  readonly incoming = new Channel<Audio>()
  readonly clock: TestClock
  closed = 0

  constructor(clock: TestClock) {
    this.clock = clock
  }

  open({ sampleRate, ended }: { sampleRate: number; ended: (end: TrackEnd) => void }): Track {
    return new TestTrack(this.clock, sampleRate, ended)
  }

  close(): void {
    this.closed += 1
  }
}

class TestTrack implements Track {
  #length = 0
  #heard = 0
  #since: number | null = null
  #whole = false
  #over = false
  #timer: Disposable | null = null
  readonly #clock: TestClock
  readonly #rate: number
  readonly #ended: (end: TrackEnd) => void

  constructor(clock: TestClock, rate: number, ended: (end: TrackEnd) => void) {
    this.#clock = clock
    this.#rate = rate
    this.#ended = ended
  }

  get position(): number {
    const since = this.#since === null ? 0 : this.#clock.now() - this.#since
    return Math.min(this.#length, this.#heard + since)
  }

  write(samples: Int16Array): void {
    this.#length += (samples.length / this.#rate) * 1_000
    this.#wait()
  }

  end(): void {
    this.#whole = true
    this.#wait()
  }

  play(): void {
    this.#since = this.#clock.now()
    this.#wait()
  }

  pause(): void {
    this.#heard = this.position
    this.#since = null
    this.#wait()
  }

  resume(): void {
    this.play()
  }

  clear(): void {
    this.#finish(true)
  }

  #wait(): void {
    this.#timer?.[Symbol.dispose]()
    if (this.#over || this.#since === null || !this.#whole) return
    this.#timer = this.#clock.at(this.#clock.now() + this.#length - this.position, () => this.#finish(false))
  }

  #finish(cleared: boolean): void {
    if (this.#over) return
    this.#over = true
    this.#timer?.[Symbol.dispose]()
    this.#ended({ position: this.position, cleared })
  }
}

export type Said =
  | string
  | Error
  | readonly (LLMPart | string)[]
  | ((request: GenerateRequest, signal: AbortSignal) => AsyncIterable<LLMPart>)

export const call = (name: string, args: object | string = {}, id?: string): LLMPart => ({
  type: 'call',
  name,
  args: typeof args === 'string' ? args : JSON.stringify(args),
  ...(id !== undefined && { id }),
})

/** A model that says its lines in order, each 100 ms after it was asked. Asked for more, it says nothing. */
export class TestLLM implements LLM {
  readonly name = 'test model'
  readonly requests: GenerateRequest[] = []
  readonly #lines: Said[]
  readonly #clock: TestClock

  constructor(clock: TestClock, lines: readonly Said[]) {
    this.#clock = clock
    this.#lines = [...lines]
  }

  async *generate(request: GenerateRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<LLMPart> {
    this.requests.push(request)
    const line = this.#lines.shift() ?? ''
    if (typeof line === 'function') return yield* line(request, signal)
    await this.#clock.sleep(100, signal)
    if (line instanceof Error) throw line
    for (const part of typeof line === 'string' ? [line] : line)
      yield typeof part === 'string' ? { type: 'text', text: part } : part
  }
}

/** Speaks ten letters in a second, and makes the sound at once. */
export const voice: TTS = {
  name: 'test voice',
  sampleRate: 8_000,
  async *speak(text) {
    for await (const piece of text) {
      for (const word of piece.match(/\S+\s*/g) ?? []) yield { audio: new Int16Array(word.length * 800), text: word }
    }
  },
}

export interface World {
  readonly clock: TestClock
  readonly line: TestLine
  readonly llm: TestLLM
  readonly session: AgentSession
  readonly events: SessionEvent[]
  /** Says it on the caller's side, as a recogniser with ears for pauses hears it. */
  readonly hear: Channel<Transcript>
}

export interface WorldOptions extends Partial<SessionOptions> {
  /** Without, the agent writes. */
  readonly speaks?: boolean
  /** With, the caller is heard through `hear`. */
  readonly hears?: boolean
}

export const silent: Agent = agent({ instructions: 'Wait.', greet: false })

/** A session in a world of its own. */
export function world(
  root: Agent,
  lines: readonly Said[],
  { speaks = false, hears = false, ...options }: WorldOptions = {},
): World {
  const clock = new TestClock()
  const line = new TestLine(clock)
  const llm = new TestLLM(clock, lines)
  const hear = new Channel<Transcript>()
  const stt = { name: 'test ear', sampleRate: 16_000, transcribe: () => hear }
  const session = start(root, {
    line,
    llm,
    clock,
    ...(speaks && { tts: voice }),
    ...(hears && { stt }),
    id: 'test',
    ...options,
  })
  const events: SessionEvent[] = []
  void (async () => {
    for await (const event of session) events.push(event)
  })()
  return { clock, line, llm, session, events, hear }
}

/** Closes the session, which may wait a while for what runs. */
export async function close({ session, clock }: Pick<World, 'session' | 'clock'>): Promise<void> {
  const closed = session.close()
  await clock.advance(20_000)
  await closed
}

export const of = <Type extends SessionEvent['type']>(
  events: readonly SessionEvent[],
  type: Type,
): Extract<SessionEvent, { type: Type }>[] =>
  events.filter((event): event is Extract<SessionEvent, { type: Type }> => event.type === type)
