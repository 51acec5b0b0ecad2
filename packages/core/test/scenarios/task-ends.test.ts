import { z } from 'zod'
import { type Agent, type Task, ToolError, task, tool } from '../../src/index.js'
import { at, type Scene, toolCall, user } from '../../src/testing/index.js'
import { cast, durations, opening } from './cast.js'
import { scenarios, whole } from './runner.js'

const result = z.object({ value: z.string() })

/** A says a second of words beside its call, and T asks. */
const asking = (A: Agent, T: Task, more: Partial<Scene> = {}): Scene => ({
  bench: 'scenario',
  agent: A,
  cast: [T],
  tts: { duration: { 'One moment': 1_000, ...durations, 'Thanks, got it.': 1_000, 'Too bad.': 1_000 } },
  ...more,
  timeline: [opening, ...(more.timeline ?? [])],
})

scenarios('how a task ends', [
  {
    id: 'A-15',
    what: 'what the task says at its end, by a tool of its own, is heard before it gives the conversation back, and everybody knows of it',
    scene(stage) {
      const save = tool({
        description: 'Ends the task.',
        async execute(_, run) {
          await run.finish({ value: 'ok' })
          return 'fin'
        },
      })
      const T = task({ name: 'T', instructions: 'You are T.', result, tools: { save } })
      const collect = tool({
        description: 'Collects.',
        async execute(_, run) {
          await run.task(T, { speech: 'finish' })
          return 'collected'
        },
      })
      const { A } = cast(stage, { tools: { collect } })
      return asking(A, T, {
        timeline: [user(7_000, 8_000, 'here you go')],
        llm: {
          A: [['One moment', toolCall('collect')], 'All done.'],
          T: ['What is it?', toolCall('save'), 'Thanks, got it.'],
        },
      })
    },
    expect: {
      audible: [
        whole('One moment', 3_200, 4_210),
        whole('What is it?', 4_710, 5_720),
        whole('Thanks, got it.', 9_000, 10_010),
        whole('All done.', 10_510, 11_520),
      ],
      events: [
        [8_500, { type: 'call-end', name: 'save', status: 'done', output: 'fin' }],
        [10_010, { type: 'agent-change', to: 'A', cause: 'return' }],
        [10_010, { type: 'task-end', agent: 'T', outcome: 'done' }],
      ],
      tools: { collect: { start: 3_000, end: 10_010, status: 'done', output: 'collected' } },
      requests: [
        { agent: 'A' },
        { agent: 'T' },
        { agent: 'T' },
        { agent: 'T', at: 8_500 },
        {
          agent: 'A',
          at: 10_010,
          holds: ['agent: What is it?', 'user: here you go', 'agent: Thanks, got it.', 'output: collected'],
        },
      ],
    },
  },
  {
    id: 'K-03',
    what: 'a task that fails throws its error at whoever awaits it, and the model is told its message',
    scene(stage) {
      const decline = tool({ description: 'Gives up.', execute: (_, run) => run.fail(new ToolError('no luck')) })
      const T = task({ name: 'T', instructions: 'You are T.', result, tools: { decline } })
      const collect = tool({
        description: 'Collects.',
        execute: (_, run) =>
          run.task(T, { speech: 'finish' }).catch((error: unknown) => {
            stage.mark('threw', ToolError.is(error) && error.message)
            throw error
          }),
      })
      const { A } = cast(stage, { tools: { collect } })
      return asking(A, T, {
        timeline: [user(6_000, 7_000, 'i do not know')],
        llm: { A: [['One moment', toolCall('collect')], 'Too bad.'], T: ['What is it?', toolCall('decline')] },
      })
    },
    expect: {
      audible: [whole('One moment', 3_200, 4_210), whole('What is it?', 4_710, 5_720), whole('Too bad.', 8_000, 9_010)],
      agents: [
        [4_210, 'T'],
        [7_500, 'A'],
      ],
      tools: { collect: { start: 3_000, end: 7_500, status: 'error', output: 'no luck' } },
      events: [[7_500, { type: 'task-end', agent: 'T', outcome: 'failed' }]],
      requests: [{ agent: 'A' }, { agent: 'T' }, { agent: 'T' }, { agent: 'A', at: 7_500, holds: ['error: no luck'] }],
      also: ({ marks }) => {
        if (marks[0]?.at !== 7_500 || marks[0].data !== 'no luck') throw new Error('the tool did not see the error')
      },
    },
  },
  {
    id: 'K-04',
    what: 'a task is a value: awaited again it asks again (the reference refuses it, since its tasks are objects that are used up)',
    scene(stage) {
      const T = task({ name: 'T', instructions: 'You are T.', result })
      const collect = tool({
        description: 'Collects.',
        async execute(_, run) {
          const first = await run.task(T, { speech: 'finish' })
          const second = await run.task(T, { speech: 'finish' })
          return `${first.value} and ${second.value}`
        },
      })
      const { A } = cast(stage, { tools: { collect } })
      return asking(A, T, {
        timeline: [user(6_000, 7_000, 'a pizza'), user(10_000, 11_000, 'a coke')],
        llm: {
          A: [['One moment', toolCall('collect')], 'All done.'],
          T: [
            'What is it?',
            toolCall('finish', { value: 'a pizza' }),
            'What else?',
            toolCall('finish', { value: 'a coke' }),
          ],
        },
        tts: { duration: 1_000 },
      })
    },
    expect: {
      audible: [
        whole('One moment', 3_200, 4_210),
        whole('What is it?', 4_710, 5_720),
        whole('What else?', 8_000, 9_010),
        whole('All done.', 12_000, 13_010),
      ],
      agents: [
        [4_210, 'T'],
        [7_500, 'A'],
        [7_500, 'T'],
        [11_500, 'A'],
      ],
      tools: { collect: { start: 3_000, end: 11_500, status: 'done', output: 'a pizza and a coke' } },
    },
  },
  {
    id: 'K-08',
    what: 'a task whose signal aborts is cancelled: the tool that awaits it throws, and the model is told',
    scene(stage) {
      const enough = new AbortController()
      const T = task({
        name: 'T',
        instructions: 'You are T.',
        result,
        exit: () => stage.mark('exit of T'),
      })
      const collect = tool({
        description: 'Collects.',
        async execute(_, run) {
          try {
            return (await run.task(T, { speech: 'finish', signal: enough.signal })).value
          } catch (error) {
            stage.mark('threw', ToolError.is(error))
            throw error
          }
        },
      })
      const { A } = cast(stage, { tools: { collect } })
      return asking(A, T, {
        timeline: [at(8_000, () => enough.abort(), 'abort')],
        llm: { A: [['One moment', toolCall('collect')], 'Never mind.'], T: ['What is it?'] },
        tts: { duration: 1_000 },
      })
    },
    expect: {
      audible: [
        whole('One moment', 3_200, 4_210),
        whole('What is it?', 4_710, 5_720),
        whole('Never mind.', 8_500, 9_510),
      ],
      agents: [
        [4_210, 'T'],
        [8_000, 'A'],
      ],
      tools: { collect: { start: 3_000, end: 8_000, status: 'error', output: /cancelled/ } },
      events: [[8_000, { type: 'task-end', agent: 'T', outcome: 'cancelled' }]],
      requests: [{ agent: 'A' }, { agent: 'T' }, { agent: 'A', at: 8_000, holds: ['error: The task was cancelled.'] }],
      also: ({ marks }) => {
        const seen = marks.map(({ at: when, name }) => `${when} ${name}`).sort()
        if (seen.join(', ') !== '8000 exit of T, 8000 threw') throw new Error(`noted was ${seen.join(', ')}`)
      },
    },
  },
  {
    id: 'K-10',
    what: 'a task may end in its enter hook, before it has said a word; it ends once',
    scene(stage) {
      const T = task({
        name: 'T',
        instructions: 'You are T.',
        result,
        async enter(run) {
          await stage.sleep(1_000)
          await run.finish({ value: 'known' })
          await run.finish({ value: 'again' }).catch((error: unknown) => stage.mark('threw', ToolError.is(error)))
        },
        exit: () => stage.mark('exit of T'),
      })
      const collect = tool({
        description: 'Collects.',
        execute: async (_, run) => (await run.task(T, { speech: 'finish' })).value,
      })
      const { A } = cast(stage, { tools: { collect } })
      return asking(A, T, { llm: { A: [['One moment', toolCall('collect')], 'All done.'] } })
    },
    expect: {
      audible: [whole('One moment', 3_200, 4_210), whole('All done.', 5_710, 6_720)],
      agents: [
        [4_210, 'T'],
        [5_210, 'A'],
      ],
      tools: { collect: { start: 3_000, end: 5_210, status: 'done', output: 'known' } },
      requests: [{ agent: 'A' }, { agent: 'A', at: 5_210, holds: ['output: known'] }],
      also: ({ marks }) => {
        const seen = marks.map(
          ({ at: when, name, data }) => `${when} ${name}${data === true ? '' : ` ${String(data)}`}`,
        )
        if (seen.sort().join(', ') !== '5200 exit of T undefined, 5200 threw')
          throw new Error(`noted was ${seen.join(', ')}`)
      },
    },
  },
  {
    id: 'K-12',
    what: 'a tool that ends while its sibling awaits a task waits for it: both are told together, in one reply',
    scene(stage) {
      const { A, T } = cast(stage, { slow: 2_000 })
      return asking(A, T, {
        timeline: [user(7_000, 8_000, 'here you go')],
        llm: {
          A: [['One moment', toolCall('collect', {}, 'c1'), toolCall('slow', {}, 'c3')], 'All done.'],
          T: ['What is it?', toolCall('finish', { value: 'ok' })],
        },
      })
    },
    expect: {
      audible: [
        whole('One moment', 3_200, 4_210),
        whole('What is it?', 4_710, 5_720),
        whole('All done.', 9_000, 10_010),
      ],
      agents: [
        [4_210, 'T'],
        [8_500, 'A'],
      ],
      tools: {
        collect: { start: 3_000, end: 8_500, status: 'done', output: 'collected' },
        slow: { start: 3_000, end: 5_000, status: 'done', output: 'slowresult' },
      },
      history: [
        'user: book me',
        'agent: One moment',
        'call: collect {}',
        'call: slow {}',
        'agent: What is it?',
        ['output: slowresult', 5_000],
        'user: here you go',
        'call: finish {"value":"ok"}',
        'output: ',
        ['output: collected', 8_500],
        'agent: All done.',
      ],
      requests: [
        { agent: 'A' },
        { agent: 'T' },
        { agent: 'T' },
        { agent: 'A', at: 8_500, holds: ['output: slowresult'] },
      ],
      also: ({ events }) => {
        const told = events.filter(({ event }) => event.type === 'tools-end' && event.calls.length === 2)
        if (told.length !== 1 || told[0]?.at !== 8_500) throw new Error('both calls were not told together at 8,500')
      },
    },
  },
])
