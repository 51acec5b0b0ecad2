import { z } from 'zod'
import { type Agent, agent, type Task, type Tool, type ToolOptions, type Tools, task, tool } from '../../src/index.js'
import { type Act, type Scripts, type Stage, toolCall, user } from '../../src/testing/index.js'

/** The words beside the call of `collect`, five seconds long. */
export const PRE = 'Sure let me collect your details now please'

/** Agents, tools and tasks that most scenarios are played with. */
export interface Cast {
  readonly A: Agent
  readonly T: Task<{ value: string }>
}

export interface CastOptions {
  /** ms before `collect` awaits the task. */
  readonly pre?: number
  /** ms that it works afterwards. */
  readonly post?: number
  /** ms that `slow` works. */
  readonly slow?: number
  readonly onInterrupt?: 'cancel'
  readonly tools?: Readonly<Record<string, Tool>>
}

/** Opens with the task's question as soon as it has the conversation, and ends with what the user says. */
const question = (): Cast['T'] =>
  task({ name: 'T', instructions: 'You are T.', result: z.object({ value: z.string() }) })

/** A has the tool `collect`, which awaits T with its words protected, and `slow`, which only works. */
export function cast(stage: Stage, { pre = 0, post = 0, slow = 0, onInterrupt, tools = {} }: CastOptions = {}): Cast {
  const T = question()
  const collect = tool({
    description: 'Collects the details.',
    ...(onInterrupt && { onInterrupt }),
    async execute(_, run) {
      if (pre > 0) await stage.sleep(pre)
      await run.task(T, { speech: 'finish' })
      if (post > 0) await stage.sleep(post)
      return 'collected'
    },
  })
  const work = tool({
    description: 'Works.',
    async execute() {
      await stage.sleep(slow)
      return 'slowresult'
    },
  })
  const A = agent({ name: 'A', instructions: 'You are A.', greet: false, tools: { collect, slow: work, ...tools } })
  return { A, T }
}

/** What the user says at first. Committed at 3,000. */
export const opening: Act = user(500, 2_500, 'book me')

/** The scripts of a conversation with `collect`; `more`: what A says before it is told the result. */
export const collecting = (...more: string[]): Scripts => ({
  A: [[PRE, toolCall('collect')], ...more, 'All done.'],
  T: ['What is it?', toolCall('finish', { value: 'ok' })],
})

export const durations = {
  [PRE]: 5_000,
  'What is it?': 1_000,
  'All done.': 1_000,
  'Sure.': 1_000,
  'Yes.': 1_000,
  'Okay.': 1_000,
}

/** An agent that speaks when it is spoken to. */
export const silent = (name: string, tools: Tools = {}): Agent =>
  agent({ name, instructions: `You are ${name}.`, greet: false, tools })

/** A tool that works for `ms`, and returns `result`. */
export const works = (stage: Stage, ms: number, result = 'done', more: Partial<ToolOptions> = {}): Tool<undefined> =>
  tool({
    description: 'Works.',
    ...more,
    async execute(_, run) {
      await stage.sleep(ms, run.signal)
      return result
    },
  })
