import { z } from 'zod'
import type { RunContext, ToolResult, Tools } from '../../src/api/tool.js'
import { type Agent, agent, StopResponse, type Task, ToolError, task, tool } from '../../src/index.js'
import type { Stage } from '../../src/testing/index.js'
import type { Random } from '../random.js'
import type { Met } from './faults.js'

const email = z.object({ email: z.string().regex(/@/) })

/** Agents, their tools and tasks, some of which do not behave. */
export class Agents {
  readonly #random: Random
  readonly #stage: Stage
  readonly #met: Met
  #made = 0
  /** What a task was said to have resulted in. */
  readonly results: unknown[] = []

  constructor(random: Random, stage: Stage, met: Met) {
    this.#random = random
    this.#stage = stage
    this.#met = met
  }

  agent(depth = 0): Agent {
    return agent({ name: this.#name('agent'), ...this.#role(depth), tools: this.#tools(depth) })
  }

  #task(depth: number): Task<{ email: string }> {
    return task({ name: this.#name('task'), ...this.#role(depth), tools: this.#tools(depth), result: email })
  }

  #name(kind: string): string {
    this.#made += 1
    return `${kind}${this.#made}`
  }

  #role(depth: number) {
    const random = this.#random
    return {
      instructions: random.chance(0.5) ? 'Be kind.' : () => (random.chance(0.03) ? this.#crash() : 'Be brief.'),
      greet: random.chance(0.6),
      ...(random.chance(0.15) && { enter: this.#enter(depth) }),
      ...(random.chance(0.15) && { exit: () => this.#exit() }),
      ...(random.chance(0.15) && { userTurn: this.#userTurn() }),
    }
  }

  #enter(depth: number) {
    const asks = depth < 2 && this.#random.chance(0.3)
    return async (run: { task<R>(task: Task<R>): Promise<R> }): Promise<void> => {
      await this.#wait(this.#random.int(0, 400))
      if (asks) this.results.push(await run.task(this.#task(depth + 1)))
      else if (this.#random.chance(0.5)) this.#stage.session.say('Good day.')
    }
  }

  async #exit(): Promise<void> {
    await this.#wait(this.#random.int(0, 600))
    if (this.#random.chance(0.2)) this.#crash()
  }

  #crash(): never {
    this.#met.add('crash')
    throw new Error('the application is broken')
  }

  #userTurn() {
    return async (turn: { text: string }): Promise<void> => {
      await this.#wait(this.#random.int(0, 300))
      const fate = this.#random.next()
      if (fate < 0.1) throw new StopResponse()
      if (fate < 0.2) this.#crash()
      if (fate < 0.4) turn.text = `${turn.text} please`
    }
  }

  #tools(depth: number): Tools {
    const random = this.#random
    const tools: Record<string, Tools[string]> = {}
    for (const name of ['look', 'work', 'ask', 'hand'] as const) {
      if (random.chance(0.6)) tools[name] = this.#tool(name, depth)
    }
    if (depth < 2 && random.chance(0.2)) tools['other'] = this.agent(depth + 1)
    if (depth < 2 && random.chance(0.2)) tools['direct'] = this.#task(depth + 1)
    return tools
  }

  #tool(name: 'look' | 'work' | 'ask' | 'hand', depth: number) {
    const random = this.#random
    return tool({
      description: `Does what ${name} says.`,
      inputSchema: z.object({ n: z.number().int() }),
      timeout: random.pick([1_500, 20_000]),
      onInterrupt: random.pick(['continue', 'continue', 'cancel']),
      announce: random.pick(['always', 'unless-interrupted', 'never']),
      cancellable: random.chance(0.3),
      effect: random.pick(['pure', 'repeatable', 'irreversible']),
      duplicates: random.pick(['join', 'allow', 'reject', 'replace']),
      execute: ({ n }, run) => this.#execute(name, n, depth, run),
    })
  }

  async #execute(name: string, n: number, depth: number, run: RunContext): Promise<ToolResult> {
    const random = this.#random
    if (random.chance(0.1)) run.filler(['One moment.', 'Still looking.'], { delay: 500, interval: 900 })
    if (random.chance(0.1)) await run.waitForPlayout()
    if (random.chance(0.1)) run.disallowInterruptions()
    await this.#work(run)
    if (random.chance(0.05)) throw new ToolError('The book is closed.')
    if (random.chance(0.05)) this.#crash()
    if (random.chance(0.1)) run.update('It takes a while.')
    if (name === 'ask' && depth < 3) return this.#asks(depth, run)
    if (name === 'hand' && depth < 3) return this.agent(depth + 1)
    if (name === 'work') await this.#wait(random.int(0, 3_000), run.signal)
    const odd: readonly (() => ToolResult)[] = [() => undefined, () => ({ n }), () => 'fine', () => n]
    return random.pick(odd)()
  }

  /** Some listen when they are told to stop, some do not, and some never end. */
  #work({ signal }: RunContext): Promise<void> {
    const random = this.#random
    if (random.chance(0.03)) return this.#met.with('endless', new Promise(() => undefined))
    const takes = random.pick([0, 200, 1_200, 4_000])
    if (takes === 4_000) this.#met.add('slow')
    return this.#wait(takes, random.chance(0.8) ? signal : undefined)
  }

  async #asks(depth: number, run: RunContext): Promise<ToolResult> {
    const random = this.#random
    const speech = random.pick(['yield', 'finish'] as const)
    if (random.chance(0.2)) {
      const both = await Promise.all([0, 1].map(() => run.task(this.#task(depth + 1), { speech })))
      this.results.push(...both)
      return both
    }
    const result = await run.task(this.#task(depth + 1), { speech })
    this.results.push(result)
    return result
  }

  #wait(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#stage.sleep(ms, signal)
  }

  /** Every value of a task is one that its schema accepts. */
  get wrong(): readonly unknown[] {
    return this.results.filter((result) => !email.safeParse(result).success)
  }
}
