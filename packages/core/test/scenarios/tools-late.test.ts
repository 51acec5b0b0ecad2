import { z } from 'zod'
import { type ToolOptions, type Tools, tool } from '../../src/index.js'
import { at, type Scene, type Stage, toolCall, user } from '../../src/testing/index.js'
import { silent, works } from './cast.js'
import { cut, linesOf, must, scenarios, whole } from './runner.js'

/** A conversation that begins with "go", which is committed at 3,000; everything that is said takes a second. */
const played = (tools: Tools, scene: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: silent('A', tools),
  tts: { duration: 1_000 },
  ...scene,
  timeline: [user(500, 2_500, 'go'), ...(scene.timeline ?? [])],
})

/** Tells after half a second that it has begun, and is finished four seconds later. */
const begun = (stage: Stage) =>
  tool({
    description: 'Works.',
    async execute(_, run) {
      await stage.sleep(500)
      run.update('started')
      await stage.sleep(4_000)
      return 'finished'
    },
  })

/** Two calls in one answer, of a tool that works for two seconds and tells which of its runs it was. */
function twice(stage: Stage, duplicates: NonNullable<ToolOptions['duplicates']>, args: readonly string[]): Scene {
  let runs = 0
  const slow = tool({
    description: 'Works.',
    inputSchema: z.object({ n: z.number(), on: z.string().optional() }),
    duplicates,
    async execute(_, run) {
      const mine = ++runs
      stage.mark('run', mine)
      await stage.sleep(2_000, run.signal)
      return `run ${mine}`
    },
  })
  return played({ slow }, { llm: [['Checking', ...args.map((each) => toolCall('slow', each))], 'There.'] })
}

scenarios('tools that take their time', [
  {
    id: 'T-16',
    what: 'news of a tool is told at once, its end when it comes',
    scene: (stage) =>
      played({ slow: begun(stage) }, { llm: [['Checking', toolCall('slow', {}, 'c1')], 'It has begun.', 'Finished.'] }),
    expect: {
      audible: [
        whole('Checking', 3_200, 4_210),
        whole('It has begun.', 4_210, 5_220),
        whole('Finished.', 8_000, 9_010),
      ],
      tools: { slow: { start: 3_000, end: 7_500, status: 'done', output: 'finished' } },
      events: [
        [3_500, { type: 'call-update', call: 'c1', text: 'started' }],
        [7_500, { type: 'call-end', name: 'slow', status: 'done' }],
        [8_000, { type: 'agent-state', to: 'speaking' }],
        [9_010, { type: 'agent-state', to: 'listening' }],
      ],
      history: [
        'user: go',
        'agent: Checking',
        'call: slow {}',
        ['progress: started', 3_500],
        'agent: It has begun.',
        ['output: finished', 7_500],
        'agent: Finished.',
      ],
      requests: [
        { agent: 'A' },
        { agent: 'A', at: 3_500, holds: ['call: slow {}', 'output: started'] },
        {
          agent: 'A',
          at: 7_500,
          holds: ['call: slow {}', 'output: started', 'agent: It has begun.', 'call: slow {}', 'output: finished'],
        },
      ],
    },
  },
  {
    id: 'T-17',
    what: 'a tool that can be cancelled is not cancelled by a voice: its result is recorded',
    scene: (stage) =>
      played(
        { slow: works(stage, 6_000, 'finished', { cancellable: true }) },
        {
          timeline: [user(5_000, 6_000, 'hello')],
          line: { canPause: false },
          llm: [['Let me check that for you right away', toolCall('slow')], 'Yes.'],
          tts: { duration: { 'Let me check': 10_000, 'Yes.': 1_000 } },
        },
      ),
    expect: {
      audible: [cut('Let me', 3_200, 5_550), whole('Yes.', 6_700, 7_710)],
      tools: { slow: { start: 3_000, end: 9_000, status: 'done', output: 'finished', aborted: null } },
      history: [
        'user: go',
        'agent: Let me…',
        'call: slow {}',
        'user: hello',
        'agent: Yes.',
        ['output: finished', 9_000],
      ],
    },
  },
  {
    id: 'T-17b',
    what: 'what cancels it is the model, when the caller wants it no longer: then its signal aborts, and it is told as cancelled',
    scene: (stage) =>
      played(
        { slow: works(stage, 6_000, 'finished', { cancellable: true }) },
        {
          timeline: [user(5_000, 6_000, 'never mind')],
          llm: ({ messages, tools }) => {
            if (messages.length === 1) return ['Checking', toolCall('slow', {}, 'c1')]
            if (messages.at(-1)?.role === 'user')
              return tools.some(({ name }) => name === 'cancel_call') ? toolCall('cancel_call', { call: 'c1' }) : 'No.'
            return 'It is cancelled.'
          },
        },
      ),
    expect: {
      audible: [whole('Checking', 3_200, 4_210), whole('It is cancelled.', 7_000, 8_010)],
      tools: { slow: { start: 3_000, status: 'cancelled', output: /cancelled/i, aborted: 6_500 } },
      also: ({ requests }) => {
        const offered = requests.map(({ tools }) => tools.some(({ name }) => name === 'cancel_call'))
        must(offered.join() === 'false,true,false', `the tool was offered as ${offered.join()}`)
      },
    },
  },
  {
    id: 'T-19',
    what: 'news that come faster than they can be told are told together, each once',
    scene: (stage) =>
      played(
        {
          slow: tool({
            description: 'Works.',
            async execute(_, run) {
              run.update('one')
              await stage.sleep(1_000)
              run.update('two')
              await stage.sleep(1_000)
              return 'three'
            },
          }),
        },
        {
          llm: ({ messages }) => {
            if (messages.length === 1) return ['Checking', toolCall('slow')]
            const news = messages.flatMap((message) => (message.role === 'output' ? [message.text] : []))
            return `News: ${news.at(-1)}`
          },
          tts: { duration: { Checking: 5_000, News: 1_000 } },
        },
      ),
    expect: {
      audible: [whole('Checking', 3_200, 8_210), whole('News: one', 8_210, 9_220), whole('News: three', 9_220, 10_230)],
      also: ({ history, requests }) => {
        const outputs = history.flatMap((item) => (item.type === 'output' ? [`${item.text} ${item.at}`] : []))
        must(outputs.join() === 'one 3200,two 4000,three 5000', `the outputs are ${outputs.join()}`)
        const last = linesOf(requests.at(-1)!).filter((line) => line.startsWith('output'))
        must(last.join() === 'output: one,output: two,output: three', `the last request sees ${last.join()}`)
      },
    },
  },
  {
    id: 'T-22',
    what: 'a close waits for a tool in the background, records its result, and tells it to nobody',
    scene: (stage) =>
      played(
        { slow: begun(stage) },
        {
          timeline: [at(5_800, (session) => session.close(), 'close')],
          llm: [['Checking', toolCall('slow')], 'It has begun.'],
        },
      ),
    expect: {
      tools: { slow: { end: 7_500, status: 'done', output: 'finished', aborted: null } },
      history: [
        'user: go',
        'agent: Checking',
        'call: slow {}',
        'progress: started',
        'agent: It has begun.',
        ['output: finished', 7_500],
      ],
      requests: [{ agent: 'A' }, { agent: 'A' }],
      closed: 7_500,
      acts: { close: { at: 7_500, outcome: 'done' } },
    },
  },
  {
    id: 'T-23',
    what: 'the silence of a slow tool is bridged, again and again, and what bridges it stands between the call and its output',
    scene: (stage) =>
      played(
        {
          slow: tool({
            description: 'Works.',
            async execute(_, run) {
              run.filler('One moment', { delay: 1_000, interval: 3_000 })
              await stage.sleep(8_000, run.signal)
              return 'finished'
            },
          }),
        },
        { llm: [['Checking', toolCall('slow')], 'Finished.'] },
      ),
    expect: {
      audible: [
        whole('Checking', 3_200, 4_210),
        whole('One moment', 5_410, 6_420),
        whole('One moment', 9_410, 10_420),
        whole('Finished.', 11_500, 12_510),
      ],
      history: [
        'user: go',
        'agent: Checking',
        'call: slow {}',
        'agent: One moment',
        'agent: One moment',
        ['output: finished', 11_000],
        'agent: Finished.',
      ],
      requests: [{ agent: 'A' }, { agent: 'A', at: 11_000 }],
    },
  },
  {
    id: 'T-24',
    what: 'the telling of a late result may be talked over: it is not told again',
    scene: (stage) =>
      played(
        { slow: begun(stage) },
        {
          timeline: [user(9_500, 10_500, 'thank you')],
          llm: [
            ['Checking', toolCall('slow')],
            'It has begun.',
            'Well it is finished and there is much to say',
            'Welcome.',
          ],
          tts: { duration: { Checking: 1_000, 'It has begun.': 1_000, Well: 6_000, 'Welcome.': 1_000 } },
        },
      ),
    expect: {
      audible: [
        whole('Checking', 3_200, 4_210),
        whole('It has begun.', 4_210, 5_220),
        { ...cut('Well it is', 8_000, 10_050), held: [[10_050, null]] },
        whole('Welcome.', 11_500, 12_510),
      ],
      events: [
        [10_050, { type: 'agent-state', to: 'listening' }],
        [10_700, { type: 'speech-end', interrupted: true, heard: 'Well it is' }],
        [11_000, { type: 'user-turn-end', text: 'thank you', reason: 'committed' }],
      ],
    },
  },
  {
    id: 'T-25',
    what: 'equal calls are one piece of work with one result, however their numbers and names are written',
    scene: (stage) => twice(stage, 'join', ['{"n": 1, "on": "Monday"}', '{"on":"Monday","n":1.0}']),
    expect: {
      tools: {
        slow: [
          { end: 5_000, status: 'done', output: 'run 1' },
          { end: 5_000, status: 'done', output: 'run 1' },
        ],
      },
      also: ({ marks }) => must(marks.length === 1, `it ran ${marks.length} times`),
    },
  },
  {
    id: 'T-25b',
    what: 'calls with other arguments are other work',
    scene: (stage) => twice(stage, 'join', ['{"n": 1}', '{"n": 2}']),
    expect: {
      tools: { slow: [{ output: 'run 1' }, { output: 'run 2' }] },
      audible: [whole('Checking', 3_200, 4_210), whole('There.', 5_500, 6_510)],
    },
  },
  {
    id: 'T-25c',
    what: 'where equal calls are refused, the second is told that the first still runs',
    scene: (stage) => twice(stage, 'reject', ['{"n": 1}', '{"n": 1.0}']),
    expect: {
      tools: {
        slow: [
          { end: 5_000, status: 'done', output: 'run 1' },
          { end: 3_000, status: 'error', output: /still running/ },
        ],
      },
      also: ({ marks }) => must(marks.length === 1, `it ran ${marks.length} times`),
    },
  },
  {
    id: 'T-25d',
    what: 'where equal calls replace each other, the first is stopped and says so: no second flag must allow it',
    scene: (stage) => twice(stage, 'replace', ['{"n": 1}', '{"n": 1.0}']),
    expect: {
      tools: {
        slow: [
          { end: 3_000, status: 'cancelled', output: /cancelled/i, aborted: 3_000 },
          { end: 5_000, status: 'done', output: 'run 2', aborted: null },
        ],
      },
    },
  },
  {
    id: 'T-25e',
    what: 'where equal calls are allowed, each is work of its own',
    scene: (stage) => twice(stage, 'allow', ['{"n": 1}', '{"n": 1.0}']),
    expect: { tools: { slow: [{ output: 'run 1' }, { output: 'run 2' }] } },
  },
  {
    id: 'T-26',
    what: 'a model that answers while a tool runs sees the call as running; nothing of that is remembered',
    scene: (stage) =>
      played(
        { slow: works(stage, 10_000, 'finished') },
        {
          timeline: [user(6_000, 7_000, 'are you there')],
          llm: [['Checking', toolCall('slow')], 'Yes.', 'Finished.'],
        },
      ),
    expect: {
      audible: [whole('Checking', 3_200, 4_210), whole('Yes.', 7_700, 8_710), whole('Finished.', 13_500, 14_510)],
      requests: [
        { agent: 'A' },
        {
          agent: 'A',
          at: 7_200,
          sees: ['user: go', 'agent: Checking', 'call: slow {}', 'output: Still running.', 'user: are you there'],
        },
        {
          agent: 'A',
          at: 13_000,
          sees: [
            'user: go',
            'agent: Checking',
            'user: are you there',
            'agent: Yes.',
            'call: slow {}',
            'output: finished',
          ],
        },
      ],
      history: [
        'user: go',
        'agent: Checking',
        'call: slow {}',
        'user: are you there',
        'agent: Yes.',
        ['output: finished', 13_000],
        'agent: Finished.',
      ],
    },
  },
  {
    id: 'T-27',
    what: 'a result that nobody is to be told of is the tool’s to declare, not a listener’s to forbid',
    scene: (stage) =>
      played(
        { slow: works(stage, 2_000, 'finished', { announce: 'never' }) },
        { llm: [['Checking', toolCall('slow')]] },
      ),
    expect: {
      audible: [whole('Checking', 3_200, 4_210)],
      events: [
        [4_210, { type: 'agent-state', to: 'thinking' }],
        [5_000, { type: 'tools-end', reply: false }],
        [5_000, { type: 'agent-state', to: 'listening' }],
      ],
      history: ['user: go', 'agent: Checking', 'call: slow {}', ['output: finished', 5_000]],
      requests: [{ agent: 'A' }],
    },
  },
])
