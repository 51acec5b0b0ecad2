import { agent, tool } from '../../src/index.js'
import { at, hangUp, heard, noise, toolCall } from '../../src/testing/index.js'
import { cast, durations, opening, PRE, silent, works } from './cast.js'
import { scenarios, whole } from './runner.js'

scenarios('what moving events around each other has found', [
  {
    id: 'found-1',
    what: 'final words that come while a close waits for a tool are recorded',
    scene: (stage) => ({
      bench: 'scenario',
      agent: silent('A', { slow: works(stage, 4_000, 'finished') }),
      llm: [['Let me check', toolCall('slow')]],
      tts: { duration: 500 },
      timeline: [
        opening,
        noise(4_000, 4_900),
        at(6_000, (session) => session.close(), 'close'),
        heard(6_500, 'one more thing'),
      ],
    }),
    expect: {
      history: [
        'user: book me',
        'agent: Let me check',
        'call: slow {}',
        ['user: one more thing', 6_500],
        ['output: finished', 7_000],
      ],
      requests: [{ agent: 'A' }],
      closed: 7_000,
    },
  },
  {
    id: 'found-2',
    what: 'a hand-off that waits for a task beside it keeps no drain open',
    scene(stage) {
      const B = agent({ name: 'B', instructions: 'You are B.' })
      const transfer = tool({ description: 'Transfers.', execute: () => B })
      const { A, T } = cast(stage, { tools: { transfer } })
      return {
        bench: 'scenario',
        agent: A,
        cast: [T, B],
        tts: { duration: durations },
        timeline: [opening, at(9_000, (session) => session.close({ drain: true }), 'close')],
        llm: { A: [[PRE, toolCall('collect'), toolCall('transfer')]], T: ['What is it?'] },
      }
    },
    expect: {
      audible: [whole(PRE, 3_200, 8_210), whole('What is it?', 8_710, 9_720)],
      tools: { collect: { end: 9_720, status: 'error' }, transfer: { end: 9_720 } },
      closed: 9_720,
    },
  },
  {
    id: 'found-3',
    what: 'a caller who hangs up in the middle of a sound is not waited for longer than a close may wait for words',
    scene: {
      bench: 'scenario',
      agent: silent('A'),
      timeline: [noise(1_000, 3_000), hangUp(2_000)],
      options: { turnHandling: { endpointing: { minDelay: 5_000 } }, limits: { closeTranscript: 1_000 } },
    },
    expect: { closed: 3_000 },
  },
])
