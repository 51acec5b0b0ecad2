import { ProviderError, type STT, type TurnDetector, UsageError, type VAD } from '../../src/index.js'
import { at, heard, noise, type Scene, type Stage, user } from '../../src/testing/index.js'
import { silent } from './cast.js'
import { must, scenarios, whole } from './runner.js'

const played = (scene: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: silent('A'),
  tts: { duration: 1_000 },
  ...scene,
})

/** Turns that are committed three seconds apart, from 2,000 on. */
const turns = ['one', 'two', 'three', 'four'].map((text, n) => user(500 + n * 3_000, 1_500 + n * 3_000, text))
const broken = { error: 'overloaded' }

/** Hears what it is told by `say`, fails when it is told to, and marks when it is opened. */
function fragile(stage: Stage) {
  let listening: { hear: (text: string) => void; fail: (error: Error) => void } | null = null
  const stt: STT = {
    name: 'fragile ear',
    sampleRate: 16_000,
    async *transcribe(audio, { signal }) {
      stage.mark('opened')
      void drain(audio)
      for (;;) {
        const text = await new Promise<string>((resolve, reject) => {
          listening = { hear: resolve, fail: reject }
          signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
        })
        yield { type: 'transcript', text, final: true }
      }
    },
  }
  return {
    stt,
    says: (time: number, text: string) => at(time, () => listening?.hear(text)),
    fails: (time: number, error: Error = new ProviderError('connection lost')) =>
      at(time, () => listening?.fail(error)),
  }
}

async function drain(audio: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of audio);
}

scenarios('failures', [
  {
    id: 'N-01',
    what: 'a model that fails four times in a row ends the session, and every word that was said to it is kept; a guess that fails is not counted, so that the caller has one chance more',
    scene: played({ timeline: turns, llm: () => broken }),
    expect: {
      audible: [],
      history: [
        ['user: one', 2_000],
        ['user: two', 5_000],
        ['user: three', 8_000],
        ['user: four', 11_000],
      ],
      errors: [/overloaded/],
      closed: 11_100,
      also: ({ errors, closed }) => {
        must(errors.length === 4, `${errors.length} errors`)
        must(
          closed?.reason === 'error' && /overloaded/.test(closed.error?.message ?? ''),
          `it closed: ${JSON.stringify(closed)}`,
        )
      },
    },
  },
  {
    id: 'N-01b',
    what: 'an answer in between starts the count anew',
    scene: played({
      timeline: turns,
      llm: (_, { at: time }) => (time > 7_500 && time < 9_000 ? 'Here I am.' : broken),
    }),
    expect: { audible: [whole('Here I am.', 8_200, 9_210)], errors: [/overloaded/], closed: null },
  },
  {
    id: 'N-03',
    what: 'a failure is told once, the words are kept, and the next turn is answered',
    scene: played({
      timeline: [user(500, 1_500, 'one'), user(3_500, 4_500, 'two')],
      llm: (_, { at: time }) => (time < 3_000 ? broken : 'Here I am.'),
    }),
    expect: {
      audible: [whole('Here I am.', 5_200, 6_210)],
      history: [['user: one', 2_000], ['user: two', 5_000], 'agent: Here I am.'],
      events: [
        [2_000, { type: 'agent-state', to: 'thinking' }],
        [2_100, { type: 'agent-state', to: 'listening' }],
      ],
      errors: [/overloaded/],
      also: ({ errors }) => must(errors.length === 1, `${errors.length} errors`),
      closed: null,
    },
  },
  {
    id: 'N-04',
    what: 'an ear that fails is opened again, each time a little later; the fourth failure in a row ends the session',
    scene(stage) {
      const ear = fragile(stage)
      return played({
        stt: ear.stt,
        timeline: [ear.fails(1_000), ear.fails(2_000), ear.fails(4_000), ear.fails(7_000), at(8_000, () => {})],
      })
    },
    expect: {
      errors: [/connection lost/],
      closed: 7_000,
      also({ marks, errors, closed }) {
        const opened = marks.map(({ at: time }) => time)
        must(opened.join() === '0,1500,3000,6000', `it was opened at ${opened.join()}`)
        must(errors.length === 4, `${errors.length} errors`)
        must(closed?.reason === 'error' && closed.error?.blame === 'provider', `it closed: ${JSON.stringify(closed)}`)
      },
    },
  },
  {
    id: 'N-04b',
    what: 'an ear that hears again has a clean record, and what it hears then is answered',
    scene(stage) {
      const ear = fragile(stage)
      return played({
        stt: ear.stt,
        timeline: [
          ear.fails(1_000),
          ear.fails(2_000),
          ear.fails(4_000),
          ear.says(6_500, 'hello'),
          ear.fails(9_000),
          ear.says(10_000, 'again'),
        ],
        llm: ['I hear you.', 'Again.'],
      })
    },
    expect: {
      errors: [/connection lost/],
      audible: [whole('I hear you.', 7_000, 8_010), whole('Again.', 10_500, 11_510)],
      history: ['user: hello', 'agent: I hear you.', 'user: again', 'agent: Again.'],
      closed: null,
      also({ marks }) {
        const opened = marks.map(({ at: time }) => time)
        must(opened.join() === '0,1500,3000,6000,9500', `it was opened at ${opened.join()}`)
      },
    },
  },
  {
    id: 'N-04c',
    what: 'whatever breaks an ear, it is opened again, for a caller whom nobody hears is lost; not so if it is used in a way that cannot work',
    scene(stage) {
      const ear = fragile(stage)
      return played({
        stt: ear.stt,
        timeline: [
          ear.fails(1_000, new Error('a bug in the recogniser')),
          ear.says(2_000, 'hello'),
          ear.fails(6_000, new UsageError('no such language')),
        ],
        llm: ['I hear you.'],
      })
    },
    expect: {
      errors: [/a bug in the recogniser/, /no such language/],
      audible: [whole('I hear you.', 2_500, 3_510)],
      closed: null,
      also({ marks }) {
        const opened = marks.map(({ at: time }) => time)
        must(opened.join() === '0,1500', `it was opened at ${opened.join()}`)
      },
    },
  },
  {
    id: 'N-05',
    what: 'an end-of-turn model that fails is told of and counted against nobody: silence decides',
    scene() {
      const turnDetector: TurnDetector = {
        name: 'broken detector',
        predict: () => Promise.reject(new ProviderError('no judgement')),
      }
      return played({ turnDetector, timeline: turns, llm: () => 'Yes.' })
    },
    expect: {
      errors: [/no judgement/],
      audible: [
        whole('Yes.', 2_200, 3_210),
        whole('Yes.', 5_200, 6_210),
        whole('Yes.', 8_200, 9_210),
        whole('Yes.', 11_200, 12_210),
      ],
      closed: null,
    },
  },
  {
    id: 'N-05b',
    what: 'a voice detector that fails is told of once: the recogniser says where voices begin and end',
    scene() {
      const vad: VAD = {
        name: 'broken VAD',
        sampleRate: 16_000,
        open: () => ({
          frameSize: 160,
          process() {
            throw new ProviderError('no detector')
          },
        }),
      }
      return played({
        vad,
        timeline: [heard(600, { type: 'speech-start' }), heard(1_600, 'hello'), heard(1_700, { type: 'speech-end' })],
        llm: ['Hi.'],
      })
    },
    expect: {
      errors: [/no detector/],
      audible: [whole('Hi.', 2_400, 3_410)],
      events: [
        [600, { type: 'user-state', to: 'speaking' }],
        [1_700, { type: 'user-state', to: 'listening' }],
        [2_200, { type: 'user-turn-end', text: 'hello', reason: 'committed' }],
      ],
      closed: null,
      also: ({ errors }) => must(errors.length === 1, `${errors.length} errors`),
    },
  },
  {
    id: 'N-05c',
    what: 'a classifier of overlaps is the application’s: when it fails, voice and words decide, and the session goes on',
    scene: played({
      timeline: [at(0, (session) => void session.say('This will take a while')), noise(2_000, 2_800)],
      tts: { duration: 4_000 },
      start: (session) =>
        session.on('user-state', ({ to }) => {
          if (to === 'speaking') throw new Error('no verdict')
        }),
    }),
    expect: {
      errors: [/no verdict/],
      audible: [{ ...whole('This will take a while', 200, 6_950), held: [[2_550, 5_300]] }],
      closed: null,
    },
  },
])
