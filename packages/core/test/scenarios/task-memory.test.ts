import { z } from 'zod'
import { agent, type Task, task, tool } from '../../src/index.js'
import { type ObservedRequest, type Scene, toolCall, user } from '../../src/testing/index.js'
import { cast, durations, opening } from './cast.js'
import { cut, linesOf, scenarios, whole } from './runner.js'

const result = z.object({ value: z.string() })
const question = (name: string, tools = {}) => task({ name, instructions: `You are ${name}.`, result, tools })

const asks = (inner: Task<{ value: string }>) =>
  tool({ description: 'Asks.', execute: async (_, run) => (await run.task(inner, { speech: 'finish' })).value })

const told = (requests: readonly ObservedRequest[], agentName: string): ObservedRequest => {
  const last = requests.findLast((request) => request.agent === agentName)
  if (!last) throw new Error(`${agentName} made no request`)
  return last
}

scenarios('what a task and its caller know of each other', [
  {
    id: 'K-02',
    what: 'a task within a task: what was said in both is in order for the first agent, and their calls are theirs',
    scene(stage) {
      const Inner = question('Inner')
      const deeper = tool({
        description: 'Goes deeper.',
        async execute(_, run) {
          const { value } = await run.task(Inner, { speech: 'finish' })
          await run.finish({ value: `dana, ${value}` })
          return value
        },
      })
      const Outer = question('Outer', { deeper })
      const { A } = cast(stage, { tools: { collect: asks(Outer) } })
      return {
        bench: 'scenario',
        agent: A,
        cast: [Outer, Inner],
        timeline: [opening, user(6_000, 7_000, 'dana'), user(10_000, 11_000, 'may')],
        llm: {
          A: [['One moment', toolCall('collect')], 'All done.'],
          // it has nothing to say to what its tool told it
          Outer: ['Name?', toolCall('deeper'), { parts: [] }],
          Inner: ['Birth date?', toolCall('finish', { value: 'may' })],
        },
        tts: { duration: { 'One moment': 1_000, 'Name?': 500, 'Birth date?': 500, 'All done.': 1_000 } },
      }
    },
    expect: {
      audible: [
        whole('One moment', 3_200, 4_210),
        whole('Name?', 4_710, 5_220),
        whole('Birth date?', 8_000, 8_510),
        whole('All done.', 12_300, 13_310),
      ],
      agents: [
        [4_210, 'Outer'],
        [7_500, 'Inner'],
        [11_500, 'Outer'],
        [11_800, 'A'],
      ],
      tools: {
        collect: { start: 3_000, end: 11_800, status: 'done', output: 'dana, may' },
        deeper: { start: 7_500, end: 11_500, status: 'done', output: 'may' },
      },
      also: ({ requests }) => {
        const seen = linesOf(told(requests, 'A'))
        const said = [
          'user: book me',
          'agent: One moment',
          'agent: Name?',
          'user: dana',
          'agent: Birth date?',
          'user: may',
        ]
        if (seen.filter((line) => /^(user|agent):/.test(line)).join('\n') !== said.join('\n'))
          throw new Error(`A was told ${JSON.stringify(seen)}`)
        if (seen.filter((line) => /^(call|output|error):/.test(line)).join() !== 'call: collect {},output: dana, may')
          throw new Error(`A was told of calls that are not its own: ${JSON.stringify(seen)}`)
      },
    },
  },
  {
    id: 'K-14',
    what: 'a user who talks over the words of a task is answered by the task, and its caller knows what was heard',
    scene(stage) {
      const { A, T } = cast(stage)
      const Q = 'What is it that you would like to have from us today'
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        line: { canPause: false },
        timeline: [opening, user(6_500, 7_500, 'hold on'), user(12_000, 13_000, 'here you go')],
        llm: {
          A: [['One moment', toolCall('collect')], 'All done.'],
          T: [Q, 'Sure.', toolCall('finish', { value: 'ok' })],
        },
        tts: { duration: { 'One moment': 1_000, [Q]: 6_000, ...durations } },
      }
    },
    expect: {
      audible: [
        whole('One moment', 3_200, 4_210),
        cut('What is it that', 4_710, 7_050),
        whole('Sure.', 8_200, 9_210),
        whole('All done.', 14_000, 15_010),
      ],
      agents: [
        [4_210, 'T'],
        [13_500, 'A'],
      ],
      events: [
        [7_050, { type: 'speech-end', interrupted: true }],
        [8_000, { type: 'user-turn-end', text: 'hold on', reason: 'committed' }],
      ],
      tools: { collect: { start: 3_000, end: 13_500, status: 'done', aborted: null } },
      requests: [
        { agent: 'A' },
        { agent: 'T' },
        { agent: 'T', holds: ['user: hold on'] },
        { agent: 'T' },
        { agent: 'A', holds: ['agent: What is it that…', 'user: hold on', 'agent: Sure.', 'user: here you go'] },
      ],
    },
  },
  {
    id: 'K-17',
    what: 'a task knows what was said before it without being given a copy, and nothing is there twice',
    scene(stage) {
      const { A, T } = cast(stage)
      const scene: Scene = {
        bench: 'scenario',
        agent: A,
        cast: [T],
        timeline: [opening, user(6_000, 7_000, 'here you go')],
        llm: {
          A: [['One moment', toolCall('collect')], 'All done.'],
          T: ['What is it?', toolCall('finish', { value: 'ok' })],
        },
        tts: { duration: 1_000 },
      }
      return scene
    },
    expect: {
      requests: [
        { agent: 'A', sees: ['user: book me'] },
        { agent: 'T', at: 4_210, sees: ['user: book me', 'agent: One moment'] },
        { agent: 'T', sees: ['user: book me', 'agent: One moment', 'agent: What is it?', 'user: here you go'] },
        {
          agent: 'A',
          at: 7_500,
          sees: [
            'user: book me',
            'agent: One moment',
            'agent: What is it?',
            'user: here you go',
            'call: collect {}',
            'output: collected',
          ],
        },
      ],
      audible: [
        whole('One moment', 3_200, 4_210),
        whole('What is it?', 4_710, 5_720),
        whole('All done.', 8_000, 9_010),
      ],
    },
  },
  {
    id: 'K-20',
    what: 'what a task is told to be, its tools and its calls stay with it',
    scene() {
      const look = tool({ description: 'Looks.', execute: () => 'seen' })
      const T = question('T', { look })
      const A = agent({ name: 'A', instructions: 'You are A.', greet: false, tools: { collect: asks(T) } })
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        timeline: [opening, user(6_000, 7_000, 'here you go')],
        llm: {
          A: [['One moment', toolCall('collect')], 'All done.'],
          T: ['What is it?', toolCall('look'), toolCall('finish', { value: 'ok' })],
        },
        tts: { duration: 1_000 },
      }
    },
    expect: {
      agents: [
        [4_210, 'T'],
        [7_800, 'A'],
      ],
      also: ({ requests }) => {
        const asked = requests.map(({ agent: name, instructions, tools }) => [
          name,
          instructions.split('\n')[0],
          tools.map((each) => each.name),
        ])
        const A = ['A', 'You are A.', ['collect']]
        const T = ['T', 'You are T.', ['look', 'finish']]
        if (JSON.stringify(asked) !== JSON.stringify([A, T, T, T, A]))
          throw new Error(`asked was ${JSON.stringify(asked)}`)
        const calls = (name: string) =>
          told(requests, name).messages.flatMap((each) => (each.role === 'call' ? [each.name] : []))
        if (calls('T').join() !== 'look') throw new Error(`T was shown calls of ${calls('T').join()}`)
        if (calls('A').join() !== 'collect') throw new Error(`A was shown calls of ${calls('A').join()}`)
      },
    },
  },
])
