import { at, noise, toolCall, user } from '../../src/testing/index.js'
import { cast, collecting, durations, opening, PRE } from './cast.js'
import { cut, scenarios, whole } from './runner.js'

const tts = { duration: durations }

scenarios('a tool awaits a task while its speech may be interrupted', [
  {
    id: 'A-00',
    what: 'the task takes the conversation when the words beside the call were heard, and gives it back with its result',
    scene(stage) {
      const { A, T } = cast(stage)
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        tts,
        timeline: [opening, user(11_000, 12_000, 'here you go')],
        llm: collecting(),
      }
    },
    expect: {
      audible: [whole(PRE, 3_200, 8_210), whole('What is it?', 8_710, 9_720), whole('All done.', 13_000, 14_010)],
      history: [
        ['user: book me', 3_000],
        [`agent: ${PRE}`, 3_200],
        'call: collect {}',
        ['agent: What is it?', 8_710],
        ['user: here you go', 12_500],
        'call: finish {"value":"ok"}',
        'output: ',
        ['output: collected', 12_500],
        ['agent: All done.', 13_000],
      ],
      events: [
        [3_000, { type: 'user-turn-end', text: 'book me', reason: 'committed' }],
        [3_000, { type: 'agent-state', to: 'thinking' }],
        [3_200, { type: 'agent-state', to: 'speaking' }],
        [8_210, { type: 'agent-state', to: 'thinking' }],
        [8_710, { type: 'agent-state', to: 'speaking' }],
        [9_720, { type: 'agent-state', to: 'listening' }],
        [12_500, { type: 'agent-state', to: 'thinking' }],
        [13_000, { type: 'agent-state', to: 'speaking' }],
        [14_010, { type: 'agent-state', to: 'listening' }],
      ],
      tools: { collect: { start: 3_000, end: 12_500, status: 'done', output: 'collected', aborted: null } },
      agents: [
        [8_210, 'T'],
        [12_500, 'A'],
      ],
      requests: [
        { agent: 'A', sees: ['user: book me'] },
        { agent: 'T', at: 8_210 },
        { agent: 'T', holds: ['agent: What is it?', 'user: here you go'] },
        {
          agent: 'A',
          at: 12_500,
          holds: [`agent: ${PRE}`, 'agent: What is it?', 'user: here you go', 'call: collect {}', 'output: collected'],
        },
      ],
    },
  },
  {
    id: 'A-01',
    what: 'words over protected speech cut nothing, are recorded, and belong to the task',
    scene(stage) {
      const { A, T } = cast(stage)
      const timeline = [opening, user(5_000, 6_000, 'wait stop please'), user(11_000, 12_000, 'here you go')]
      return { bench: 'scenario', agent: A, cast: [T], tts, timeline, llm: collecting() }
    },
    expect: {
      audible: [
        { ...whole(PRE, 3_200, 8_210), held: [] },
        whole('What is it?', 8_710, 9_720),
        whole('All done.', 13_000, 14_010),
      ],
      history: [
        'user: book me',
        `agent: ${PRE}`,
        'call: collect {}',
        ['user: wait stop please', 6_500],
        ['agent: What is it?', 8_710],
        'user: here you go',
        'call: finish {"value":"ok"}',
        'output: ',
        'output: collected',
        'agent: All done.',
      ],
      events: [
        [5_050, { type: 'user-state', to: 'speaking' }],
        [6_500, { type: 'user-state', to: 'listening' }],
        [6_500, { type: 'user-turn-end', text: 'wait stop please', reason: 'committed' }],
        [8_210, { type: 'agent-change', to: 'T', cause: 'task' }],
      ],
      tools: { collect: { start: 3_000, end: 12_500, status: 'done', aborted: null } },
      requests: [
        { agent: 'A' },
        { agent: 'T', at: 8_210, holds: ['user: wait stop please'] },
        { agent: 'T' },
        { agent: 'A' },
      ],
    },
  },
  {
    id: 'A-02',
    what: 'speech that was held when it became protected goes on as soon as the user is silent',
    scene(stage) {
      const { A, T } = cast(stage, { pre: 1_500 })
      const timeline = [opening, noise(3_600, 4_400), user(13_000, 14_000, 'here you go')]
      return { bench: 'scenario', agent: A, cast: [T], tts, timeline, llm: collecting() }
    },
    expect: {
      audible: [
        { ...whole(PRE, 3_200, 8_960), held: [[4_150, 4_900]] },
        whole('What is it?', 9_460, 10_470),
        whole('All done.', 15_000, 16_010),
      ],
      events: [
        [3_650, { type: 'user-state', to: 'speaking' }],
        [4_150, { type: 'agent-state', to: 'listening' }],
        [4_900, { type: 'user-state', to: 'listening' }],
        [4_900, { type: 'agent-state', to: 'speaking' }],
        [8_960, { type: 'agent-change', to: 'T', cause: 'task' }],
      ],
      tools: { collect: { start: 3_000, end: 14_500, status: 'done', aborted: null } },
      also: ({ events }) => {
        const resumed = events.filter(
          ({ at, event }) => at === 4_900 && event.type === 'false-interruption' && event.resumed,
        )
        if (resumed.length !== 1) throw new Error('no false interruption was announced at 4,900')
      },
    },
  },
  {
    id: 'A-03',
    what: 'final words during the protection cut nothing: the held speech goes on, and they are recorded',
    scene(stage) {
      const { A, T } = cast(stage, { pre: 1_200 })
      const timeline = [opening, user(3_600, 4_400, 'hmm ok', { delay: 500 }), user(14_000, 15_000, 'here you go')]
      return { bench: 'scenario', agent: A, cast: [T], tts, timeline, llm: collecting() }
    },
    expect: {
      audible: [
        { ...whole(PRE, 3_200, 8_960), held: [[4_150, 4_900]] },
        whole('What is it?', 9_460, 10_470),
        whole('All done.', 16_000, 17_010),
      ],
      history: [
        'user: book me',
        `agent: ${PRE}`,
        'call: collect {}',
        ['user: hmm ok', 4_900],
        'agent: What is it?',
        'user: here you go',
        'call: finish {"value":"ok"}',
        'output: ',
        'output: collected',
        'agent: All done.',
      ],
      events: [
        [4_150, { type: 'agent-state', to: 'listening' }],
        [4_900, { type: 'false-interruption', resumed: true }],
        [8_960, { type: 'agent-change', to: 'T', cause: 'task' }],
      ],
      tools: { collect: { start: 3_000, end: 15_500, status: 'done', aborted: null } },
    },
  },
  {
    id: 'A-04',
    what: 'with onInterrupt "cancel", a task that is awaited after the speech was cut is refused, and the tool ends with an error',
    scene(stage) {
      const { A, T } = cast(stage, { pre: 2_000, onInterrupt: 'cancel' })
      const timeline = [opening, user(3_600, 4_400, 'hmm ok')]
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        tts,
        timeline,
        llm: { A: [[PRE, toolCall('collect')], 'Sure.'] },
      }
    },
    expect: {
      audible: [{ ...cut('Sure', 3_200, 4_150), held: [[4_150, null]] }, whole('Sure.', 5_400, 6_410)],
      events: [
        [4_150, { type: 'agent-state', to: 'listening' }],
        [4_600, { type: 'speech-end', interrupted: true, heard: 'Sure' }],
        [4_900, { type: 'user-turn-end', text: 'hmm ok', reason: 'committed' }],
        [5_000, { type: 'call-end', name: 'collect', status: 'error' }],
        [5_400, { type: 'agent-state', to: 'speaking' }],
        [6_410, { type: 'agent-state', to: 'listening' }],
      ],
      never: [{ type: 'agent-change', cause: 'task' }],
      tools: { collect: { start: 3_000, end: 5_000, status: 'error', output: /interrupt/i } },
      requests: [{ agent: 'A' }, { agent: 'A', at: 4_900 }],
    },
  },
  {
    id: 'A-06',
    what: 'when the task has settled the speech is what it was: the user is answered while the tool works on',
    scene(stage) {
      const { A, T } = cast(stage, { post: 3_000 })
      const timeline = [opening, user(11_000, 12_000, 'here you go'), user(13_000, 14_000, 'are you there')]
      return { bench: 'scenario', agent: A, cast: [T], tts, timeline, llm: collecting('Yes.') }
    },
    expect: {
      audible: [
        whole(PRE, 3_200, 8_210),
        whole('What is it?', 8_710, 9_720),
        whole('Yes.', 14_700, 15_710),
        whole('All done.', 16_000, 17_010),
      ],
      events: [
        [12_500, { type: 'agent-change', to: 'A', cause: 'return' }],
        [14_500, { type: 'user-turn-end', text: 'are you there', reason: 'committed' }],
        [14_700, { type: 'agent-state', to: 'speaking' }],
        [15_500, { type: 'call-end', name: 'collect', status: 'done' }],
      ],
      tools: { collect: { start: 3_000, end: 15_500, status: 'done', output: 'collected', aborted: null } },
    },
  },
  {
    id: 'A-07',
    what: 'an interruption gives up the wait for a tool, not the tool: its result is recorded, and not announced by itself',
    scene(stage) {
      const { A } = cast(stage, { slow: 4_000 })
      return {
        bench: 'scenario',
        agent: A,
        tts: { duration: { 'Let me check': 10_000, 'Okay.': 1_000 } },
        line: { canPause: false },
        timeline: [opening, user(5_000, 6_000, 'never mind stop')],
        llm: [['Let me check that for you right away', toolCall('slow')], 'Okay.'],
      }
    },
    expect: {
      audible: [cut('Let me', 3_200, 5_550), whole('Okay.', 6_700, 7_710)],
      history: [
        'user: book me',
        'agent: Let me…',
        'call: slow {}',
        ['user: never mind stop', 6_500],
        ['agent: Okay.', 6_700],
        ['output: slowresult', 7_000],
      ],
      events: [
        [5_550, { type: 'agent-state', to: 'listening' }],
        [6_500, { type: 'agent-state', to: 'thinking' }],
        [6_700, { type: 'agent-state', to: 'speaking' }],
        [7_000, { type: 'call-end', name: 'slow', status: 'done' }],
        [7_710, { type: 'agent-state', to: 'listening' }],
      ],
      tools: { slow: { start: 3_000, end: 7_000, status: 'done', output: 'slowresult', aborted: null } },
      requests: [{ agent: 'A' }, { agent: 'A' }],
    },
  },
  {
    id: 'A-08',
    what: 'a tool that outlives the interruption by far is neither stopped nor lost',
    scene(stage) {
      const { A } = cast(stage, { slow: 12_000 })
      return {
        bench: 'scenario',
        agent: A,
        tts: { duration: { 'Let me check': 10_000, 'Okay.': 1_000 } },
        line: { canPause: false },
        timeline: [opening, user(5_000, 6_000, 'never mind stop')],
        llm: [['Let me check that for you right away', toolCall('slow')], 'Okay.'],
      }
    },
    expect: {
      audible: [cut('Let me', 3_200, 5_550), whole('Okay.', 6_700, 7_710)],
      history: [
        'user: book me',
        'agent: Let me…',
        'call: slow {}',
        'user: never mind stop',
        'agent: Okay.',
        ['output: slowresult', 15_000],
      ],
      tools: { slow: { start: 3_000, end: 15_000, status: 'done', output: 'slowresult', aborted: null } },
      requests: [{ agent: 'A' }, { agent: 'A' }],
    },
  },
  {
    id: 'A-09',
    what: 'a user who asks while a tool works is answered at once, and told the result when it is there',
    scene(stage) {
      const { A } = cast(stage, { slow: 12_000 })
      return {
        bench: 'scenario',
        agent: A,
        tts: { duration: 1_000 },
        timeline: [opening, user(6_000, 7_000, 'are you there')],
        llm: [['Let me check', toolCall('slow')], 'Yes.', 'Here it is.'],
      }
    },
    expect: {
      audible: [whole('Let me check', 3_200, 4_210), whole('Yes.', 7_700, 8_710), whole('Here it is.', 15_500, 16_510)],
      events: [
        [4_210, { type: 'agent-state', to: 'thinking' }],
        [7_500, { type: 'user-turn-end', text: 'are you there' }],
        [7_700, { type: 'agent-state', to: 'speaking' }],
        [8_710, { type: 'agent-state', to: 'thinking' }],
        [15_000, { type: 'call-end', name: 'slow', status: 'done' }],
        [15_500, { type: 'agent-state', to: 'speaking' }],
        [16_510, { type: 'agent-state', to: 'listening' }],
      ],
      history: [
        'user: book me',
        'agent: Let me check',
        'call: slow {}',
        ['user: are you there', 7_500],
        ['agent: Yes.', 7_700],
        ['output: slowresult', 15_000],
        ['agent: Here it is.', 15_500],
      ],
      tools: { slow: { start: 3_000, end: 15_000, status: 'done', aborted: null } },
    },
  },
  {
    id: 'A-11',
    what: 'a close while the tool waits for the floor refuses the task, and nothing is left over',
    scene(stage) {
      const { A, T } = cast(stage, { pre: 1_500 })
      const timeline = [opening, noise(3_600, 4_400), at(5_000, (session) => session.close(), 'close')]
      return { bench: 'scenario', agent: A, cast: [T], tts, timeline, llm: collecting() }
    },
    expect: {
      audible: [{ ...cut('Sure let', 3_200, 5_000), held: [[4_150, 4_900]] }],
      history: ['user: book me', 'agent: Sure let…', 'call: collect {}', 'error: the session closed'],
      tools: { collect: { start: 3_000, end: 5_000, status: 'error', output: /closed/ } },
      agents: [],
      closed: 5_000,
      acts: { close: { at: 5_000, outcome: 'done' } },
    },
  },
  {
    id: 'A-14',
    what: 'a close while the task has the conversation ends the task, the tool and the session at once',
    scene(stage) {
      const { A, T } = cast(stage)
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        tts,
        timeline: [opening, at(10_500, (session) => session.close(), 'close')],
        llm: collecting(),
      }
    },
    expect: {
      audible: [whole(PRE, 3_200, 8_210), whole('What is it?', 8_710, 9_720)],
      agents: [
        [8_210, 'T'],
        [10_500, 'A'],
      ],
      tools: { collect: { start: 3_000, end: 10_500, status: 'error', output: /closed/ } },
      events: [
        [10_500, { type: 'closing' }],
        [10_500, { type: 'agent-change', to: 'A', cause: 'return' }],
        [10_500, { type: 'call-end', name: 'collect' }],
        [10_500, { type: 'closed' }],
      ],
      closed: 10_500,
    },
  },
])
