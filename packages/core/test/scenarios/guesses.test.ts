import { at, toolCall, user } from '../../src/testing/index.js'
import { cast, durations, PRE } from './cast.js'
import { scenarios, whole } from './runner.js'

scenarios('answers that were begun early', [
  {
    id: 'D-01',
    what: 'protected words that are asked for while an answer is begun follow it, and the task begins after them: the user is answered (the reference drops the answer, and only records the turn)',
    scene(stage) {
      const { A, T } = cast(stage, { pre: 500 })
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        tts: { duration: { ...durations, [PRE]: 2_000, 'Hello.': 1_000 } },
        timeline: [
          user(500, 2_500, 'hello there'),
          at(2_800, (session) => {
            session.generateReply({ instructions: 'Ask.', allowInterruptions: false })
          }),
          user(9_000, 10_000, 'here you go'),
        ],
        llm: {
          A: [{ when: { instructions: 'Ask.' }, text: PRE, calls: toolCall('collect') }, 'Hello.', 'All done.'],
          T: ['What is it?', toolCall('finish', { value: 'ok' })],
        },
      }
    },
    expect: {
      audible: [
        whole('Hello.', 3_200, 4_210),
        whole(PRE, 4_210, 6_220),
        whole('What is it?', 6_720, 7_730),
        whole('All done.', 11_000, 12_010),
      ],
      history: [
        ['user: hello there', 3_000],
        ['agent: Hello.', 3_200],
        [`agent: ${PRE}`, 4_210],
        'call: collect {}',
        'agent: What is it?',
        'user: here you go',
        'call: finish {"value":"ok"}',
        'output: ',
        'output: collected',
        'agent: All done.',
      ],
      agents: [
        [6_220, 'T'],
        [10_500, 'A'],
      ],
      requests: [
        { agent: 'A', at: 2_700, sees: ['user: hello there'] },
        { agent: 'A', at: 3_000, holds: ['user: hello there'] },
        { agent: 'T' },
        { agent: 'T' },
        { agent: 'A' },
      ],
      tools: { collect: { start: 3_300, end: 10_500, status: 'done', output: 'collected', aborted: null } },
    },
  },
])
