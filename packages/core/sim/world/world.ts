import type { AgentRef, Command, Id, Input } from '../../src/conversation/protocol.js'
import type { Settings } from '../../src/conversation/settings.js'
import { Random } from '../random.js'
import { Application } from './application.js'
import { Line } from './line.js'
import { Model } from './model.js'
import { type Pending, Queue } from './queue.js'
import { drawAgent, drawFaults, drawSettings, type Fault, type Faults } from './scenario.js'
import type { Stage } from './stage.js'
import { Tools } from './tools.js'
import { User } from './user.js'
import { Voice } from './voice.js'

/** What the world needs of a conversation: it is a function of its inputs. */
export interface Machine {
  receive(input: Input, now: number): readonly Command[]
}

export interface Options {
  readonly seed: number
  /** How many things the user and the application do before all comes to rest. */
  readonly events: number
  readonly machine: (settings: Settings, root: AgentRef) => Machine
  /** Sees each input with what the conversation made of it. */
  readonly witness?: (input: Input, commands: readonly Command[], now: number) => void
  /** Faults have stopped and nobody acts any more: there is nothing left that would happen by itself. */
  readonly rested?: () => void
}

const mostSteps = 30_000

/**
 * A user, a model, a voice, a line, tools and an application, none of them reliable, on one virtual clock. One seed decides
 * who they are and every latency, fault and race. At last faults stop: then everything must converge, and end.
 */
export class World implements Stage {
  readonly random: Random
  readonly settings: Settings
  readonly root: AgentRef
  now = 0
  steps = 0
  readonly #options: Options
  readonly #machine: Machine
  readonly #queue = new Queue()
  readonly #user: User
  readonly #model: Model
  readonly #voice: Voice
  readonly #line: Line
  readonly #tools: Tools
  readonly #application: Application
  readonly #hooks: boolean
  #faults: Faults
  #ids = 0
  #order = 0
  #timer: Pending | null = null
  #closed = false

  constructor(options: Options) {
    const random = new Random(options.seed)
    this.#options = options
    this.random = random
    this.settings = drawSettings(random)
    this.#faults = drawFaults(random)
    this.#hooks = random.chance(0.4)
    this.root = this.newAgent()
    this.#machine = options.machine(this.settings, this.root)
    this.#user = new User(this)
    this.#model = new Model(this)
    this.#line = new Line(this)
    this.#voice = new Voice(this, this.#line, this.#model)
    this.#tools = new Tools(this)
    this.#application = new Application(this, this.#model, this.#tools)
    this.#user.onTurn = () => this.#modelTakesTurn()
  }

  run(): this {
    this.after(0, () => this.send({ type: 'start' }))
    const end = this.#live()
    this.after(end, () => {
      for (const fault of Object.keys(this.#faults) as Fault[]) this.#faults[fault] = 0
    })
    this.#play()
    if (this.#closed) return this
    this.#options.rested?.()
    this.#application.end()
    this.#play()
    return this
  }

  // ── what all of them share ───────────────────────────────────────────────────────────────────

  send(input: Input): void {
    this.steps += 1
    if (this.steps > mostSteps) throw new Error('the scenario does not come to rest')
    const commands = this.#machine.receive(input, this.now)
    this.#options.witness?.(input, commands, this.now)
    for (const command of commands) this.#perform(command)
  }

  after(delay: number, run: () => void): Pending {
    this.#order += 1
    // what happens at one instant happens in any order
    const order = this.random.next() + this.#order * 1e-12
    return this.#queue.add({ at: this.now + delay, order, run })
  }

  fails(fault: Fault): boolean {
    const rate = this.#faults[fault]
    return rate > 0 && this.random.chance(rate)
  }

  id(kind: string): Id {
    this.#ids += 1
    return `${kind}.${this.#ids}`
  }

  newAgent(): AgentRef {
    return drawAgent(this.random, this.id('agent'), this.#hooks)
  }

  // ── life ─────────────────────────────────────────────────────────────────────────────────────

  /** Plans what the user and the application will do; returns when they are done with it. */
  #live(): number {
    const { random } = this
    let free = 0
    let at = 0
    for (let i = 0; i < this.#options.events; i++) {
      at += random.pick([0, 50, 300, 1_500, 6_000]) + random.int(0, 200)
      if (random.chance(0.6)) {
        at = Math.max(at, free)
        const moment = at
        free = moment + 9_000
        this.after(moment, () => this.#user.utter())
        at += random.pick([200, 1_000, 4_000, 9_000])
      } else this.after(at, () => this.#anything())
    }
    if (random.chance(0.5)) this.after(random.int(0, at + 2_000), () => this.#application.end())
    if (random.chance(0.1)) this.after(random.int(0, at + 2_000), () => this.#application.end())
    return Math.max(at, free)
  }

  #anything(): void {
    const { random } = this
    if (this.fails('nonsense')) return this.#user.babble()
    if (this.fails('serviceError')) return this.#application.suffer()
    if (this.fails('tickIdle')) return this.send({ type: 'tick' })
    if (random.chance(0.1)) return this.#user.type()
    if (this.settings.turns === 'model' && random.chance(0.1)) return this.#modelTakesTurn()
    this.#application.act()
  }

  #modelTakesTurn(): void {
    if (this.random.chance(0.1)) return
    this.after(this.random.pick([0, 30, 300]), () => this.#model.startItself(false))
  }

  #play(): void {
    for (let next = this.#queue.take(); next !== undefined; next = this.#queue.take()) {
      this.now = next.at
      next.run!()
    }
  }

  // ── what the conversation asks for ───────────────────────────────────────────────────────────

  #perform(command: Command): void {
    switch (command.type) {
      case 'generate':
      case 'generate-cancel':
        return this.#model.perform(command, command.type === 'generate' && this.#tools.taskOf.has(command.agent))
      case 'speak':
        this.#line.perform(command)
        return this.#voice.perform(command)
      case 'speak-text':
      case 'speak-flush':
      case 'speak-end':
        return this.#voice.perform(command)
      case 'play':
      case 'pause':
      case 'resume':
      case 'duck':
      case 'unduck':
      case 'clear':
        if (command.type === 'clear') this.#voice.stop(command.speech)
        return this.#line.perform(command)
      case 'call':
      case 'hook':
      case 'call-abort':
      case 'task-resolve':
      case 'task-reject':
        return this.#tools.perform(command)
      case 'refuse':
        return this.#tools.refuse(command.request)
      case 'predict-turn-end':
      case 'flush-transcript':
        return this.#user.perform(command)
      case 'wake':
        return this.#wake(command.at)
      case 'emit':
        if (command.event.type === 'closed') this.#closed = true
        return this.#application.notice(command.event)
      case 'truncate':
        return
    }
  }

  #wake(at: number | null): void {
    if (this.#timer !== null) this.#timer.run = null
    if (at === null) {
      this.#timer = null
      return
    }
    const late = this.fails('tickLate') ? this.random.int(1, 120) : 0
    this.#timer = this.after(Math.max(0, at - this.now) + late, () => this.send({ type: 'tick' }))
  }
}
