import { agent, InterruptedError, tool } from '../../src/index.js'
import { toolCall, user } from '../../src/testing/index.js'
import { cast, durations, opening, PRE } from './cast.js'
import { cut, scenarios, whole } from './runner.js'

scenarios('words beside a call that are talked over', [
  {
    id: 'A-05',
    what: 'with onInterrupt "cancel" the task is refused as often as it is awaited, for the same reason, and the tool may give up in peace',
    scene(stage) {
      const { T } = cast(stage)
      const collect = tool({
        description: 'Collects the details.',
        onInterrupt: 'cancel',
        async execute(_, run) {
          await stage.sleep(1_300)
          for (const _attempt of [1, 2]) {
            await run
              .task(T, { speech: 'finish' })
              .catch((error: unknown) => stage.mark('refused', error instanceof InterruptedError))
            await stage.sleep(1_000)
          }
          return 'gave up'
        },
      })
      const A = agent({ name: 'A', instructions: 'You are A.', greet: false, tools: { collect } })
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        tts: { duration: durations },
        line: { canPause: false },
        timeline: [opening, user(3_600, 5_000, 'wait stop please')],
        llm: { A: [[PRE, toolCall('collect')], 'Okay.'] },
      }
    },
    expect: {
      audible: [cut('Sure', 3_200, 4_150), whole('Okay.', 5_700, 6_710)],
      events: [
        [4_150, { type: 'speech-end', interrupted: true, heard: 'Sure' }],
        [5_500, { type: 'user-turn-end', text: 'wait stop please', reason: 'committed' }],
        [6_300, { type: 'call-end', name: 'collect', status: 'done' }],
      ],
      never: [{ type: 'agent-change', cause: 'task' }],
      tools: { collect: { start: 3_000, end: 6_300, status: 'done', output: 'gave up', aborted: 4_150 } },
      requests: [{ agent: 'A' }, { agent: 'A', at: 5_200 }],
      also: ({ marks }) => {
        const seen = marks.map(({ at, data }) => `${at} ${String(data)}`).join(', ')
        if (seen !== '4300 true, 5300 true') throw new Error(`the task was refused at ${seen}`)
      },
    },
  },
  {
    id: 'A-07p',
    what: 'the same on a line that can pause: the words that hold and then cut do not stop the tool, whose result is recorded',
    scene(stage) {
      const { A } = cast(stage, { slow: 4_000 })
      return {
        bench: 'scenario',
        agent: A,
        tts: { duration: { 'Let me check': 10_000, 'Okay.': 1_000 } },
        timeline: [opening, user(5_000, 6_000, 'never mind stop')],
        llm: [['Let me check that for you right away', toolCall('slow')], 'Okay.'],
      }
    },
    expect: {
      audible: [{ ...cut('Let me', 3_200, 5_550), held: [[5_550, null]] }, whole('Okay.', 7_000, 8_010)],
      history: [
        'user: book me',
        ['agent: Let me…', 3_200],
        'call: slow {}',
        ['user: never mind stop', 6_500],
        ['output: slowresult', 7_000],
        ['agent: Okay.', 7_000],
      ],
      events: [
        [5_550, { type: 'agent-state', to: 'listening' }],
        [6_200, { type: 'speech-end', interrupted: true, heard: 'Let me' }],
        [6_500, { type: 'agent-state', to: 'thinking' }],
        [7_000, { type: 'agent-state', to: 'speaking' }],
        [8_010, { type: 'agent-state', to: 'listening' }],
      ],
      tools: { slow: { start: 3_000, end: 7_000, status: 'done', output: 'slowresult', aborted: null } },
      requests: [{ agent: 'A' }, { agent: 'A', at: 6_500 }],
    },
  },
  {
    id: 'A-18',
    what: 'on a line that cannot pause, a voice that lasted just before the task was awaited has cut the words, and with onInterrupt "cancel" the task is refused',
    scene(stage) {
      const { A, T } = cast(stage, { pre: 1_300, onInterrupt: 'cancel' })
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        tts: { duration: durations },
        line: { canPause: false },
        timeline: [opening, user(3_600, 5_000, 'wait stop please')],
        llm: { A: [[PRE, toolCall('collect')], 'Sure.'] },
      }
    },
    expect: {
      audible: [cut('Sure', 3_200, 4_150), whole('Sure.', 5_700, 6_710)],
      history: [
        'user: book me',
        ['agent: Sure…', 3_200],
        'call: collect {}',
        ['error: the caller interrupted before the task could begin', 4_300],
        ['user: wait stop please', 5_500],
        ['agent: Sure.', 5_700],
      ],
      events: [
        [4_150, { type: 'agent-state', to: 'listening' }],
        [4_300, { type: 'call-end', name: 'collect', status: 'error' }],
        [5_500, { type: 'user-turn-end', text: 'wait stop please', reason: 'committed' }],
        [5_700, { type: 'agent-state', to: 'speaking' }],
        [6_710, { type: 'agent-state', to: 'listening' }],
      ],
      never: [{ type: 'agent-change', cause: 'task' }],
      tools: { collect: { start: 3_000, end: 4_300, status: 'error', output: /interrupt/i } },
    },
  },
])
