import { z } from 'zod'
import { type AgentSession, type RunResult, task, tool } from '../../src/index.js'
import { at, heard, type Observed, type Scene, toolCall } from '../../src/testing/index.js'
import { silent } from './cast.js'
import { must, scenarios, whole } from './runner.js'

const run = (time: number, text: string, name: string) => at(time, (session: AgentSession) => session.run(text), name)

/** What a run has brought, by what `at` calls it. */
function broughtBy({ acts }: Observed, name: string): string[] {
  const result = acts.find((act) => act.name === name)?.value as RunResult | undefined
  return (result?.items ?? []).map((item) => {
    if (item.type === 'call') return `call ${item.name}`
    if (item.type === 'output') return `output ${item.text}`
    return item.type === 'agent' ? `${item.cause} ${item.agent}` : `${item.type} ${item.text}`
  })
}

const played = (scene: Omit<Scene, 'bench'>): Scene => ({ bench: 'scenario', tts: { duration: 1_000 }, ...scene })

scenarios('runs', [
  {
    id: 'U-01',
    what: 'a run ends when its answer was heard, and brings the words and the answer',
    scene: played({ agent: silent('A'), llm: ['Hello.'], timeline: [run(0, 'hi', 'run')] }),
    expect: {
      audible: [whole('Hello.', 500, 1_510)],
      acts: { run: { at: 1_510, outcome: 'done' } },
      also(observed) {
        const brought = broughtBy(observed, 'run')
        must(brought.join() === 'user hi,assistant Hello.', `it brought ${brought.join()}`)
      },
    },
  },
  {
    id: 'U-02',
    what: 'a run ends where the caller is to speak, be it within a task; the next goes on from there',
    scene() {
      const T = task({ name: 'T', instructions: 'You are T.', result: z.object({ value: z.string() }) })
      const collect = tool({
        description: 'Collects.',
        execute: async (_, context) => (await context.task(T)).value,
      })
      return played({
        agent: silent('A', { collect }),
        cast: [T],
        timeline: [run(0, 'book me', 'first'), run(5_000, 'here', 'second')],
        llm: {
          A: [['One moment', toolCall('collect')], 'All done.'],
          T: ['What is it?', toolCall('finish', { value: 'ok' })],
        },
      })
    },
    expect: {
      audible: [whole('One moment', 500, 1_510), whole('What is it?', 2_010, 3_020), whole('All done.', 5_800, 6_810)],
      acts: { first: { at: 3_020, outcome: 'done' }, second: { at: 6_810, outcome: 'done' } },
      also(observed) {
        const [first, second] = [broughtBy(observed, 'first'), broughtBy(observed, 'second')]
        const one = ['user book me', 'assistant One moment', 'call collect', 'task T', 'assistant What is it?']
        const two = ['user here', 'call finish', 'output ', 'return A', 'output ok', 'assistant All done.']
        must(first.join() === one.join(), `the first brought ${first.join()}`)
        must(second.join() === two.join(), `the second brought ${second.join()}`)
      },
    },
  },
  {
    id: 'U-03',
    what: 'a tool in the background does not hold a run',
    scene: (stage) =>
      played({
        agent: silent('A', {
          slow: tool({
            description: 'Works.',
            async execute(_, context) {
              context.update('started')
              await stage.sleep(8_000)
              return 'finished'
            },
          }),
        }),
        timeline: [run(0, 'go', 'run')],
        llm: [toolCall('slow'), 'It has begun.', 'It is finished.'],
      }),
    expect: {
      audible: [whole('It has begun.', 800, 1_810), whole('It is finished.', 8_800, 9_810)],
      acts: { run: { at: 1_810, outcome: 'done' } },
      also(observed) {
        const brought = broughtBy(observed, 'run')
        const right = ['user go', 'call slow', 'output started', 'assistant It has begun.']
        must(brought.join() === right.join(), `it brought ${brought.join()}`)
      },
    },
  },
  {
    id: 'U-04',
    what: 'what a recogniser has heard is counted as it tells it, and each time told in all',
    scene: played({
      agent: silent('A'),
      timeline: [1, 2, 0.5].map((audioSeconds, n) => heard(1_000 * (n + 1), { type: 'usage', audioSeconds })),
    }),
    expect: {
      also({ events, session }) {
        const told = events.flatMap(({ at: time, event }) =>
          event.type === 'usage' && event.usage.kind === 'stt' && time < 10_000
            ? [`${event.usage.audioSeconds} ${time}`]
            : [],
        )
        must(told.join() === '1 1000,3 2000,3.5 3000', `told were ${told.join()}`)
        const ear = session.usage.totals.find(({ kind }) => kind === 'stt')
        must(ear?.kind === 'stt' && ear.audioSeconds === 3.5 && !ear.estimated, `in all ${JSON.stringify(ear)}`)
      },
    },
  },
])
