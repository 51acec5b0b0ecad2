import { agent } from '../../src/index.js'
import { at, type Scene, user } from '../../src/testing/index.js'
import { cut, scenarios, whole } from './runner.js'

/** The application ends the user's turns. */
const manual = (scene: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: agent({ name: 'A', instructions: 'You are A.', greet: false }),
  llm: ['Hi.', 'Okay.'],
  tts: { duration: { 'Hi.': 1_000, 'Okay.': 1_000, 'Here is a long story for you and it goes on': 6_000 } },
  timeline: [],
  ...scene,
  options: { turnDetection: 'manual', ...scene.options },
})
const commit = (time: number, options = {}) => at(time, (session) => session.commitUserTurn(options), 'commit')

scenarios('turns that the application ends', [
  {
    id: 'M-01',
    what: 'the turn ends when it is said to, and is answered',
    scene: manual({ timeline: [user(500, 2_500, 'book me'), commit(3_000)] }),
    expect: {
      audible: [whole('Hi.', 3_500, 4_510)],
      history: [
        ['user: book me', 3_000],
        ['agent: Hi.', 3_500],
      ],
      acts: { commit: { at: 3_000, outcome: 'done' } },
      also: ({ acts }) => {
        if (acts[0]?.value !== 'book me') throw new Error(`it resolved with ${String(acts[0]?.value)}`)
      },
    },
  },
  {
    id: 'M-01b',
    what: 'nothing but that ends it, however long the silence',
    scene: manual({ timeline: [user(500, 2_500, 'book'), user(8_000, 9_000, 'me'), commit(12_000)] }),
    expect: { audible: [whole('Hi.', 12_500, 13_510)], history: [['user: book me', 12_000], 'agent: Hi.'] },
  },
  {
    id: 'M-02',
    what: 'a turn that is ended before its words are there ends with them',
    scene: manual({ timeline: [user(500, 2_500, 'book me', { delay: 700 }), commit(2_550)] }),
    expect: {
      audible: [whole('Hi.', 3_700, 4_710)],
      history: [['user: book me', 3_200], 'agent: Hi.'],
      acts: { commit: { at: 3_200, outcome: 'done' } },
      also: ({ acts }) => {
        if (acts[0]?.value !== 'book me') throw new Error(`it resolved with ${String(acts[0]?.value)}`)
      },
    },
  },
  {
    id: 'M-04',
    what: 'a turn that was cleared and then ended has no words: nothing is recorded as said, and nobody is asked',
    scene: manual({
      timeline: [user(500, 2_500, 'book me'), at(2_900, (session) => session.clearUserTurn()), commit(4_000)],
    }),
    expect: {
      audible: [],
      history: ['overheard: book me (cleared)'],
      requests: [],
      acts: { commit: { at: 6_000, outcome: 'done' } },
      also: ({ acts }) => {
        const value = acts.find(({ name }) => name === 'commit')?.value
        if (value !== '') throw new Error(`it resolved with ${String(value)}`)
      },
    },
  },
  {
    id: 'M-06',
    what: 'push to talk: pressing the key cuts the agent, releasing it ends the turn',
    scene: manual({
      llm: ['Here is a long story for you and it goes on', 'Okay.'],
      timeline: [
        user(500, 2_500, 'tell me a story'),
        commit(3_000),
        at(5_000, (session) => {
          session.interrupt()
          session.clearUserTurn()
        }),
        user(5_100, 5_900, 'Stop!'),
        at(6_500, (session) => session.commitUserTurn(), 'release'),
      ],
    }),
    expect: {
      audible: [cut('Here is a', 3_500, 5_000), whole('Okay.', 7_000, 8_010)],
      history: ['user: tell me a story', 'agent: Here is a…', ['user: Stop!', 6_500], ['agent: Okay.', 7_000]],
      acts: { release: { at: 6_500, outcome: 'done' } },
    },
  },
  {
    id: 'M-06c',
    what: 'an answer is made as soon as the words of the turn are there, though the voice detector has not noticed the silence',
    scene: manual({
      timeline: [user(500, 2_900, 'book me'), at(3_000, (session) => session.commitUserTurn(), 'release')],
    }),
    expect: {
      audible: [whole('Hi.', 3_600, 4_610)],
      history: [['user: book me', 3_100], 'agent: Hi.'],
      requests: [{ agent: 'A', at: 3_100 }],
      acts: { release: { at: 3_100, outcome: 'done' } },
    },
  },
  {
    id: 'M-06b',
    what: 'the user’s voice does not cut the agent where the application ends the turns',
    scene: manual({
      llm: ['Here is a long story for you and it goes on', 'Okay.'],
      timeline: [
        user(500, 2_500, 'tell me a story'),
        commit(3_000),
        user(5_100, 6_100, 'Stop!'),
        at(10_000, (session) => session.commitUserTurn()),
      ],
    }),
    expect: {
      audible: [
        { ...whole('Here is a long story for you and it goes on', 3_500, 9_510), held: [] },
        whole('Okay.', 10_500, 11_510),
      ],
    },
  },
  {
    id: 'M-07',
    what: 'a turn that is ended without a reply is recorded, and not answered',
    scene: manual({ timeline: [user(500, 2_500, 'book me'), commit(3_000, { reply: false })] }),
    expect: {
      audible: [],
      history: [['user: book me', 3_000]],
      requests: [],
      acts: { commit: { at: 3_000, outcome: 'done' } },
    },
  },
  {
    id: 'M-07b',
    what: 'nor does it cut what the agent says',
    scene: manual({
      llm: ['Here is a long story for you and it goes on'],
      timeline: [
        user(500, 2_500, 'tell me a story'),
        commit(3_000),
        user(4_000, 5_000, 'nice'),
        at(5_500, (session) => session.commitUserTurn({ reply: false })),
      ],
    }),
    expect: {
      audible: [{ ...whole('Here is a long story for you and it goes on', 3_500, 9_510), held: [] }],
      history: ['user: tell me a story', 'agent: Here is a long story for you and it goes on', ['user: nice', 5_500]],
      requests: [{ agent: 'A' }],
    },
  },
  {
    id: 'M-08',
    what: 'a close before anything was said leaves nothing behind',
    scene: manual({ timeline: [at(3_000, (session) => session.close(), 'close')] }),
    expect: { audible: [], history: [], requests: [], closed: 3_000 },
  },
])
