import { z } from 'zod'
import { type Agent, agent, task, tool, type VAD } from '../../src/index.js'
import {
  type Act,
  at,
  hangUp,
  heard,
  noise,
  type SceneMaker,
  type Script,
  type Stage,
  toolCall,
  typed,
  user,
} from '../../src/testing/index.js'
import type { Plan } from './moments.js'

/** The words beside the call. They sound from here on. */
export const beside = 'Sure let me collect your details now please'
const soundsFrom = 500
const done = 'All done.'
/** What agents say, who does, and how often it may be heard: the user says something three times. */
export const lines: readonly { readonly text: string; readonly by: string | null; readonly most: number }[] = [
  { text: beside, by: 'A', most: 1 },
  { text: 'What is it?', by: 'T', most: 1 },
  { text: done, by: 'A', most: 1 },
  { text: 'Yes I am.', by: null, most: 3 },
  { text: 'Here is B.', by: 'B', most: 3 },
]
/** What the user says at first, over the agent, and at last. No word comes twice. */
export const said = { first: 'book me', over: 'wait stop please', last: 'still there' }
/** When the last words are spoken, and when the scene ends. */
export const lastWords = { from: 8_000, to: 8_600, final: 8_800 }
const end = 15_000

/** The voice over the agent. */
export function voiceOf({ at: { decided, quiet } }: Plan): { readonly from: number; readonly to: number } {
  const from = Math.max(0, decided! - 500)
  return { from, to: Math.max(from + 100, quiet! - 500) }
}

/** The scene in which everything happens when the plan says so. */
export const sceneOf =
  (plan: Plan): SceneMaker =>
  (stage) => {
    const { at: when, canPause, eager } = plan
    const voice = voiceOf(plan)
    const B = agent({ name: 'B', instructions: 'You are B.', greet: eager })
    return {
      bench: 'scenario',
      ...castOf(stage, plan, B),
      timeline: [typed(0, said.first), ...actsOf(plan, B), user(lastWords.from, lastWords.to, said.last)],
      tts: { duration: { [beside]: Math.max(100, when.heardOut! - soundsFrom), 'What is it?': 1_500 } },
      line: { canPause, frame },
      vad: ear,
      options: {
        turnHandling: {
          endpointing: { minDelay: Math.max(0, when.committed! - voice.to) },
          interruption: {
            falseInterruptionTimeout: Math.max(0, when.resumed! - voice.to - 500),
            words: eager ? 'interim' : 'final',
          },
        },
        speculation: { openings: eager },
      },
      until: end,
    }
  }

/** ms of sound that is heard at a time, and looked at. */
const frame = 50

/** Takes whatever sounds in the middle of a frame for a voice: there are thousands of scenes to be played. */
const ear: VAD = {
  name: 'quick VAD',
  sampleRate: 16_000,
  detection: { start: 50, silence: 500 },
  open: () => ({ frameSize: frame * 16, process: (samples) => (samples[frame * 8] === 0 ? 0.02 : 0.95) }),
}

function actsOf(plan: Plan, B: Agent): Act[] {
  const { final, handedIn, stopped, replaced, closed, drained, left } = plan.at
  const { from, to } = voiceOf(plan)
  const sofar = { type: 'transcript', text: 'wait stop', final: false } as const
  return [
    noise(from, to),
    ...(final === null ? [] : [heard(final - 100, sofar), heard(final, said.over)]),
    ...(handedIn === null ? [] : [at(handedIn, (session) => session.commitUserTurn(), 'hand in')]),
    ...(stopped === null ? [] : [at(stopped, (session) => session.interrupt({ force: true }), 'stop')]),
    ...(replaced === null ? [] : [at(replaced, (session) => session.updateAgent(B), 'replace')]),
    ...(closed === null ? [] : [at(closed, (session) => session.close(), 'close')]),
    ...(drained === null ? [] : [at(drained, (session) => session.close({ drain: true }), 'drain')]),
    ...(left === null ? [] : [hangUp(left)]),
  ]
}

/** A has a tool that awaits T; whoever has `transfer` may hand over to B. */
function castOf(stage: Stage, { place, at: when, speech, onInterrupt }: Plan, B: Agent) {
  const until = (time: number | null) => stage.sleep(Math.max(0, (time ?? 0) - stage.clock.now()))
  const transfer = tool({
    description: 'Hands over.',
    async execute() {
      await until(when.transferred)
      return B
    },
  })
  const settle = tool({
    description: 'Ends the task.',
    async execute(_, run) {
      await until(when.completed)
      await run.finish({ value: 'ok' })
    },
  })
  const tools = when.transferred === null ? {} : { transfer }
  const T = task({
    name: 'T',
    instructions: 'You are T.',
    result: z.object({ value: z.string() }),
    tools: { settle, ...(place === 'inside' && tools) },
  })
  const collect = tool({
    description: 'Collects the details.',
    onInterrupt,
    async execute(_, run) {
      await until(when.asked)
      if (place === 'alone') await until(when.completed)
      else await noted(stage, run.task(T, { speech }))
      return 'collected'
    },
  })
  const A = agent({
    name: 'A',
    instructions: 'You are A.',
    greet: false,
    tools: { collect, ...(place !== 'inside' && tools) },
  })
  return {
    agent: A,
    cast: [T, B],
    llm: { A: calls(beside, A), T: calls('What is it?', T), B: (() => 'Here is B.') as Script },
  }
}

/** Calls all tools of an agent beside its first words, once; tells what became of `collect`, once. */
function calls(words: string, { tools }: { readonly tools: object }): Script {
  const names = Object.keys(tools)
  return ({ messages }) => {
    const missing = names.filter((name) => !messages.some((each) => each.role === 'call' && each.name === name))
    if (missing.length > 0) return [words, ...missing.map((name) => toolCall(name))]
    const isKnown = messages.some((each) => each.role === 'output' && each.name === 'collect' && !each.running)
    const isTold = messages.some((each) => each.role === 'assistant' && each.text === done)
    return isKnown && !isTold ? done : 'Yes I am.'
  }
}

/** Notes how often, and how, what a tool waits for settles. */
async function noted(stage: Stage, awaited: Promise<unknown>): Promise<void> {
  stage.mark('asked')
  try {
    await awaited
    stage.mark('settled', 'done')
  } catch (error) {
    stage.mark('settled', (error as Error).name)
    throw error
  }
}
