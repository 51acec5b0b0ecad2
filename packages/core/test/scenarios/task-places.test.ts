import { z } from 'zod'
import { type Agent, agent, type RunContext, type Task, task, tool, UsageError } from '../../src/index.js'
import { at, type Observed, type Scene, toolCall, user } from '../../src/testing/index.js'
import { cast, durations, opening } from './cast.js'
import { scenarios, whole } from './runner.js'

const result = z.object({ value: z.string() })
const question = () => task({ name: 'T', instructions: 'You are T.', result })

const scene = (A: Agent, more: readonly Agent[], rest: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: A,
  cast: more,
  tts: { duration: { 'One moment': 1_000, ...durations, 'Hi.': 1_000, 'Welcome.': 1_000, 'Hello.': 1_000 } },
  ...rest,
})

/** @throws {Error} unless exactly these things were noted. */
function noted({ marks }: Observed, ...wanted: readonly string[]): void {
  const seen = marks.map(({ at: when, name, data }) => `${when} ${name} ${String(data)}`)
  if (seen.join(', ') !== wanted.join(', '))
    throw new Error(`noted was ${seen.join(', ')}; expected ${wanted.join(', ')}`)
}

const refusal = (error: unknown): string => (UsageError.is(error) && error instanceof UsageError ? error.message : '?')

scenarios('where a task may be awaited', [
  {
    id: 'K-05',
    what: 'not in the hook that sees the user’s turn: that throws at once, and the turn is recorded and not answered',
    scene(stage) {
      const T = question()
      const A = agent({
        name: 'A',
        instructions: 'You are A.',
        greet: false,
        async userTurn(_, run) {
          await run.task(T).catch((error: unknown) => {
            stage.mark('threw', /in tools and in enter hooks/.test(refusal(error)))
            throw error
          })
        },
      })
      return scene(A, [T], { timeline: [opening], llm: { A: ['Never heard.'] } })
    },
    expect: {
      audible: [],
      history: [['user: book me', 3_000]],
      events: [
        [3_000, { type: 'user-turn-end', text: 'book me', reason: 'committed' }],
        [3_000, { type: 'error', source: 'hook' }],
      ],
      agents: [],
      errors: [/in tools and in enter hooks/],
      also: (observed) => noted(observed, '3000 threw true'),
    },
  },
  {
    id: 'K-06',
    what: 'not in the hook of an agent that leaves: that throws at once, and the hand-off, the next turn and the close go on',
    scene(stage) {
      const T = question()
      const A = agent({
        name: 'A',
        instructions: 'You are A.',
        greet: false,
        async exit(run) {
          await run
            .task(T)
            .catch((error: unknown) => stage.mark('threw', /in tools and in enter hooks/.test(refusal(error))))
        },
      })
      const B = agent({ name: 'B', instructions: 'You are B.', greet: false })
      return scene(A, [B, T], {
        timeline: [
          at(2_000, (session) => session.updateAgent(B), 'update'),
          user(5_000, 6_000, 'hello'),
          at(9_000, (session) => session.close(), 'close'),
        ],
        llm: { B: ['Hi.'] },
      })
    },
    expect: {
      audible: [whole('Hi.', 6_700, 7_710)],
      agents: [[2_000, 'B']],
      history: [
        ['user: hello', 6_500],
        ['agent: Hi.', 6_700],
      ],
      acts: { update: { at: 2_000, outcome: 'done' }, close: { at: 9_000, outcome: 'done' } },
      closed: 9_000,
      also: (observed) => noted(observed, '2000 threw true'),
    },
  },
  {
    id: 'K-09',
    what: 'in a tool that has reported progress: the task waits until its news was heard (half a second sooner than in the reference, since news is made while other words sound)',
    scene(stage) {
      const T = question()
      const collect = tool({
        description: 'Collects.',
        async execute(_, run) {
          run.update('working')
          await stage.sleep(1_000)
          return (await run.task(T)).value
        },
      })
      const { A } = cast(stage, { tools: { collect } })
      return scene(A, [T], {
        timeline: [opening, user(12_000, 13_000, 'here you go')],
        llm: {
          A: [['One moment', toolCall('collect')], 'I will ask you something.', 'All done.'],
          T: ['What is it?', toolCall('finish', { value: 'ok' })],
        },
        tts: { duration: { 'One moment': 1_000, 'I will ask': 3_000, ...durations } },
      })
    },
    expect: {
      audible: [
        whole('One moment', 3_200, 4_210),
        whole('I will ask you something.', 4_210, 7_220),
        whole('What is it?', 7_720, 8_730),
        whole('All done.', 14_000, 15_010),
      ],
      agents: [
        [7_220, 'T'],
        [13_500, 'A'],
      ],
      history: [
        'user: book me',
        'agent: One moment',
        'call: collect {}',
        ['progress: working', 3_200],
        ['agent: I will ask you something.', 4_210],
        'agent: What is it?',
        'user: here you go',
        'call: finish {"value":"ok"}',
        'output: ',
        ['output: ok', 13_500],
        ['agent: All done.', 14_000],
      ],
      tools: { collect: { start: 3_000, end: 13_500, status: 'done', output: 'ok' } },
    },
  },
  {
    id: 'K-16',
    what: 'in the enter hook of the first agent: the task has the conversation from the start, and the hook goes on with its result',
    scene(stage) {
      const T = question()
      const A = agent({
        name: 'A',
        instructions: 'You are A.',
        async enter(run) {
          const { value } = await run.task(T)
          stage.mark('value', value)
          run.session.generateReply()
        },
      })
      return scene(A, [T], {
        timeline: [user(3_000, 4_000, 'dana')],
        llm: { A: ['Welcome.'], T: ['What is it?', toolCall('finish', { value: 'dana' })] },
      })
    },
    expect: {
      audible: [whole('What is it?', 500, 1_510), whole('Welcome.', 5_000, 6_010)],
      agents: [
        [0, 'T'],
        [4_500, 'A'],
      ],
      requests: [
        { agent: 'T', at: 0, sees: [] },
        { agent: 'T' },
        { agent: 'A', at: 4_500, sees: ['agent: What is it?', 'user: dana'] },
      ],
      also: (observed) => noted(observed, '4500 value dana'),
    },
  },
  {
    id: 'K-18',
    what: 'not by code that has outlived its tool: that throws, and nothing else changes',
    scene(stage) {
      const T = question()
      let kept: RunContext | undefined
      const look = tool({
        description: 'Looks.',
        execute(_, run) {
          kept = run
          return 'seen'
        },
      })
      const { A } = cast(stage, { tools: { look } })
      const late = (inner: Task) => kept?.task(inner)
      return scene(A, [T], {
        timeline: [opening, at(6_000, () => late(T), 'late'), user(7_000, 8_000, 'hello')],
        llm: { A: [['One moment', toolCall('look')], 'All done.', 'Hi.'] },
      })
    },
    expect: {
      audible: [whole('One moment', 3_200, 4_210), whole('All done.', 4_210, 5_220), whole('Hi.', 8_700, 9_710)],
      acts: { late: { at: 6_000, outcome: 'threw', error: /the call that asks for it has ended/ } },
      agents: [],
      never: [{ type: 'agent-change', cause: 'task' }],
    },
  },
])
