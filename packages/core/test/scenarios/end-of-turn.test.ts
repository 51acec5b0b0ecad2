import { type AgentOptions, agent, StopResponse } from '../../src/index.js'
import { heard, noise, type Scene, type Stage, user } from '../../src/testing/index.js'
import { measured } from './measured.js'
import { type Row, scenarios, whole } from './runner.js'

/** The user says "I want a pizza", or whatever the timeline says, and the agent says "Hi." for a second. */
const plain = (scene: Partial<Scene> = {}, options: Partial<AgentOptions> = {}): Scene => ({
  bench: 'scenario',
  agent: agent({ name: 'A', instructions: 'You are A.', greet: false, ...options }),
  llm: ['Hi.'],
  tts: { duration: 1_000 },
  timeline: [user(500, 2_500, 'I want a pizza')],
  ...scene,
})

/** A turn that is committed at `at`, as these words, and answered from `heardFrom` on. */
const turn = (at: number, heardFrom: number, text = 'I want a pizza'): Row['expect'] => ({
  audible: [whole('Hi.', heardFrom, heardFrom + 1_010)],
  history: [
    [`user: ${text}`, at],
    ['agent: Hi.', heardFrom],
  ],
  events: [[at, { type: 'user-turn-end', text, reason: 'committed' }]],
})

/** A hook that sees the turn. */
const seeing = (look: (stage: Stage) => NonNullable<AgentOptions['userTurn']>) => (stage: Stage) =>
  plain({}, { userTurn: look(stage) })

scenarios('the end of the user’s turn', [
  {
    id: 'E-01',
    what: 'half a second after the last sound, when the words are there',
    scene: plain(),
    expect: { ...turn(3_000, 3_200), requests: [{ agent: 'A', at: 2_700 }] },
  },
  {
    id: 'E-02',
    what: 'a user who goes on within the delay has said one thing, and is answered once',
    scene: plain({
      vad: { end: 250 },
      timeline: [user(500, 2_500, 'I want'), user(2_800, 4_000, 'a pizza')],
    }),
    expect: {
      ...turn(4_500, 4_700),
      events: [
        [2_750, { type: 'user-state', to: 'listening' }],
        [2_850, { type: 'user-state', to: 'speaking' }],
        [4_250, { type: 'user-state', to: 'listening' }],
        [4_500, { type: 'user-turn-end', text: 'I want a pizza', reason: 'committed' }],
      ],
      also: ({ turns }) => {
        if (turns.length !== 1) throw new Error(`there were ${turns.length} turns`)
      },
    },
  },
  {
    id: 'E-03',
    what: 'a voice without words is no turn',
    scene: plain({ timeline: [noise(500, 2_500)], llm: [] }),
    expect: {
      audible: [],
      history: [],
      requests: [],
      events: [[3_000, { type: 'user-state', to: 'listening' }]],
      never: [{ type: 'user-turn-end', reason: 'committed' }],
    },
  },
  {
    id: 'E-04',
    what: 'words that come after the delay end the turn at once',
    scene: plain({ timeline: [user(500, 2_500, 'I want a pizza', { delay: 1_300 })] }),
    expect: {
      ...turn(3_800, 4_300),
      also: measured('user', { endOfTurnDelay: 1_300, transcriptionDelay: 1_300 }),
    },
  },
  {
    id: 'E-05',
    what: 'a voice detector that is slow to notice the silence ends the turn with its notice',
    scene: plain({ vad: { end: 1_000 } }),
    expect: { ...turn(3_500, 3_700), also: measured('user', { endOfTurnDelay: 1_000, transcriptionDelay: 200 }) },
  },
  {
    id: 'E-06',
    what: 'a user who is expected to go on, and does, has said one thing',
    scene: (stage) =>
      plain({
        turnDetector: {
          name: 'judge',
          async predict({ text }) {
            stage.mark('asked', text)
            return text.endsWith('pizza') ? 0.9 : 0.1
          },
        },
        timeline: [user(500, 2_500, 'I want'), user(4_000, 5_000, 'a pizza')],
        options: { turnHandling: { endpointing: { maxDelay: 3_000 } } },
      }),
    expect: {
      ...turn(5_500, 5_700),
      also: ({ marks }) => {
        const asked = marks.map(({ at, data }) => `${at} ${String(data)}`).join(', ')
        if (asked !== '3000 I want, 5500 I want a pizza') throw new Error(`the judge was asked at ${asked}`)
      },
    },
  },
  {
    id: 'E-06b',
    what: 'a user who is expected to go on, and does not, is waited for up to the longest delay',
    scene: plain({ turnDetector: [0.1], options: { turnHandling: { endpointing: { maxDelay: 3_000 } } } }),
    expect: turn(5_500, 5_700),
  },
  {
    id: 'E-08',
    what: 'a model of the end of the turn that takes its time is waited for',
    scene: plain({ turnDetector: { delay: 100, says: [0.9] } }),
    expect: turn(3_100, 3_300),
  },
  {
    id: 'E-09',
    what: 'without speculation the answer is begun when the turn has ended',
    scene: plain({ options: { speculation: false } }),
    expect: { ...turn(3_000, 3_500), requests: [{ agent: 'A', at: 3_000 }] },
  },
  {
    id: 'E-10',
    what: 'words that follow others replace the answer that was begun to those',
    scene: plain({ timeline: [noise(500, 2_500), heard(1_500, 'I want'), heard(2_700, 'a pizza')], llm: () => 'Hi.' }),
    expect: {
      ...turn(3_000, 3_200),
      also: ({ requests }) => {
        const seen = requests.map(({ at, messages }) => `${at} ${messages.length}`)
        if (seen.join() !== '1500 1,2700 1') throw new Error(`requests were made at ${seen.join()}`)
        if (requests[0]?.messages[0]?.role !== 'user' || requests[0].messages[0].text !== 'I want')
          throw new Error('the first was not about the first words')
      },
    },
  },
  {
    id: 'E-11',
    what: 'an answer that was begun early is made, and not voiced, before the turn has ended (the reference can voice it: 200 ms sooner with a model this fast, and paid for even when it is thrown away)',
    scene: plain({ answers: { firstToken: 50, total: 100 } }),
    expect: {
      ...turn(3_000, 3_200),
      requests: [{ agent: 'A', at: 2_700 }],
      also: ({ voices }) => {
        if (voices.length !== 1 || voices[0]?.at !== 3_000)
          throw new Error(`the voice was asked at ${voices.map(({ at }) => at).join()}`)
      },
    },
  },
  {
    id: 'E-12',
    what: 'a hook that edits the turn has the edited words recorded and answered, and what was begun for the others dropped',
    scene: seeing(() => (said) => {
      said.text = `${said.text} please`
    }),
    expect: {
      ...turn(3_000, 3_500, 'I want a pizza please'),
      events: [[3_000, { type: 'user-turn-end', text: 'I want a pizza', reason: 'committed' }]],
      also: ({ requests }) => {
        if (requests.map(({ at }) => at).join() !== '2700,3000') throw new Error('requests were made at other times')
      },
    },
  },
  {
    id: 'E-12b',
    what: 'a hook may take out what must not be remembered: nobody is told it',
    scene: seeing(() => (said) => {
      said.text = said.text.replace('a pizza', '…')
    }),
    expect: {
      ...turn(3_000, 3_500, 'I want …'),
      events: [],
      requests: [
        { agent: 'A', at: 2_700 },
        { agent: 'A', at: 3_000, sees: ['user: I want …'] },
      ],
    },
  },
  {
    id: 'E-14',
    what: 'a hook that takes a second and edits nothing delays the answer, which was made meanwhile',
    scene: seeing((stage) => () => stage.sleep(1_000)),
    expect: {
      audible: [whole('Hi.', 4_200, 5_210)],
      history: [
        ['user: I want a pizza', 4_000],
        ['agent: Hi.', 4_200],
      ],
      events: [
        [4_000, { type: 'history-item' }],
        [4_000, { type: 'agent-state', to: 'thinking' }],
        [4_200, { type: 'agent-state', to: 'speaking' }],
      ],
      requests: [{ agent: 'A', at: 2_700 }],
      also: measured('user', { endOfTurnDelay: 500, hookDelay: 1_000 }),
    },
  },
  {
    id: 'E-15',
    what: 'a hook that stops the reply leaves the words on record',
    scene: seeing(() => () => {
      throw new StopResponse()
    }),
    expect: {
      audible: [],
      history: [['user: I want a pizza', 3_000]],
      events: [[3_000, { type: 'user-turn-end', text: 'I want a pizza', reason: 'committed' }]],
      never: [{ type: 'agent-state', to: 'thinking' }],
    },
  },
  {
    id: 'E-16',
    what: 'without a voice detector the recogniser says where the voice begins and ends, and the answer is begun with the words (300 ms sooner than in the reference)',
    scene: plain({
      vad: null,
      timeline: [
        heard(600, { type: 'speech-start' }),
        heard(2_600, 'I want a pizza'),
        heard(2_700, { type: 'speech-end' }),
      ],
    }),
    expect: {
      ...turn(3_200, 3_400),
      events: [
        [600, { type: 'user-state', to: 'speaking' }],
        [2_700, { type: 'user-state', to: 'listening' }],
        [3_200, { type: 'user-turn-end', text: 'I want a pizza', reason: 'committed' }],
      ],
      requests: [{ agent: 'A', at: 2_600 }],
    },
  },
  {
    id: 'E-17',
    what: 'with a voice detector it is that which says where the voice ends, whatever the recogniser says',
    scene: plain({
      timeline: [
        noise(500, 2_500),
        heard(600, { type: 'speech-start' }),
        heard(2_600, 'I want a pizza'),
        heard(2_700, { type: 'speech-end' }),
      ],
    }),
    expect: {
      ...turn(3_000, 3_200),
      events: [
        [550, { type: 'user-state', to: 'speaking', at: 500 }],
        [3_000, { type: 'user-state', to: 'listening', at: 2_500 }],
        [3_000, { type: 'user-turn-end', text: 'I want a pizza', reason: 'committed' }],
      ],
    },
  },
  {
    id: 'E-19',
    what: 'with dynamic endpointing the delay follows the pauses that the user makes: 500, 510, then 539 ms',
    scene: plain({
      vad: { end: 200 },
      answers: { firstToken: 1_500, total: 2_000 },
      llm: () => 'Hi.',
      timeline: [
        user(500, 1_500, 'one', { delay: 100 }),
        user(2_100, 3_100, 'two', { delay: 100 }),
        user(3_900, 4_900, 'three', { delay: 100 }),
      ],
      options: { turnHandling: { endpointing: { mode: 'dynamic', alpha: 0.9 } } },
    }),
    expect: {
      tolerance: 1,
      events: [
        [2_000, { type: 'user-turn-end', text: 'one', reason: 'committed' }],
        [3_610, { type: 'user-turn-end', text: 'two', reason: 'committed' }],
        [5_439, { type: 'user-turn-end', text: 'three', reason: 'committed' }],
      ],
    },
  },
  {
    id: 'E-20',
    what: 'of words that had no voice of their own no delays are told, since the last silence is another turn’s',
    scene: plain({ timeline: [user(500, 2_500, 'I want a pizza'), heard(8_000, 'and a coke')], llm: () => 'Hi.' }),
    expect: {
      history: ['user: I want a pizza', 'agent: Hi.', 'user: and a coke', 'agent: Hi.'],
      also: measured(
        'user',
        { endOfTurnDelay: 500, transcriptionDelay: 200 },
        { endOfTurnDelay: null, transcriptionDelay: null, startedSpeakingAt: null, stoppedSpeakingAt: null },
      ),
    },
  },
])
