import { agent, type STT } from '../../src/index.js'
import { at, type Scene, toolCall } from '../../src/testing/index.js'
import { opening, silent, works } from './cast.js'
import { cut, must, scenarios, whole } from './runner.js'

const STORY = 'Here is a long story for you and on'

/** A answers "book me" at 3,200, and speaks until 7,210. */
const played = (scene: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: silent('A'),
  llm: [STORY],
  tts: { duration: { [STORY]: 4_000, 'Bye now': 1_000, 'Hi.': 1_000 } },
  ...scene,
  timeline: [opening, ...(scene.timeline ?? [])],
})

const close = (time: number, options = {}) => at(time, (session) => session.close(options), 'close')

/** Tells what it has heard when it is asked for it, and not before. */
const patient: STT = {
  name: 'patient ear',
  sampleRate: 16_000,
  async *transcribe(audio, { segments }) {
    void drain(audio)
    for await (const { type } of segments)
      if (type === 'flush') yield { type: 'transcript', text: 'book me', final: true }
  },
}

async function drain(audio: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of audio);
}

scenarios('close', [
  {
    id: 'C-01',
    what: 'a close that drains hears out what is being said, and closes with it',
    scene: played({ timeline: [close(5_000, { drain: true })] }),
    expect: {
      audible: [whole(STORY, 3_200, 7_210)],
      closed: 7_210,
      acts: { close: { at: 7_210, outcome: 'done' } },
    },
  },
  {
    id: 'C-02',
    what: 'a close cuts what is being said, and remembers what was heard of it',
    scene: played({ timeline: [close(5_000)] }),
    expect: {
      audible: [cut('Here is a long', 3_200, 5_000)],
      history: ['user: book me', 'agent: Here is a long…'],
      closed: 5_000,
    },
  },
  {
    id: 'C-03',
    what: 'a close after the final words records them; what was begun as an answer is dropped',
    scene: played({ timeline: [close(2_800)] }),
    expect: {
      audible: [],
      history: [['user: book me', 2_800]],
      events: [[2_800, { type: 'user-turn-end', text: 'book me', reason: 'closing' }]],
      closed: 2_800,
      also: ({ requests }) =>
        must(requests.length === 1 && requests[0]!.outcome === 'aborted', 'the guess was not stopped'),
    },
  },
  {
    id: 'C-04',
    what: 'a close before the final words waits for them, and records them',
    scene: played({ timeline: [close(2_550)] }),
    expect: { audible: [], history: [['user: book me', 2_700]], closed: 2_700, requests: [] },
  },
  {
    id: 'C-04b',
    what: 'a recogniser that waits for silence is asked for its words before a close, and they are recorded',
    scene: played({ stt: patient, timeline: [close(2_550)] }),
    expect: { audible: [], history: [['user: book me', 2_550]], closed: 2_550, requests: [] },
  },
  {
    id: 'C-05',
    what: 'a close when nothing goes on takes no time',
    scene: played({ llm: ['Hi.'], timeline: [close(6_000)] }),
    expect: { audible: [whole('Hi.', 3_200, 4_210)], closed: 6_000 },
  },
  {
    id: 'C-06',
    what: 'what the agent says as it leaves is heard before the close',
    scene: played({
      agent: agent({
        name: 'A',
        instructions: 'You are A.',
        greet: false,
        exit: ({ session }) => void session.say('Bye now'),
      }),
      llm: ['Hi.'],
      timeline: [close(6_000)],
    }),
    expect: {
      audible: [whole('Hi.', 3_200, 4_210), whole('Bye now', 6_200, 7_210)],
      closed: 7_210,
      history: ['user: book me', 'agent: Hi.', 'agent: Bye now'],
    },
  },
  {
    id: 'C-07',
    what: 'a close waits for a tool, records its result, and lets the agent leave',
    scene: (stage) =>
      played({
        agent: agent({
          name: 'A',
          instructions: 'You are A.',
          greet: false,
          tools: { slow: works(stage, 4_000, 'finished') },
          exit: () => stage.mark('exit'),
        }),
        llm: [[STORY, toolCall('slow')]],
        timeline: [close(5_000)],
      }),
    expect: {
      audible: [cut('Here is a long', 3_200, 5_000)],
      tools: { slow: { start: 3_000, end: 7_000, status: 'done', output: 'finished', aborted: null } },
      history: ['user: book me', 'agent: Here is a long…', 'call: slow {}', ['output: finished', 7_000]],
      requests: [{ agent: 'A' }],
      closed: 7_000,
      also: ({ marks }) =>
        must(marks.map(({ at: time }) => time).join() === '7000', 'the exit hook did not run at 7,000'),
    },
  },
  {
    id: 'C-09',
    what: 'a second close while the first goes on waits with it, and tells nothing new',
    scene: (stage) =>
      played({
        agent: silent('A', { slow: works(stage, 4_000, 'finished') }),
        llm: [[STORY, toolCall('slow')]],
        timeline: [
          close(5_000),
          at(6_000, (session) => session.close(), 'again'),
          at(9_000, (session) => session.close(), 'late'),
        ],
      }),
    expect: {
      closed: 7_000,
      acts: {
        close: { at: 7_000, outcome: 'done' },
        again: { at: 7_000, outcome: 'done' },
        late: { at: 9_000, outcome: 'done' },
      },
      also: ({ events }) => {
        const ends = events.flatMap(({ event }) => (['closing', 'closed'].includes(event.type) ? [event.type] : []))
        must(ends.join() === 'closing,closed', `told were ${ends.join()}`)
      },
    },
  },
])
