import { agent } from '../../src/index.js'
import { at, noise, type Scene, user } from '../../src/testing/index.js'
import { cut, scenarios, whole } from './runner.js'

const STORY = 'Here is a long story for you and it goes on and on until the end'

const plain = (scene: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: agent({ name: 'A', instructions: 'You are A.', greet: false }),
  llm: ['Hi.', 'Okay.'],
  tts: { duration: { [STORY]: 10_000, 'Hi.': 1_000, 'Okay.': 1_000 } },
  ...scene,
})
const opening = user(500, 2_500, 'Tell me a story.')

scenarios('a user who is there, and how much of them is heard', [
  {
    id: 'L-02',
    what: 'what an agent wants otherwise than its session holds: where it needs three words, one interrupts nothing and is answered afterwards',
    scene: plain({
      agent: agent({
        name: 'A',
        instructions: 'You are A.',
        greet: false,
        turnHandling: { interruption: { minWords: 3 } },
      }),
      llm: [STORY, 'Okay.'],
      timeline: [opening, user(5_000, 6_000, 'Stop!')],
    }),
    expect: {
      audible: [{ ...whole(STORY, 3_200, 13_210), held: [] }, whole('Okay.', 13_710, 14_720)],
      history: ['user: Tell me a story.', `agent: ${STORY}`, ['user: Stop!', 13_210], 'agent: Okay.'],
      never: [{ type: 'false-interruption' }],
    },
  },
  {
    id: 'L-06',
    what: 'how much the user has said is counted anew when the agent has spoken: a limit that would be hit by both turns is hit by none',
    scene: plain({
      timeline: [user(500, 2_500, 'one two three'), user(6_000, 8_000, 'four five six')],
      options: { userTurnLimit: { maxWords: 4 } },
    }),
    expect: {
      audible: [whole('Hi.', 3_200, 4_210), whole('Okay.', 8_700, 9_710)],
      never: [{ type: 'user-turn-exceeded' }],
    },
  },
  {
    id: 'W-01',
    what: 'a user who says nothing for so long after the agent has ended is away',
    scene: plain({ timeline: [opening], options: { userAwayTimeout: 5_000 }, llm: ['Hi.'] }),
    expect: {
      audible: [whole('Hi.', 3_200, 4_210)],
      events: [
        [4_210, { type: 'agent-state', to: 'listening' }],
        [9_210, { type: 'user-state', to: 'away' }],
      ],
    },
  },
  {
    id: 'W-02',
    what: 'a user who says nothing from the start is away, and back when they speak',
    scene: plain({ timeline: [user(8_000, 9_000, 'hello')], options: { userAwayTimeout: 5_000 }, llm: ['Hi.'] }),
    expect: {
      audible: [whole('Hi.', 9_700, 10_710)],
      events: [
        [5_000, { type: 'user-state', to: 'away' }],
        [8_050, { type: 'user-state', to: 'speaking', at: 8_000 }],
      ],
    },
  },
  {
    id: 'X-01',
    what: 'while an echo canceller learns, a voice interrupts nothing: its words end the speech when their turn has ended',
    scene: plain({
      llm: [STORY, 'Okay.'],
      timeline: [opening, user(4_000, 5_000, 'Stop!')],
      options: { turnHandling: { interruption: { warmup: 3_000 } } },
    }),
    expect: {
      audible: [{ ...cut('Here is a long', 3_200, 5_500), held: [] }, whole('Okay.', 6_000, 7_010)],
      history: ['user: Tell me a story.', 'agent: Here is a long…', ['user: Stop!', 5_500], ['agent: Okay.', 6_000]],
      events: [[5_500, { type: 'user-turn-end', text: 'Stop!', reason: 'committed' }]],
    },
  },
  {
    id: 'X-02',
    what: 'a voice that still sounds when an echo canceller has learned holds the speech',
    scene: plain({
      llm: [STORY, 'Okay.'],
      timeline: [opening, user(4_000, 7_000, 'Stop please now')],
      options: { turnHandling: { interruption: { warmup: 3_000 } } },
    }),
    expect: {
      audible: [{ ...cut('Here is a long', 3_200, 6_250), held: [[6_250, null]] }, whole('Okay.', 8_000, 9_010)],
      events: [
        [6_250, { type: 'agent-state', to: 'listening' }],
        [7_200, { type: 'speech-end', interrupted: true }],
        [7_500, { type: 'user-turn-end', text: 'Stop please now', reason: 'committed' }],
      ],
    },
  },
  {
    id: 'X-03',
    what: 'a voice for which no words come is let go, once, when they have been waited for long enough',
    scene: plain({
      llm: [],
      timeline: [noise(500, 2_500)],
      options: { turnHandling: { endpointing: { transcriptTimeout: 1_000 } } },
    }),
    expect: {
      audible: [],
      events: [
        [550, { type: 'user-turn-start' }],
        [3_000, { type: 'user-state', to: 'listening', at: 2_500 }],
        [3_500, { type: 'user-turn-end', text: null, reason: 'no-words' }],
      ],
      also: ({ turns }) => {
        if (turns.length !== 1) throw new Error(`${turns.length} turns were let go`)
      },
    },
  },
  {
    id: 'X-04',
    what: 'the application claims the floor for a user who makes no sound: they count as speaking, and what is to be said waits',
    scene: plain({
      timeline: [
        at(1_000, (session, stage) => {
          const claim = session.claimUserTurn()
          void session.run().then(() => stage.mark('at rest'))
          void stage.sleep(2_000).then(() => claim[Symbol.dispose]())
        }),
        at(1_500, (session) => {
          session.say('Hi.')
        }),
      ],
    }),
    expect: {
      audible: [whole('Hi.', 3_000, 4_010)],
      events: [
        [1_000, { type: 'user-state', to: 'speaking', at: 1_000 }],
        [3_000, { type: 'user-state', to: 'listening', at: 3_000 }],
        [3_000, { type: 'agent-state', to: 'speaking' }],
      ],
      also: ({ marks }) => {
        if (marks[0]?.at !== 4_000) throw new Error(`it was at rest at ${marks[0]?.at}`)
      },
    },
  },
])
