import { UsageError } from '../../api/errors.js'
import type { AgentSession, SessionEvent } from '../../api/session.js'
import { start } from '../../index.js'
import type { VirtualClock } from '../clock.js'
import { type Evidence, testify } from '../laws/evidence.js'
import type { TestLine } from '../line.js'
import type { Mutable, ScriptedLLM } from '../llm.js'
import type { AnswerTiming, Script } from '../script.js'
import type { ScriptedTTS, ScriptedTTSOptions } from '../voice.js'
import { type Act, type Stage, transcriptsOf } from './acts.js'
import { ofType } from './collect.js'
import { Equipment } from './equipment.js'
import type { ActRun, Leftovers, TimedEvent } from './observed.js'
import { checkAct, checkScene, type Scene, type SceneMaker } from './scene.js'
import { type Execution, watchSession } from './tools.js'

/** How long the end of a session is waited for, and how long a session that is busy may be. ms. */
const patience = 60_000
const longest = 120_000
/** For so long nothing must happen in a session that rests; it is looked at so often. ms. */
const rest = 1_500
const step = 50

/** A session, what happens to it, and what is seen of it. */
export class World implements Stage {
  readonly equipment = new Equipment()
  readonly scene: Scene
  readonly events: TimedEvent[] = []
  readonly executions: Execution[] = []
  readonly acts: Mutable<ActRun>[] = []
  readonly marks: { at: number; name: string; data: unknown }[] = []
  readonly #timers: Disposable[] = []
  #session: AgentSession | undefined
  #closed = false

  constructor(make: SceneMaker) {
    this.scene = checkScene(typeof make === 'function' ? make(this) : make)
  }

  get clock(): VirtualClock {
    return this.equipment.clock
  }

  get line(): TestLine {
    return this.equipment.line
  }

  get session(): AgentSession {
    if (this.#session) return this.#session
    throw new UsageError('the session of the scene was not started yet: use it inside tools, hooks and acts')
  }

  /** Starts the session, and what the timeline says. */
  open(): void {
    const { agent, cast = [], timeline = [] } = this.scene
    for (const each of [agent, ...cast]) this.equipment.cast.meet(each)
    const session = start(agent, this.equipment.optionsFor(this.scene))
    this.#session = session
    this.equipment.cast.follow(session)
    watchSession(session, { now: () => this.clock.now(), began: (execution) => this.executions.push(execution) })
    testify(session, () => this.#evidence())
    void session.closed.then(() => {
      this.#closed = true
    })
    void this.#listen(session)
    this.scene.start?.(session, this)
    for (const act of timeline) this.perform(act)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.clock.sleep(ms, signal)
  }

  mark(name: string, data?: unknown): void {
    this.marks.push({ at: this.clock.now(), name, data })
  }

  llm(script: Script, options?: AnswerTiming & { readonly name?: string }): ScriptedLLM {
    return this.equipment.llm(script, options)
  }

  tts(options?: Omit<ScriptedTTSOptions, 'clock'>): ScriptedTTS {
    return this.equipment.tts(options)
  }

  perform(act: Act): void {
    checkAct('the act', act)
    const { line, ear, hearing } = this.equipment
    if ('user' in act) {
      line.say(act.from, act.to)
      for (const { at, heard } of transcriptsOf(act, hearing)) this.#at(at, () => ear.hear(heard))
    } else if ('noise' in act) line.say(act.from, act.to)
    else if ('heard' in act) {
      const { heard } = act
      this.#at(act.at, () => (heard instanceof Error ? ear.fail(heard) : ear.hear(heard)))
    } else if ('hangUp' in act) this.#at(act.at, () => line.hangUp())
    else if ('typed' in act) {
      const options = act.interrupt === undefined ? {} : { interrupt: act.interrupt }
      this.#do('typed', act.at, () => this.session.text(act.typed, options))
    } else this.#do(act.name ?? 'act', act.at, () => act.do(this.session, this))
  }

  /** Lets time pass until nothing is said, made or worked at; two minutes at most. */
  async rest(): Promise<void> {
    let quiet = 0
    for (let waited = 0; quiet < rest && waited < longest; waited += step) {
      await this.clock.advance(step)
      quiet = this.#busy() ? 0 : quiet + step
    }
  }

  /** Closes the session if it is open, and waits for its end. */
  async close(): Promise<void> {
    for (const timer of this.#timers) timer[Symbol.dispose]()
    if (!this.#closed) void this.session.close()
    for (let waited = 0; !this.#closed && waited < patience; waited += step) await this.clock.advance(step)
    await this.clock.settle()
  }

  /** Lets go of the world itself. */
  dispose(): void {
    this.line.close()
  }

  /** What there is of the session's at this moment. */
  leftovers(): Leftovers {
    const { meter, line, models, voices, ear } = this.equipment
    const closing = ofType(this.events, 'closing')[0]
    const closed = ofType(this.events, 'closed')[0]
    return {
      timers: meter.openTimers,
      tracks: line.openTracks,
      requests: running(models),
      voices: running(voices),
      ears: ear.open,
      lineClosed: line.closed,
      closing: closed ? closed.at - (closing?.at ?? closed.at) : null,
    }
  }

  #busy(): boolean {
    const { agentState, userState } = this.session
    if (this.#closed) return false
    const working = this.executions.some(({ outcome }) => outcome === 'running')
    return working || agentState === 'thinking' || agentState === 'speaking' || userState === 'speaking'
  }

  #at(time: number, run: () => void): void {
    this.#timers.push(this.clock.at(time, run))
  }

  #do(name: string, at: number, act: () => unknown): void {
    this.#at(at, () => {
      const run: Mutable<ActRun> = { at, name, end: null, outcome: 'running' }
      this.acts.push(run)
      const end = (outcome: ActRun['outcome'], result: Partial<ActRun>) =>
        Object.assign(run, { end: this.clock.now(), outcome, ...result })
      // what is thrown at once ends at once, without a turn of the event loop between
      try {
        const value = act()
        if (!(value instanceof Promise)) end('done', { value })
        else
          void value.then(
            (settled: unknown) => end('done', { value: settled }),
            (error: unknown) => end('threw', { error }),
          )
      } catch (error) {
        end('threw', { error })
      }
    })
  }

  async #listen(session: AgentSession): Promise<void> {
    for await (const event of session) {
      this.events.push({ at: this.clock.now(), event: asTold(event) })
      this.equipment.cast.meet(session.agent)
    }
  }

  /** What the laws are judged by beyond what the session says. */
  #evidence(): Partial<Evidence> {
    const { line, models, voices } = this.equipment
    const { tts } = this.scene
    const endedAt = ofType(this.events, 'closed')[0]?.at ?? null
    return {
      now: this.clock.now(),
      endedAt,
      events: this.events,
      // where nobody speaks, what is written counts as heard
      ...((tts !== null || line.sounds.length > 0) && { sounds: line.sounds }),
      aligned: (tts && 'aligned' in tts && tts.aligned) || 'words',
      requests: models.flatMap(({ requests }) => requests),
      voices: voices.flatMap(({ requests }) => requests),
      ...(endedAt !== null && { open: this.leftovers() }),
    }
  }
}

const running = (providers: readonly { readonly requests: readonly { readonly outcome: string }[] }[]): number =>
  providers.flatMap(({ requests }) => requests).filter(({ outcome }) => outcome === 'running').length

/** Items in events go on growing; this is the event as it was told. */
const asTold = (event: SessionEvent): SessionEvent => (event.type === 'error' ? event : structuredClone(event))
