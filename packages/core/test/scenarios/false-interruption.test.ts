import { agent } from '../../src/index.js'
import { at, heard, noise, type Scene, user } from '../../src/testing/index.js'
import { cut, scenarios, whole } from './runner.js'

const STORY = 'Here is a long story for you and it goes on and on until the end'
/** What is heard of it in 2,350 ms. */
const BEGIN = 'Here is a long'

/** The agent tells a story of ten seconds, from 3,200 on. */
const story = (scene: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: agent({ name: 'A', instructions: 'You are A.', greet: false }),
  llm: [STORY, 'Okay.'],
  tts: { duration: { [STORY]: 10_000, 'Okay.': 1_000 } },
  ...scene,
  timeline: [user(500, 2_500, 'Tell me a story.'), ...(scene.timeline ?? [])],
})
const interruption = (options: object) => ({ turnHandling: { interruption: options } })

const unheard = STORY.slice(BEGIN.length).trim()

scenarios('voices that turn out to interrupt nobody', [
  {
    id: 'I-05b',
    what: 'a noise that cut speech on a line that cannot pause is owned up to, with what was not heard',
    scene: story({ line: { canPause: false }, timeline: [noise(5_000, 5_800)] }),
    expect: {
      audible: [cut(BEGIN, 3_200, 5_550)],
      history: ['user: Tell me a story.', `agent: ${BEGIN}…`],
      events: [
        [5_550, { type: 'agent-state', to: 'listening' }],
        [6_300, { type: 'user-state', to: 'listening' }],
        [8_300, { type: 'false-interruption', resumed: false, unheard }],
      ],
    },
  },
  {
    id: 'I-06',
    what: 'a second noise while the speech is held starts the wait for words anew',
    scene: story({ timeline: [noise(5_000, 5_800), noise(7_500, 7_800)], until: 20_000 }),
    expect: {
      audible: [{ ...whole(STORY, 3_200, 17_960), held: [[5_550, 10_300]] }],
      events: [
        [5_550, { type: 'agent-state', to: 'listening' }],
        [6_300, { type: 'user-state', to: 'listening' }],
        [7_550, { type: 'user-state', to: 'speaking' }],
        [8_300, { type: 'user-state', to: 'listening' }],
        [10_300, { type: 'false-interruption', resumed: true }],
        [10_300, { type: 'agent-state', to: 'speaking' }],
      ],
    },
  },
  {
    id: 'I-09',
    what: 'without a wait for words a voice that lasts cuts at once, and nobody speaks of a mistake',
    scene: story({ timeline: [noise(5_000, 5_800)], options: interruption({ falseInterruptionTimeout: null }) }),
    expect: {
      audible: [{ ...cut(BEGIN, 3_200, 5_550), held: [] }],
      history: ['user: Tell me a story.', `agent: ${BEGIN}…`],
      never: [{ type: 'false-interruption' }],
    },
  },
  {
    id: 'I-10',
    what: 'where speech is not to go on by itself a voice that lasts cuts it, and the application is told when it was a mistake',
    scene: story({ timeline: [noise(5_000, 5_800)], options: interruption({ resume: false }) }),
    expect: {
      audible: [{ ...cut(BEGIN, 3_200, 5_550), held: [] }],
      events: [[8_300, { type: 'false-interruption', resumed: false, unheard }]],
      never: [{ type: 'false-interruption', resumed: true }],
    },
  },
  {
    id: 'I-16b',
    what: 'a noise that begins before the answer sounds lets it wait, and is no interruption',
    scene: story({ timeline: [noise(3_000, 3_300)] }),
    expect: {
      audible: [{ ...whole(STORY, 3_800, 13_810), held: [] }],
      history: ['user: Tell me a story.', [`agent: ${STORY}`, 3_800]],
      events: [
        [3_800, { type: 'user-state', to: 'listening' }],
        [3_800, { type: 'agent-state', to: 'speaking' }],
      ],
      requests: [{ agent: 'A' }],
    },
  },
  {
    id: 'I-16c',
    what: 'nor does a short noise in the midst of making the answer have it wait for words',
    scene: story({ timeline: [noise(3_050, 3_350)] }),
    expect: { audible: [{ ...whole(STORY, 3_850, 13_860), held: [] }], requests: [{ agent: 'A' }] },
  },
  {
    id: 'I-19',
    what: 'held speech goes on when the words turn out to be too few, however long their turn stays open (the reference waits for that, too)',
    scene: {
      ...story({
        timeline: [
          noise(5_000, 5_800),
          heard(5_300, { type: 'transcript', text: 'stop now', final: false }),
          heard(7_000, 'stop'),
        ],
      }),
      turnDetector: [0.9, 0.1],
      options: interruption({ minWords: 2 }),
      until: 20_000,
    },
    expect: {
      // the one word is answered when the story is over
      audible: [{ ...whole(STORY, 3_200, 15_960), held: [[5_550, 8_300]] }, whole('Okay.', 16_460, 17_470)],
      events: [[8_300, { type: 'false-interruption', resumed: true }]],
      history: ['user: Tell me a story.', `agent: ${STORY}`, ['user: stop', 15_960], 'agent: Okay.'],
    },
  },
  {
    id: 'I-19b',
    what: 'held speech does not go on when the words that were awaited come to a turn',
    scene: story({
      timeline: [noise(5_000, 5_800), heard(6_100, { type: 'transcript', text: 'stop', final: false })],
    }),
    expect: {
      audible: [{ ...cut(BEGIN, 3_200, 5_550), held: [[5_550, null]] }, whole('Okay.', 8_600, 9_610)],
      events: [[8_100, { type: 'user-turn-end', text: 'stop', reason: 'committed' }]],
      never: [{ type: 'false-interruption' }],
    },
  },
  {
    id: 'I-19c',
    what: 'held speech does not go on when the session closes',
    scene: story({ timeline: [noise(5_000, 5_800), at(7_000, (session) => session.close(), 'close')] }),
    expect: {
      audible: [{ ...cut(BEGIN, 3_200, 5_550), held: [[5_550, null]] }],
      never: [{ type: 'false-interruption' }],
      closed: 7_000,
    },
  },
  {
    id: 'I-20',
    what: 'a turn that is committed and not to be answered leaves the held speech to go on',
    scene: story({
      timeline: [noise(5_000, 5_800), at(6_500, (session) => session.commitUserTurn({ reply: false }), 'commit')],
    }),
    expect: {
      audible: [{ ...whole(STORY, 3_200, 15_960), held: [[5_550, 8_300]] }],
      events: [[8_300, { type: 'false-interruption', resumed: true }]],
      history: ['user: Tell me a story.', `agent: ${STORY}`],
      acts: { commit: { outcome: 'done' } },
    },
  },
])
