import { z } from 'zod'
import { agent, task, tool } from '../../src/index.js'
import { at, toolCall, user } from '../../src/testing/index.js'
import { cast, opening } from './cast.js'
import { scenarios, whole } from './runner.js'

scenarios('tasks', [
  {
    id: 'K-01',
    what: 'two tools of one turn hand over to their tasks one after the other, and are told together',
    scene() {
      const ask = (name: string) =>
        task({ name, instructions: `You are ${name}.`, result: z.object({ value: z.string() }) })
      const [T1, T2] = [ask('T1'), ask('T2')]
      const collect = (inner: typeof T1) =>
        tool({ description: 'Asks.', execute: async (_, run) => (await run.task(inner, { speech: 'finish' })).value })
      const P = agent({
        name: 'P',
        instructions: 'You are P.',
        greet: false,
        tools: { one: collect(T1), two: collect(T2) },
      })
      return {
        bench: 'scenario',
        agent: P,
        cast: [T1, T2],
        timeline: [opening, user(6_000, 7_000, 'bob'), user(10_000, 11_000, 'bob at x')],
        llm: {
          P: [['One moment', toolCall('one', {}, 'c1'), toolCall('two', {}, 'c2')], 'Thank you.'],
          T1: ['Name?', toolCall('finish', { value: 'bob' })],
          T2: ['Email?', toolCall('finish', { value: 'bob@x' })],
        },
        tts: { duration: { 'One moment': 1_000, 'Name?': 500, 'Email?': 500, 'Thank you.': 1_000 } },
      }
    },
    expect: {
      audible: [
        whole('One moment', 3_200, 4_210),
        whole('Name?', 4_710, 5_220),
        whole('Email?', 8_000, 8_510),
        whole('Thank you.', 12_000, 13_010),
      ],
      agents: [
        [4_210, 'T1'],
        [7_500, 'P'],
        [7_500, 'T2'],
        [11_500, 'P'],
      ],
      tools: {
        one: { start: 3_000, end: 7_500, status: 'done', output: 'bob' },
        two: { start: 3_000, end: 11_500, status: 'done', output: 'bob@x' },
      },
      history: [
        'user: book me',
        'agent: One moment',
        'call: one {}',
        'call: two {}',
        'agent: Name?',
        'user: bob',
        'call: finish {"value":"bob"}',
        'output: ',
        'output: bob',
        'agent: Email?',
        'user: bob at x',
        'call: finish {"value":"bob@x"}',
        'output: ',
        'output: bob@x',
        'agent: Thank you.',
      ],
      also: ({ events }) => {
        const told = events.filter(({ event }) => event.type === 'tools-end' && event.calls.length === 2)
        if (told.length !== 1 || Math.abs(told[0]!.at - 11_500) > 60)
          throw new Error(`both calls were told ${told.length} times together`)
      },
    },
  },
  {
    id: 'K-07',
    what: 'an agent that is put in the place of a task cancels it: the tool ends with an error, and the new agent answers',
    scene(stage) {
      const { A, T } = cast(stage)
      const B = agent({ name: 'B', instructions: 'You are B.', greet: false })
      return {
        bench: 'scenario',
        agent: A,
        cast: [T, B],
        timeline: [opening, at(7_000, (session) => session.updateAgent(B), 'update'), user(8_000, 9_000, 'hello')],
        llm: { A: [['One moment', toolCall('collect')]], T: ['What is it?'], B: ['Hi.'] },
        tts: { duration: { 'One moment': 1_000, 'What is it?': 1_000, 'Hi.': 1_000 } },
      }
    },
    expect: {
      audible: [whole('One moment', 3_200, 4_210), whole('What is it?', 4_710, 5_720), whole('Hi.', 9_700, 10_710)],
      tools: { collect: { start: 3_000, end: 7_000, status: 'error' } },
      acts: { update: { outcome: 'done' } },
      events: [
        [4_210, { type: 'agent-change', to: 'T', cause: 'task' }],
        [7_000, { type: 'task-end', agent: 'T', outcome: 'cancelled' }],
        [9_500, { type: 'user-turn-end', text: 'hello', reason: 'committed' }],
      ],
      also: ({ agents, history }) => {
        if (agents.at(-1)?.agent !== 'B' || agents.at(-1)!.at !== 7_000)
          throw new Error('B does not have the conversation from 7,000')
        if (!history.some((item) => item.type === 'output' && item.error))
          throw new Error('the call has no output with an error')
      },
    },
  },
])
