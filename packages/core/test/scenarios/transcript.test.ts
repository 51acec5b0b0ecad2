import type { AgentSession, TTS } from '../../src/index.js'
import { at, flush, noise, type Observed, type Scene, type Stage } from '../../src/testing/index.js'
import { silent } from './cast.js'
import { cut, must, scenarios, whole } from './runner.js'

const TEN = 'one two three four five six seven eight nine ten'

const say = (text: string | AsyncIterable<string>) => at(0, (session: AgentSession) => void session.say(text))

/** Ten words in four seconds, by a voice that does not tell when it says which. */
const counting = (scene: Partial<Scene> = {}): Scene => ({
  bench: 'scenario',
  agent: silent('A'),
  tts: { duration: 4_000, aligned: 'nothing' },
  ...scene,
  timeline: [say(TEN), ...(scene.timeline ?? [])],
})

/** When each further word was shown, and how many there were in the end. */
function shown({ events }: Observed): { readonly at: number; readonly words: number; readonly final: boolean }[] {
  return events.flatMap(({ at: time, event }) =>
    event.type === 'agent-transcript'
      ? [{ at: time, words: event.text.split(' ').filter(Boolean).length, final: event.final }]
      : [],
  )
}

/** @throws {Error} unless the words were shown at these times, and all of them at `end`. */
function paced(observed: Observed, times: readonly number[], tolerance: number, end: number): void {
  const all = shown(observed)
  const growing = all.filter(({ final }) => !final)
  const near = times.every(
    (time, n) => Math.abs((growing[n]?.at ?? 0) - time) <= tolerance && growing[n]?.words === n + 1,
  )
  must(near && growing.length === times.length, `words were shown at ${growing.map((each) => each.at).join(', ')}`)
  const last = all.at(-1)
  must(
    last?.final === true && last.words === times.length && Math.abs(last.at - end) <= 60,
    `last was ${JSON.stringify(last)}`,
  )
}

/** Speaks for half a second a word, of which markup is none, and tells no times. */
const marked = ({ clock }: Stage): TTS => ({
  name: 'marked',
  sampleRate: 8_000,
  async *speak(text, { signal }) {
    for await (const piece of text) {
      const words = piece.replace(/<[^>]*>/g, ' ').match(/\S+/g) ?? []
      await clock.sleep(200, signal)
      if (words.length > 0) yield { audio: new Int16Array(words.length * 4_000).fill(-1) }
    }
  },
})

scenarios('what is shown of what is said', [
  {
    id: 'X-11',
    what: 'words whose times nobody tells are shown as they are heard, by their syllables',
    scene: counting(),
    expect: {
      audible: [whole(TEN, 200, 4_210)],
      also: (observed) =>
        paced(observed, [330, 640, 1_010, 1_370, 1_740, 2_100, 2_650, 3_200, 3_560, 3_920], 150, 4_210),
    },
  },
  {
    id: 'X-12',
    what: 'while speech is held no word is shown, and it goes on where it was',
    scene: counting({ timeline: [noise(1_000, 1_800)] }),
    expect: {
      audible: [{ ...whole(TEN, 200, 6_960), held: [[1_550, 4_300]] }],
      history: [`agent: ${TEN}`],
      also(observed) {
        paced(observed, [330, 640, 1_010, 1_370, 4_480, 4_840, 5_390, 5_950, 6_310, 6_670], 150, 7_010)
        const during = shown(observed).filter((each) => each.at > 1_550 && each.at < 4_300)
        must(during.length === 0, `${during.length} words were shown in the pause`)
      },
    },
  },
  {
    id: 'X-14',
    what: 'there is no mode in which words are shown or remembered that nobody heard: a cut leaves the words before it',
    scene: counting({ timeline: [at(2_200, (session) => session.interrupt())] }),
    expect: {
      audible: [cut('one two three four five', 200, 2_200)],
      history: ['agent: one two three four five…'],
      also(observed) {
        const last = shown(observed).at(-1)
        must(last?.final === true && last.words === 5 && last.at === 2_200, `last was ${JSON.stringify(last)}`)
      },
    },
  },
  {
    id: 'X-15',
    what: 'passages that come one after another are one message, with a space between them',
    scene: (stage) => {
      async function* passages() {
        yield 'First part. '
        await stage.sleep(1_000)
        yield 'Second part.'
      }
      return {
        bench: 'scenario',
        agent: silent('A'),
        tts: { duration: 1_000, waitsFor: 'sentence' },
        timeline: [at(0, (session) => void session.say(passages()))],
      }
    },
    expect: { audible: [whole('First part. Second part.', 200, 2_210)], history: ['agent: First part. Second part.'] },
  },
  {
    id: 'X-15b',
    what: 'a model that parts its passages without a space is heard and remembered with one',
    scene: {
      bench: 'scenario',
      agent: silent('A'),
      llm: [{ parts: ['First part.', flush, 'Second part.'], firstToken: 0, total: 0 }],
      tts: { duration: 1_000, waitsFor: 'sentence' },
      timeline: [at(0, (session) => void session.generateReply())],
    },
    expect: { audible: [whole('First part. Second part.', 200, 2_210)], history: ['agent: First part. Second part.'] },
  },
  {
    id: 'X-17',
    what: 'an agent that only writes speaks from its first word to its last',
    scene: {
      bench: 'scenario',
      agent: silent('A'),
      llm: ['Hello there.'],
      tts: null,
      timeline: [at(0, (session) => void session.generateReply())],
    },
    expect: {
      audible: [],
      history: [['agent: Hello there.', 100]],
      events: [
        [0, { type: 'agent-state', to: 'thinking' }],
        [100, { type: 'agent-state', to: 'speaking' }],
        [300, { type: 'agent-state', to: 'listening' }],
      ],
      also: ({ events }) => {
        const item = events.find(({ event }) => event.type === 'history-item' && event.item.type === 'assistant')
        must(item?.at === 300, `it was final at ${item?.at}`)
      },
    },
  },
  {
    id: 'X-18',
    what: 'markup takes no time, wherever it stands',
    scene: (stage) => ({
      bench: 'scenario',
      agent: silent('A'),
      tts: marked(stage),
      timeline: [say('<emphasis level="strong">one</emphasis> two <break time="500ms"/> three four')],
    }),
    expect: {
      history: ['agent: <emphasis level="strong">one</emphasis> two <break time="500ms"/> three four'],
      also(observed) {
        const times = shown(observed).map((each) => each.at)
        for (const time of [367, 867, 1_367, 1_867])
          must(
            times.some((each) => Math.abs(each - time) <= 60),
            `no word was shown at ${time}, but at ${times.join()}`,
          )
        must(observed.audible[0]?.position === 2_000, `it sounds for ${observed.audible[0]?.position}`)
      },
    },
  },
  {
    id: 'X-18b',
    what: 'a passage of nothing but markup is no sound, and nothing breaks on it',
    scene: (stage) => ({
      bench: 'scenario',
      agent: silent('A'),
      tts: marked(stage),
      llm: [{ parts: ['<laugh/>', flush, 'one two'], firstToken: 0, total: 0 }],
      timeline: [at(0, (session) => void session.generateReply())],
    }),
    expect: {
      history: ['agent: <laugh/> one two'],
      also: ({ audible }) =>
        must(audible.length === 1 && audible[0]!.position === 1_000, `it sounds for ${audible[0]?.position}`),
    },
  },
  {
    id: 'X-19',
    what: 'a word whose time the voice has told is shown at its beginning',
    scene: counting({ tts: { duration: 4_000, aligned: 'words' } }),
    expect: {
      audible: [whole(TEN, 200, 4_210)],
      also(observed) {
        const [sound] = observed.audible
        paced(
          observed,
          sound!.words.map(({ start }) => sound!.from + start),
          100,
          4_210,
        )
      },
    },
  },
])
