import { agent } from '../../src/index.js'
import { at, noise, type Scene, user } from '../../src/testing/index.js'
import { measured } from './measured.js'
import { cut, type Row, scenarios, whole } from './runner.js'

const STORY = 'Here is a long story for you and it goes on and on until the end'
/** What is heard of it in 2,350 ms. */
const BEGIN = 'Here is a long'

const A = agent({ name: 'A', instructions: 'You are A.', greet: false })

/** The agent tells a story of ten seconds, from 3,200 on. */
const story = (scene: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: A,
  llm: [STORY, 'Okay.'],
  tts: { duration: { [STORY]: 10_000, 'Okay.': 1_000 } },
  ...scene,
  timeline: [user(500, 2_500, 'Tell me a story.'), ...(scene.timeline ?? [])],
})
const stiff = { canPause: false }

scenarios('words that interrupt', [
  {
    id: 'B-01',
    what: 'a plain turn: what was heard and said, and each state at its time',
    scene: {
      bench: 'scenario',
      agent: A,
      timeline: [user(500, 2_500, 'Hello, how are you?')],
      llm: ["I'm doing well, thank you!"],
      tts: { duration: 2_000 },
    },
    expect: {
      audible: [whole("I'm doing well, thank you!", 3_200, 5_210)],
      history: [
        ['user: Hello, how are you?', 3_000],
        ["agent: I'm doing well, thank you!", 3_200],
      ],
      events: [
        [550, { type: 'user-state', to: 'speaking', at: 500 }],
        [2_600, { type: 'user-transcript', text: 'Hello, how', final: false }],
        [2_700, { type: 'user-transcript', text: 'Hello, how are you?', final: true }],
        [3_000, { type: 'user-state', to: 'listening', at: 2_500 }],
        [3_000, { type: 'user-turn-end', text: 'Hello, how are you?', reason: 'committed' }],
        [3_000, { type: 'history-item' }],
        [3_000, { type: 'agent-state', to: 'thinking' }],
        [3_200, { type: 'agent-state', to: 'speaking' }],
        [5_210, { type: 'history-item' }],
        [5_210, { type: 'agent-state', to: 'listening' }],
      ],
      requests: [{ agent: 'A', at: 2_700, sees: ['user: Hello, how are you?'] }],
      also(observed) {
        measured('user', {
          startedSpeakingAt: 500,
          stoppedSpeakingAt: 2_500,
          transcriptionDelay: 200,
          endOfTurnDelay: 500,
          hookDelay: null,
        })(observed)
        measured('assistant', {
          startedSpeakingAt: 3_200,
          stoppedSpeakingAt: 5_210,
          timeToFirstToken: 100,
          timeToFirstByte: 200,
          timeToFirstSound: 500,
          endToEnd: 700,
        })(observed)
      },
    },
  },
  {
    id: 'I-02',
    what: 'on a line that cannot pause a voice that lasts cuts the speech, and its words are answered',
    scene: story({ line: stiff, timeline: [user(5_000, 6_000, 'Stop!')] }),
    expect: {
      audible: [cut(BEGIN, 3_200, 5_550), whole('Okay.', 6_700, 7_710)],
      history: ['user: Tell me a story.', [`agent: ${BEGIN}…`, 3_200], ['user: Stop!', 6_500], ['agent: Okay.', 6_700]],
      events: [
        [5_550, { type: 'agent-state', to: 'listening' }],
        [5_550, { type: 'speech-end', heard: BEGIN, interrupted: true }],
        [6_500, { type: 'user-turn-end', text: 'Stop!', reason: 'committed' }],
        [6_500, { type: 'agent-state', to: 'thinking' }],
        [6_700, { type: 'agent-state', to: 'speaking' }],
      ],
      never: [{ type: 'false-interruption' }],
    },
  },
  {
    id: 'I-04',
    what: 'a word that is shorter than a voice must be to hold the speech cuts it when it is final',
    scene: story({ timeline: [user(5_000, 5_400, 'Stop!')] }),
    expect: {
      audible: [{ ...cut(BEGIN, 3_200, 5_600), held: [] }, whole('Okay.', 6_400, 7_410)],
      history: ['user: Tell me a story.', `agent: ${BEGIN}…`, ['user: Stop!', 5_900], ['agent: Okay.', 6_400]],
      events: [
        [5_600, { type: 'speech-end', heard: BEGIN, interrupted: true }],
        [5_900, { type: 'user-turn-end', text: 'Stop!', reason: 'committed' }],
        [6_400, { type: 'agent-state', to: 'speaking' }],
        [7_410, { type: 'agent-state', to: 'listening' }],
      ],
    },
  },
  {
    id: 'I-07',
    what: 'words that come late, before held speech goes on, cut it where it was held, and are answered at once',
    scene: story({ timeline: [user(5_000, 5_800, 'Stop now', { delay: 1_700, interims: false })] }),
    expect: {
      audible: [{ ...cut(BEGIN, 3_200, 5_550), held: [[5_550, null]] }, whole('Okay.', 8_000, 9_010)],
      history: ['user: Tell me a story.', `agent: ${BEGIN}…`, ['user: Stop now', 7_500], ['agent: Okay.', 8_000]],
      events: [
        [7_500, { type: 'user-turn-end', text: 'Stop now', reason: 'committed' }],
        [7_500, { type: 'speech-end', heard: BEGIN, interrupted: true }],
        [7_500, { type: 'agent-state', to: 'thinking' }],
      ],
      never: [{ type: 'false-interruption' }],
      also: measured('user', { endOfTurnDelay: 500 }, { endOfTurnDelay: 1_700, transcriptionDelay: 1_700 }),
    },
  },
  {
    id: 'I-11',
    what: 'where three words are needed, fewer neither hold nor cut: they are kept, and are one turn with those that do',
    scene: {
      ...story({
        line: stiff,
        timeline: [user(5_000, 6_000, 'Stop!'), user(6_500, 7_500, 'ok, stop!', { delay: 10 })],
        tts: { duration: { [STORY]: 5_000, 'Okay.': 1_000 } },
      }),
      options: { turnHandling: { interruption: { minWords: 3 } } },
    },
    expect: {
      audible: [cut('Here is a long story for you and it goes on and on', 3_200, 7_510), whole('Okay.', 8_200, 9_210)],
      events: [
        [7_510, { type: 'speech-end', interrupted: true }],
        [8_000, { type: 'user-turn-end', text: 'Stop! ok, stop!', reason: 'committed' }],
      ],
      also: ({ turns }) => {
        if (turns.length !== 2) throw new Error(`there were ${turns.length} turns`)
      },
    },
  },
  {
    id: 'I-13',
    what: 'typed words cut the speech: what was heard stands before them, and is told before them',
    scene: story({
      tts: { duration: { [STORY]: 15_000, 'Okay.': 1_000 } },
      timeline: [
        at(5_000, (session) => {
          session.interrupt()
          session.generateReply({ userInput: 'stop from text input' })
        }),
      ],
    }),
    expect: {
      audible: [cut('Here is', 3_200, 5_000), whole('Okay.', 5_500, 6_510)],
      history: [
        'user: Tell me a story.',
        ['agent: Here is…', 3_200],
        ['user: stop from text input', 5_000],
        ['agent: Okay.', 5_500],
      ],
      events: [
        [5_000, { type: 'speech-end', heard: 'Here is', interrupted: true }],
        [5_000, { type: 'reply-start', source: 'request' }],
        [5_000, { type: 'history-item' }],
        [5_000, { type: 'agent-state', to: 'thinking' }],
        [5_500, { type: 'agent-state', to: 'speaking' }],
      ],
      requests: [
        { agent: 'A' },
        { agent: 'A', at: 5_000, sees: ['user: Tell me a story.', 'agent: Here is…', 'user: stop from text input'] },
      ],
    },
  },
  ...[
    { id: 'I-14', line: stiff, where: 'that cannot pause' },
    { id: 'I-15', line: {}, where: 'that can pause' },
  ].map(
    ({ id, line, where }): Row => ({
      id,
      what: `on a line ${where}, words that come before the answer was heard take its place, and nothing of it is remembered`,
      scene: story({ line, answers: { firstToken: 100, total: 1_000 }, timeline: [user(3_000, 4_000, 'Stop!')] }),
      expect: {
        audible: [whole('Okay.', 5_700, 6_710)],
        history: ['user: Tell me a story.', ['user: Stop!', 4_500], ['agent: Okay.', 5_700]],
        events: [
          [3_000, { type: 'agent-state', to: 'thinking' }],
          [3_550, { type: 'agent-state', to: 'listening' }],
          [4_500, { type: 'user-turn-end', text: 'Stop!', reason: 'committed' }],
          [4_500, { type: 'agent-state', to: 'thinking' }],
          [5_700, { type: 'agent-state', to: 'speaking' }],
        ],
        requests: [{ agent: 'A' }, { agent: 'A', at: 4_500, sees: ['user: Tell me a story.', 'user: Stop!'] }],
      },
    }),
  ),
  {
    id: 'I-14b',
    what: 'on a line that cannot pause, a noise before the answer was heard costs the wait for words, and not the answer (the reference throws it away)',
    scene: story({ line: stiff, answers: { firstToken: 100, total: 1_000 }, timeline: [noise(3_100, 4_100)] }),
    expect: {
      audible: [whole(STORY, 6_100, 16_110)],
      requests: [{ agent: 'A', at: 2_700 }],
      events: [
        [4_600, { type: 'user-state', to: 'listening' }],
        [6_100, { type: 'agent-state', to: 'speaking' }],
      ],
    },
  },
  {
    id: 'I-17',
    what: 'the application interrupts: the speech ends at once, where it was heard',
    scene: story({
      timeline: [at(5_000, (session) => session.interrupt(), 'interrupt')],
    }),
    expect: {
      audible: [cut('Here is a', 3_200, 5_000)],
      history: ['user: Tell me a story.', ['agent: Here is a…', 3_200]],
      acts: { interrupt: { at: 5_000, outcome: 'done' } },
      events: [
        [5_000, { type: 'agent-state', to: 'listening' }],
        [5_000, { type: 'speech-end', heard: 'Here is a', interrupted: true }],
        [5_000, { type: 'reply-end', outcome: 'interrupted', heard: 'Here is a' }],
      ],
      requests: [{ agent: 'A' }],
    },
  },
  ...[
    { id: 'I-22a', from: 3_100, begun: false, answered: 4_500, when: 'just before the agent begins' },
    { id: 'I-22b', from: 3_200, begun: true, answered: 4_600, when: 'as the agent begins' },
    { id: 'I-22c', from: 3_300, begun: true, answered: 4_700, when: 'just after the agent has begun' },
  ].map(
    ({ id, from, begun, answered, when }): Row => ({
      id,
      what: `a word that is spoken ${when} is not held back (the reference withholds transcripts around that moment): it interrupts, and is answered`,
      scene: story({ timeline: [user(from, from + 400, 'Stop!')] }),
      expect: {
        audible: [...(begun ? [cut('Here', 3_200, from + 600)] : []), whole('Okay.', answered, answered + 1_010)],
        history: [
          'user: Tell me a story.',
          ...(begun ? ['agent: Here…'] : []),
          ['user: Stop!', from + 900],
          ['agent: Okay.', answered],
        ],
      },
    }),
  ),
  {
    id: 'I-23',
    what: 'just after the agent has begun a classifier that takes a voice for a nod is not believed: it holds, and its words cut',
    scene: story({
      timeline: [user(3_400, 4_600, 'yes sure go'), at(3_900, (session) => session.judgeOverlap('backchannel'))],
    }),
    expect: {
      audible: [{ ...cut('Here', 3_200, 3_950), held: [[3_950, null]] }, whole('Okay.', 5_600, 6_610)],
      history: ['user: Tell me a story.', 'agent: Here…', ['user: yes sure go', 5_100], 'agent: Okay.'],
    },
  },
  {
    id: 'I-23b',
    what: 'later it is: the voice neither holds nor cuts, and its words are nobody’s turn',
    scene: story({
      timeline: [user(6_000, 7_200, 'yes sure go'), at(6_400, (session) => session.judgeOverlap('backchannel'))],
    }),
    expect: {
      audible: [{ ...whole(STORY, 3_200, 13_210), held: [] }],
      history: ['user: Tell me a story.', `agent: ${STORY}`, 'overheard: yes sure go (backchannel)'],
      requests: [{ agent: 'A' }],
    },
  },
  {
    id: 'I-23c',
    what: 'a nod that is known by its word holds the agent while it lasts, as any voice does, and takes nothing from it, however early',
    scene: story({ timeline: [user(3_400, 4_200, 'mhm')] }),
    expect: {
      audible: [{ ...whole(STORY, 3_200, 13_650), held: [[3_950, 4_400]] }],
      history: ['user: Tell me a story.', `agent: ${STORY}`, 'overheard: mhm (backchannel)'],
      events: [
        [3_950, { type: 'agent-state', to: 'listening' }],
        [4_400, { type: 'user-turn-end', text: null, reason: 'backchannel' }],
        [4_400, { type: 'agent-state', to: 'speaking' }],
      ],
      requests: [{ agent: 'A' }],
    },
  },
])
