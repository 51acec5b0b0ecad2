import { agent } from '../../src/index.js'
import { noise, type Scene, user } from '../../src/testing/index.js'
import { scenarios } from './runner.js'

const STORY = 'Here is a long story for you and it goes on and on until the end'
/** What is heard of it in 2,350 ms. */
const BEGIN = 'Here is a long'

const story = (scene: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: agent({ name: 'A', instructions: 'You are A.', greet: false }),
  llm: [STORY, 'Okay.'],
  tts: { duration: { [STORY]: 10_000, 'Okay.': 1_000 } },
  ...scene,
  timeline: [user(500, 2_500, 'Tell me a story.'), ...(scene.timeline ?? [])],
})

scenarios('interruption without a task', [
  {
    id: 'I-03',
    what: 'a voice holds the speech, its final words cut it at the same place',
    scene: story({ timeline: [user(5_000, 6_000, 'Stop!')] }),
    expect: {
      audible: [
        { text: BEGIN, from: 3_200, to: 5_550, end: 'cut', held: [[5_550, null]] },
        { text: 'Okay.', from: 7_000, to: 8_010, end: 'whole' },
      ],
      history: ['user: Tell me a story.', [`agent: ${BEGIN}…`, 3_200], ['user: Stop!', 6_500], ['agent: Okay.', 7_000]],
      events: [
        [5_550, { type: 'agent-state', to: 'listening' }],
        [6_200, { type: 'speech-end', heard: BEGIN, interrupted: true }],
        [6_500, { type: 'user-turn-end', text: 'Stop!', reason: 'committed' }],
        [6_500, { type: 'agent-state', to: 'thinking' }],
      ],
      never: [{ type: 'false-interruption' }],
    },
  },
  {
    id: 'I-05',
    what: 'a noise holds the speech, which goes on from the same sample when the wait for words is over',
    scene: story({ timeline: [noise(5_000, 5_800)], until: 18_000 }),
    expect: {
      audible: [{ text: STORY, from: 3_200, to: 15_960, end: 'whole', held: [[5_550, 8_300]] }],
      history: ['user: Tell me a story.', `agent: ${STORY}`],
      events: [
        [5_550, { type: 'agent-state', to: 'listening' }],
        [6_300, { type: 'user-state', to: 'listening' }],
        [8_300, { type: 'false-interruption', resumed: true }],
        [8_300, { type: 'agent-state', to: 'speaking' }],
      ],
      also: ({ audible }) => {
        const [pause] = audible[0]!.pauses
        const [before, after] = audible[0]!.stretches
        if (before?.end !== pause?.position || after?.start !== pause?.position)
          throw new Error('it did not go on from the same sample')
      },
    },
  },
])
