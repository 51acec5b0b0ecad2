import { agent, tool } from '../../src/index.js'
import { at, noise, type SceneMaker, type Stage, toolCall, user } from '../../src/testing/index.js'
import { type CastOptions, cast, collecting, durations, opening, PRE } from './cast.js'
import { cut, scenarios, whole } from './runner.js'

/** A calls `collect`, whose words are protected while it awaits T. */
const collects =
  (timeline: readonly Parameters<Stage['perform']>[0][], options: CastOptions = {}, canPause = true): SceneMaker =>
  (stage) => {
    const { A, T } = cast(stage, options)
    return {
      bench: 'scenario',
      agent: A,
      cast: [T],
      tts: { duration: durations },
      line: { canPause },
      timeline: [opening, ...timeline],
      llm: collecting(),
    }
  }

scenarios('words beside a task that are protected', [
  {
    id: 'A-02b',
    what: 'speech that is held when the user has stopped goes on at the moment at which it becomes protected',
    scene: collects([noise(3_600, 4_400), user(13_000, 14_000, 'here you go')], { pre: 2_000 }),
    expect: {
      audible: [
        { ...whole(PRE, 3_200, 9_060), held: [[4_150, 5_000]] },
        whole('What is it?', 9_560, 10_570),
        whole('All done.', 15_000, 16_010),
      ],
      events: [
        [4_150, { type: 'agent-state', to: 'listening' }],
        [4_900, { type: 'user-state', to: 'listening' }],
        [5_000, { type: 'false-interruption', resumed: true }],
        [5_000, { type: 'agent-state', to: 'speaking' }],
        [9_060, { type: 'agent-change', to: 'T', cause: 'task' }],
      ],
      tools: { collect: { start: 3_000, end: 14_500, status: 'done', output: 'collected', aborted: null } },
    },
  },
  {
    id: 'A-03c',
    what: 'held speech that became protected waits for a user who keeps speaking, and their words cut nothing',
    scene: collects([user(3_600, 9_000, 'hmm ok i have more'), user(17_000, 18_000, 'here you go')], { pre: 1_200 }),
    expect: {
      audible: [
        { ...whole(PRE, 3_200, 13_560), held: [[4_150, 9_500]] },
        whole('What is it?', 14_060, 15_070),
        whole('All done.', 19_000, 20_010),
      ],
      history: [
        'user: book me',
        [`agent: ${PRE}`, 3_200],
        'call: collect {}',
        ['user: hmm ok i have more', 9_500],
        ['agent: What is it?', 14_060],
        'user: here you go',
        'call: finish {"value":"ok"}',
        'output: ',
        'output: collected',
        'agent: All done.',
      ],
      events: [
        [4_150, { type: 'agent-state', to: 'listening' }],
        [9_500, { type: 'user-state', to: 'listening' }],
        [9_500, { type: 'user-turn-end', text: 'hmm ok i have more', reason: 'committed' }],
        [9_500, { type: 'false-interruption', resumed: true }],
        [9_500, { type: 'agent-state', to: 'speaking' }],
        [13_560, { type: 'agent-change', to: 'T', cause: 'task' }],
      ],
      tools: { collect: { start: 3_000, end: 18_500, status: 'done', aborted: null } },
    },
  },
  {
    id: 'A-03d',
    what: 'that wait has a limit: held speech that became protected goes on over a user who does not stop',
    scene(stage) {
      const scene = collects([user(3_600, 9_000, 'hmm ok i have more'), user(17_000, 18_000, 'here you go')], {
        pre: 1_200,
      })
      const options = { turnHandling: { interruption: { maxHold: 2_000 } } }
      return { ...(typeof scene === 'function' ? scene(stage) : scene), options }
    },
    expect: {
      audible: [
        { ...whole(PRE, 3_200, 10_210), held: [[4_150, 6_150]] },
        whole('What is it?', 10_710, 11_720),
        whole('All done.', 19_000, 20_010),
      ],
      events: [
        [6_150, { type: 'false-interruption', resumed: true }],
        [9_500, { type: 'user-turn-end', text: 'hmm ok i have more', reason: 'committed' }],
      ],
    },
  },
  {
    id: 'A-13',
    what: 'a forced interruption while the task has the conversation cuts its words, and leaves the tool that awaits it alone',
    scene: collects([
      at(9_000, (session) => session.interrupt({ force: true }), 'force'),
      user(13_000, 14_000, 'here you go'),
    ]),
    expect: {
      // its first word is not over yet
      audible: [whole(PRE, 3_200, 8_210), cut('', 8_710, 9_000), whole('All done.', 15_000, 16_010)],
      acts: { force: { at: 9_000, outcome: 'done' } },
      events: [
        [9_000, { type: 'agent-state', to: 'listening' }],
        [14_500, { type: 'agent-change', to: 'A', cause: 'return' }],
      ],
      tools: { collect: { start: 3_000, end: 14_500, status: 'done', output: 'collected', aborted: null } },
      agents: [
        [8_210, 'T'],
        [14_500, 'A'],
      ],
    },
  },
  {
    id: 'A-17',
    what: 'on a line that cannot pause, a voice that lasts cuts nothing that became protected just before, and its words are kept',
    scene: collects(
      [user(3_600, 5_000, 'wait stop please'), user(11_000, 12_000, 'here you go')],
      { pre: 1_000 },
      false,
    ),
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
        ['user: wait stop please', 5_500],
        'agent: What is it?',
        'user: here you go',
        'call: finish {"value":"ok"}',
        'output: ',
        'output: collected',
        'agent: All done.',
      ],
      events: [
        [5_500, { type: 'user-turn-end', text: 'wait stop please', reason: 'committed' }],
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
    id: 'A-21',
    what: 'speech that a tool protects while it is held goes on as soon as the user is silent',
    scene(stage) {
      const check = tool({
        description: 'Checks.',
        async execute(_, run) {
          await stage.sleep(1_500)
          run.disallowInterruptions()
          stage.mark('protected', run.speech.allowInterruptions)
        },
      })
      return {
        bench: 'scenario',
        agent: agent({ name: 'A', instructions: 'You are A.', greet: false, tools: { check } }),
        tts: { duration: 4_000 },
        timeline: [opening, noise(3_600, 4_400)],
        llm: [['Let me check that for you right away', toolCall('check')]],
      }
    },
    expect: {
      audible: [{ ...whole('Let me check that for you right away', 3_200, 7_960), held: [[4_150, 4_900]] }],
      events: [
        [4_150, { type: 'agent-state', to: 'listening' }],
        [4_900, { type: 'user-state', to: 'listening' }],
        [4_900, { type: 'false-interruption', resumed: true }],
        [4_900, { type: 'agent-state', to: 'speaking' }],
      ],
      tools: { check: { start: 3_000, end: 4_500, status: 'done', aborted: null } },
      also: ({ marks }) => {
        if (marks[0]?.data !== false) throw new Error('the speech does not say that it is protected')
      },
    },
  },
])
