import type { AgentRef, CallOutcome, Id } from '../../src/conversation/protocol.js'
import type { Ordered, Stage } from './stage.js'

interface Work {
  readonly call: Id
  readonly agent: Id
  /** Told to stop. */
  aborted: boolean
  ended: boolean
}
type Answer = (done: boolean) => void

const told = (output: string): CallOutcome => ({ output, error: false, silent: false, handoff: null })
const failed = (output: string): CallOutcome => ({ output, error: true, silent: false, handoff: null })
const silent: CallOutcome = { output: null, error: false, silent: true, handoff: null }

/** Functions that somebody wrote: quick, slow, broken, deaf, or asking for tasks. */
export class Tools {
  readonly #stage: Stage
  readonly #work = new Map<Id, Work>()
  readonly #asked = new Map<Id, Answer>()
  /** Which task an agent carries out. */
  readonly taskOf = new Map<Id, Id>()
  onSay: (() => void) | null = null

  constructor(stage: Stage) {
    this.#stage = stage
  }

  get running(): readonly Id[] {
    return [...this.#work.values()].filter((work) => !work.ended).map((work) => work.call)
  }

  get asked(): readonly Id[] {
    return [...this.#asked.keys()]
  }

  perform(command: Ordered<'call' | 'hook' | 'call-abort' | 'task-resolve' | 'task-reject'>): void {
    switch (command.type) {
      case 'call':
        return this.#call(this.#begin(command.call, command.agent), command.name)
      case 'hook':
        return this.#hook(this.#begin(command.call, command.agent), command)
      case 'call-abort':
        return this.#abort(command.call)
      case 'task-resolve':
        return this.#settle(command.task, true)
      case 'task-reject':
        return this.#settle(command.task, false)
    }
  }

  /** A task that cannot be had settles at once. */
  refuse(request: Id): void {
    this.#settle(request, false)
  }

  #begin(call: Id, agent: Id): Work {
    const work: Work = { call, agent, aborted: false, ended: false }
    this.#work.set(call, work)
    return work
  }

  #call(work: Work, name: string): void {
    const { random } = this.#stage
    if (this.#stage.fails('toolHang') || name === 'hang') return
    if (random.chance(0.2)) this.#fill(work)
    const delay = name === 'slow' ? random.int(1_000, 9_000) : random.pick([0, random.int(0, 300)])
    this.#later(work, delay, () => {
      if (this.#stage.fails('toolFail')) this.#end(work, failed('broken'))
      else this.#does(work, name)
    })
  }

  /** Asks that the silence be bridged while it works. */
  #fill(work: Work): void {
    const { random } = this.#stage
    const texts = ['one moment', 'still looking'].slice(0, random.int(1, 2))
    const interval = random.pick([null, 800])
    this.#stage.send({ type: 'call-filler', call: work.call, texts, delay: random.pick([300, 1_000]), interval })
  }

  #does(work: Work, name: string): void {
    const { random } = this.#stage
    const end = () => this.#end(work, told(`${name} is done`))
    switch (name) {
      case 'fail':
        return this.#end(work, failed('broken'))
      case 'handoff':
        return this.#handOff(work)
      case 'silent':
        return this.#end(work, silent)
      case 'speak':
        this.onSay?.()
        return this.#later(work, random.int(0, 500), end)
      case 'update':
        return this.#update(work, random.int(1, 2), end)
      case 'cancel':
        this.#stage.send({ type: 'call-cancel', call: random.pick(this.running), reason: 'not wanted any more' })
        return end()
      case 'finish':
      case 'fail task':
        return this.#finish(work, name === 'finish')
      case 'ask':
        return void this.#ask(work, (done) => this.#end(work, done ? told('asked') : failed('no answer')))
      case 'askTwice':
        return void this.#ask(work, () => this.#later(work, random.int(0, 300), () => this.#ask(work, end)))
      case 'askTogether':
        return this.#askTogether(work, end)
      case 'desert':
        this.#ask(work, () => {})
        return this.#later(work, random.int(0, 4_000), end)
      default:
        return end()
    }
  }

  #hook(work: Work, { hook, text }: Ordered<'hook'>): void {
    const { random } = this.#stage
    if (this.#stage.fails('toolHang')) return
    this.#later(work, random.pick([0, 100, 1_500]), () => {
      if (hook === 'turn') return this.#turn(work, text ?? '')
      const end = () => this.#end(work, this.#stage.fails('toolFail') ? failed('broken') : silent)
      if (random.chance(0.3)) this.onSay?.()
      if (random.chance(0.4)) this.#ask(work, () => this.#later(work, random.int(0, 200), end))
      else end()
    })
  }

  #turn(work: Work, text: string): void {
    const { random } = this.#stage
    if (random.chance(0.1)) return void this.#ask(work, () => this.#turn(work, text))
    if (this.#stage.fails('toolFail') || random.chance(0.15)) return this.#end(work, silent)
    work.ended = true
    const edited = random.chance(0.3) ? `${text} ${this.#stage.id('edit')}` : text
    this.#stage.send({ type: 'turn-pass', call: work.call, text: edited, reply: random.chance(0.9) })
  }

  /** Whoever takes over within a task carries it on. */
  #handOff(work: Work): void {
    const handoff = this.#stage.newAgent()
    const task = this.taskOf.get(work.agent)
    if (task !== undefined) this.taskOf.set(handoff.id, task)
    this.#end(work, { ...told('you take over'), handoff })
  }

  #update(work: Work, count: number, end: () => void): void {
    const { random } = this.#stage
    this.#stage.send({ type: 'call-update', call: work.call, text: `${count} to go` })
    this.#later(work, random.int(0, 3_000), count > 1 ? () => this.#update(work, count - 1, end) : end)
  }

  /** The tool that ends the task of its agent; elsewhere it is a tool like others. */
  #finish(work: Work, well: boolean): void {
    const task = this.taskOf.get(work.agent)
    if (task === undefined) return this.#end(work, told('there is nothing to finish'))
    if (this.#stage.random.chance(0.1)) return this.#end(work, failed('the schema does not accept it'))
    this.#stage.send({ type: 'task-finish', task, error: well ? null : 'it cannot be done' })
    this.#later(work, this.#stage.random.pick([0, 0, 400]), () => this.#end(work, silent))
  }

  #ask(work: Work, then: Answer): Id {
    const { random } = this.#stage
    const agent: AgentRef = this.#stage.newAgent()
    const task = this.#stage.id('k')
    this.taskOf.set(agent.id, task)
    this.#asked.set(task, (done) => this.#later(work, random.pick([0, 20]), () => then(done)))
    const speech = random.pick(['yield', 'yield', 'finish'] as const)
    this.#stage.send({ type: 'task-start', task, call: work.call, agent, speech })
    return task
  }

  #askTogether(work: Work, end: () => void): void {
    const left = new Set<Id>()
    const then = (task: () => Id) => () => {
      left.delete(task())
      if (left.size === 0) end()
    }
    const first: Id = this.#ask(
      work,
      then(() => first),
    )
    const second: Id = this.#ask(
      work,
      then(() => second),
    )
    left.add(first).add(second)
  }

  #settle(task: Id, done: boolean): void {
    const answer = this.#asked.get(task)
    this.#asked.delete(task)
    if (answer !== undefined) this.#stage.after(0, () => answer(done))
  }

  #abort(call: Id): void {
    const work = this.#work.get(call)
    if (work === undefined || work.ended) return
    work.aborted = true
    if (this.#stage.fails('toolStubborn')) return
    this.#stage.after(this.#stage.random.int(0, 80), () => this.#end(work, failed('aborted')))
  }

  #end(work: Work, outcome: CallOutcome): void {
    if (work.ended && !this.#stage.fails('toolTwice')) return
    work.ended = true
    this.#stage.send({ type: 'call-end', call: work.call, outcome })
  }

  #later(work: Work, delay: number, run: () => void): void {
    this.#stage.after(delay, () => {
      if (!work.ended) run()
    })
  }
}
