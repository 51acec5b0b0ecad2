import { z } from 'zod'
import { agent, fallback, SessionClosed, task, tool } from '../../src/index.js'
import { at, hangUp, noise, type Observed, type Stage, scriptedTTS, toolCall, user } from '../../src/testing/index.js'
import { works } from './cast.js'
import { field, host, practice, startOf } from './practice.js'
import { linesOf, must } from './runner.js'

const TWENTY =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'

const said = ({ audible }: Observed): string[] => audible.map(({ text }) => text)

const address = () =>
  task({
    name: 'address',
    instructions: 'You ask for the address.',
    result: z.object({ street: z.string() }),
  })

/** Whether what was thrown says that the session was closed. */
const outcomeOf = (error: unknown): string =>
  SessionClosed.is(error) && (error as Error).name === 'SessionClosed' ? 'closed' : String(error)

practice([
  {
    id: 'S11',
    what: 'the hand-off waits for the tool beside it, and the new agent knows its result',
    scene(stage) {
      const billing = agent({
        name: 'billing',
        instructions: 'You are billing.',
        enter({ session }) {
          stage.mark('entered')
          void session.generateReply()
        },
      })
      const transfer = tool({
        description: 'Transfers.',
        async execute(_, run) {
          await stage.sleep(50, run.signal)
          return billing
        },
      })
      return field({
        agent: host({ get_balance: works(stage, 800, '42'), transfer_to_billing: transfer }),
        cast: [billing],
        timeline: [user(0, 1_000, 'my balance please')],
        options: { speculation: false },
        llm: {
          host: [[toolCall('get_balance'), toolCall('transfer_to_billing')]],
          billing: ['Your balance is forty two'],
        },
      })
    },
    expect: {
      tolerance: 100,
      tools: {
        get_balance: { start: 1_800, end: 2_600, status: 'done', output: '42' },
        transfer_to_billing: { start: 1_800, end: 2_600, status: 'done' },
      },
      agents: [[2_600, 'billing']],
      requests: [
        { agent: 'host', at: 1_500 },
        { agent: 'billing', at: 2_600, holds: ['call: get_balance {}', 'output: 42'] },
      ],
      also: (observed) => {
        const { marks } = observed
        must(marks.length === 1 && marks[0]!.at <= 3_000, `billing entered at ${marks.map((mark) => mark.at).join()}`)
        must(said(observed).join() === 'Your balance is forty two', `heard: ${said(observed).join(' | ')}`)
      },
    },
  },
  {
    id: 'S12',
    what: 'a line for the caller is heard on the floor that there is, and the task comes back at once',
    scene() {
      const T = task({ name: 'T', instructions: 'You are T.', greet: false, result: z.object({ value: z.string() }) })
      const ask = tool({ description: 'Asks.', execute: async (_, run) => (await run.task(T)).value })
      return field({
        agent: host({ ask }),
        cast: [T],
        timeline: [
          user(0, 1_000, 'ask me'),
          at(3_000, (session) => void session.say('Still here')),
          at(4_700, (session) => void session.generateReply()),
          at(6_000, (session) => session.close(), 'close'),
        ],
        options: { speculation: false },
        llm: { host: [toolCall('ask'), 'Thank you'], T: [toolCall('finish', { value: 'yes' })] },
      })
    },
    expect: {
      tolerance: 100,
      agents: [
        [1_800, 'T'],
        [5_000, 'host'],
      ],
      tools: { ask: { start: 1_800, end: 5_000, status: 'done', output: 'yes' } },
      acts: { close: { outcome: 'done' } },
      also: (observed) => {
        must(startOf(observed, 'Still here') < 3_300, `the line is heard at ${startOf(observed, 'Still here')}`)
        must((observed.closed?.at ?? Number.POSITIVE_INFINITY) <= 8_000, `it closed at ${observed.closed?.at}`)
      },
    },
  },
  ...([590, 3_000].map((leaves, n) => ({
    id: n === 0 ? 'S13' : 'S13b',
    what:
      n === 0
        ? 'the hook that was about to await the task is told that the session is closed'
        : 'the task in the middle of its work ends, and so do the tool and the hook that wait for it',
    scene: (stage: Stage) => {
      const Address = address()
      const A = agent({
        name: 'A',
        instructions: 'You are A.',
        async enter({ session, task: run }) {
          await session.say('Welcome').done
          await stage.sleep(30)
          await run(Address).catch((error: unknown) => stage.mark('owner', outcomeOf(error)))
        },
      })
      return field({
        agent: A,
        cast: [Address],
        timeline: [hangUp(leaves)],
        llm: { A: [], address: ['Which street'] },
      })
    },
    expect: {
      also: ({ marks, closed, session }: Observed) => {
        must(marks.map(({ data }) => data).join() === 'closed', `the hook was told ${JSON.stringify(marks)}`)
        must(closed !== null && closed.reason === 'caller-left', `it closed: ${JSON.stringify(closed)}`)
        must(closed!.at <= leaves + 2_000, `it closed at ${closed!.at}`)
        const [first, second] = [session.report(), session.report()]
        must(first.final && JSON.stringify(first) === JSON.stringify(second), 'the report is not final')
      },
    },
  })) satisfies Parameters<typeof practice>[0]),
  {
    id: 'S13c',
    what: 'a tool that waits for the task has one output, which says why',
    scene(stage) {
      const Address = address()
      const collect = tool({
        description: 'Collects.',
        async execute(_, run) {
          try {
            return (await run.task(Address)).street
          } catch (error) {
            stage.mark('owner', outcomeOf(error))
            throw error
          }
        },
      })
      return field({
        agent: host({ collect }),
        cast: [Address],
        timeline: [user(0, 1_000, 'register me'), hangUp(3_000)],
        options: { speculation: false },
        llm: { host: [toolCall('collect')], address: ['Which street'] },
      })
    },
    expect: {
      tools: { collect: { start: 1_800, status: 'error', output: /session.*closed/i } },
      also: ({ marks, closed }) => {
        must(marks.map(({ data }) => data).join() === 'closed', `the tool was told ${JSON.stringify(marks)}`)
        must(closed !== null && closed.at <= 5_000, `it closed at ${closed?.at}`)
      },
    },
  },
  {
    id: 'S14',
    what: 'both sentences are kept, and one reply answers both',
    scene: (stage) =>
      field({
        agent: agent({
          name: 'host',
          instructions: 'You are the host.',
          greet: false,
          userTurn: () => stage.sleep(800),
        }),
        timeline: [user(0, 1_000, 'my name is Ada'), user(1_700, 2_500, 'and I live in Paris')],
        llm: ({ messages }) => (messages.length > 1 ? 'Hello Ada in Paris' : 'Hello Ada'),
      }),
    expect: {
      tolerance: 100,
      also: (observed) => {
        const { history, requests } = observed
        const words = history.flatMap((item) => (item.type === 'user' ? [item.text] : []))
        must(words.join(' ') === 'my name is Ada and I live in Paris', `the history holds ${words.join(' | ')}`)
        must(said(observed).join() === 'Hello Ada in Paris', `heard: ${said(observed).join(' | ')}`)
        const last = linesOf(requests.at(-1)!).join(' ')
        must(last.includes('Ada') && last.includes('Paris'), `the last request sees ${last}`)
      },
    },
  },
  {
    id: 'S15',
    what: 'a nod pauses nothing, is kept with its time, and is shown to no model',
    scene: field({
      agent: host(),
      timeline: [
        at(0, (session) => void session.say(TWENTY)),
        user(2_000, 2_300, 'mhm'),
        user(9_000, 10_000, 'what is the price'),
      ],
      llm: ['It is ten'],
    }),
    expect: {
      tolerance: 100,
      audible: [
        { text: TWENTY, from: 170, to: 8_170, end: 'whole', held: [] },
        { text: 'It is ten', from: 10_690, end: 'whole' },
      ],
      history: [
        `agent: ${TWENTY}`,
        ['overheard: mhm (backchannel)', 2_500],
        ['user: what is the price', 10_500],
        'agent: It is ten',
      ],
      requests: [{ agent: 'host', sees: [`agent: ${TWENTY}`, 'user: what is the price'] }],
      never: [{ type: 'false-interruption' }],
    },
  },
  {
    id: 'S16',
    what: 'the sound goes on at the same sample, and nobody is asked to answer',
    scene: field({
      agent: host(),
      timeline: [at(0, (session) => void session.say(TWENTY)), user(2_000, 2_700, 'mhmm')],
    }),
    expect: {
      tolerance: 100,
      requests: [],
      history: [`agent: ${TWENTY}`, 'overheard: mhmm (backchannel)'],
      also: ({ audible, events }) => {
        const [sound] = audible
        must(audible.length === 1 && sound!.end === 'whole', 'the line was not heard whole')
        const [pause] = sound!.pauses
        must(sound!.pauses.length === 1 && Math.abs(pause!.position - 2_330) <= 100, `held at ${pause?.position}`)
        must(pause!.until !== null && pause!.until <= 2_950, `it went on at ${pause!.until}`)
        must(sound!.stretches[1]?.start === pause!.position, 'it did not go on at the same sample')
        const told = events.filter(({ event }) => event.type === 'false-interruption')
        must(told.length === 1, `${told.length} false interruptions`)
      },
    },
  },
  {
    id: 'S16b',
    what: 'a classifier may say so of any words: they are nobody’s turn',
    scene: field({
      agent: host(),
      timeline: [
        at(0, (session) => void session.say(TWENTY)),
        user(2_000, 2_700, 'right right', { interims: false }),
        at(2_880, (session) => session.judgeOverlap('backchannel')),
      ],
    }),
    expect: {
      tolerance: 100,
      audible: [{ text: TWENTY, from: 170, end: 'whole', held: [[2_560, 2_880]] }],
      requests: [],
      history: [`agent: ${TWENTY}`, 'overheard: right right (backchannel)'],
    },
  },
  {
    id: 'S17',
    what: 'the reply is heard all the same, once',
    scene: field({
      agent: host(),
      timeline: [user(0, 1_000, 'when do you open'), noise(1_600, 1_750)],
      options: { speculation: false },
      llm: ['We open at nine'],
    }),
    expect: {
      history: ['user: when do you open', 'agent: We open at nine'],
      also: (observed) => {
        must(observed.audible.length === 1 && observed.audible[0]!.end === 'whole', 'it was not heard whole')
        must(startOf(observed, 'We open') < 2_700, `it is heard at ${startOf(observed, 'We open')}`)
      },
    },
  },
  {
    id: 'S18',
    what: 'the turn is committed as soon as its words are there',
    scene: field({
      agent: host(),
      timeline: [user(0, 1_000, 'when do you open', { delay: 1_600, interims: false })],
      turnDetector: { delay: 10, says: [0.95] },
      llm: ['At nine'],
    }),
    expect: {
      also: ({ turns }) => {
        must(turns.length === 1 && turns[0]!.text === 'when do you open', `turns: ${JSON.stringify(turns)}`)
        must(turns[0]!.at <= 2_650, `it was committed at ${turns[0]!.at}`)
      },
    },
  },
  {
    id: 'S18b',
    what: 'words that never come are given up by a deadline, that is told, and the session goes on',
    scene: field({
      agent: host(),
      timeline: [user(0, 1_000, 'lost', { delay: null, interims: false }), user(5_000, 6_000, 'when do you open')],
      turnDetector: { delay: 10, says: [0.95] },
      llm: ['At nine'],
    }),
    expect: {
      tolerance: 100,
      history: ['user: when do you open', 'agent: At nine'],
      also: ({ turns }) => {
        const [lost] = turns
        must(lost?.text === null && lost.reason === 'no-words', `turns: ${JSON.stringify(turns)}`)
        must(lost!.at <= 4_000, `it was given up at ${lost!.at}`)
      },
    },
  },
  {
    id: 'S19',
    what: 'not a sample of the ready reply is heard over the user, who is answered once',
    scene: field({
      agent: host(),
      timeline: [user(0, 1_000, 'what time do you close'), user(2_540, 3_800, 'and on Sundays')],
      options: { speculation: false },
      answers: { firstToken: 900 },
      llm: ({ messages }) => (messages.length > 1 ? 'At ten on Sundays at eight' : 'At ten in the evening'),
    }),
    expect: {
      also: (observed) => {
        must(said(observed).join() === 'At ten on Sundays at eight', `heard: ${said(observed).join(' | ')}`)
        must(observed.audible[0]!.from > 4_300, `it is heard at ${observed.audible[0]!.from}`)
        const last = linesOf(observed.requests.at(-1)!)
        must(
          last.join() === 'user: what time do you close,user: and on Sundays',
          `the last request sees ${last.join()}`,
        )
      },
    },
  },
  {
    id: 'S21',
    what: 'another voice says all of it, in time, and the first is not asked again for a while',
    scene(stage) {
      const [first, second] = voices(stage, { takes: [{ error: 'no voice', firstByte: 800 }] })
      return field({
        agent: host(),
        tts: fallback([first, second], { clock: stage.clock }),
        timeline: [
          at(0, (session) => void session.say('This is what I will say')),
          at(5_000, (session) => void session.say('And more')),
          at(8_000, ({ usage }) =>
            stage.mark('asked', {
              first: first.requests.length,
              second: second.requests.length,
              usage: usage.requests,
            }),
          ),
        ],
      })
    },
    expect: {
      tolerance: 100,
      audible: [
        { text: 'This is what I will say', from: 990, end: 'whole' },
        { text: 'And more', from: 5_170, end: 'whole' },
      ],
      history: ['agent: This is what I will say', 'agent: And more'],
      also: ({ marks, events }) => {
        const { first, second } = marks[0]!.data as Record<'first' | 'second', number>
        must(first === 1 && second === 2, `the first voice was asked ${first} times, the second ${second} times`)
        const { usage } = marks[0]!.data as { usage: Observed['session']['usage']['requests'] }
        const used = usage.flatMap(({ provider, status, kind }) => (kind === 'tts' ? [`${provider} ${status}`] : []))
        must(used.join() === 'first failed,second done,second done', `used were ${used.join()}`)
        const told = events.flatMap(({ event }) => (event.type === 'failover' ? [`${event.from} ${event.to}`] : []))
        must(told.join() === 'first second', `told were ${told.join()}`)
      },
    },
  },
  {
    id: 'S21b',
    what: 'of a voice that breaks off, another says the rest and nothing twice',
    scene(stage) {
      const [first, second] = voices(stage, { takes: [{ error: 'no voice', errorAfter: 2 }] })
      return field({
        agent: host(),
        tts: fallback([first, second], { clock: stage.clock }),
        timeline: [
          at(0, (session) => void session.say('This is what I will say')),
          at(5_000, () => stage.mark('given', second.requests.map(({ text }) => text.trim()).join())),
        ],
      })
    },
    expect: {
      history: ['agent: This is what I will say'],
      also: ({ audible, marks }) => {
        const heard = audible.map(({ text }) => text.replace(/\s+/g, ' '))
        must(heard.join() === 'This is what I will say', `heard: ${heard.join(' | ')}`)
        must(marks[0]?.data === 'what I will say', `the second voice was given ${String(marks[0]?.data)}`)
      },
    },
  },
  {
    id: 'S23',
    what: 'model and voice stop with the sound, and what is heard next belongs to the next turn',
    scene: field({
      agent: host(),
      timeline: [user(0, 1_000, 'tell me'), user(3_000, 3_900, 'stop')],
      options: { speculation: false },
      llm: ({ messages }) =>
        messages.length === 1
          ? {
              text: Array.from({ length: 8 }, (_, n) => `This is the sentence ${n}.`).join(' '),
              firstToken: 300,
              perWord: 100,
            }
          : 'Stopped',
    }),
    expect: {
      also: ({ audible, requests, voices: asked }) => {
        const [first, second] = audible
        must(first?.end === 'cut' && first.to! <= 3_620, `the story sounds until ${first?.to}`)
        const [story] = requests
        must(story?.outcome === 'aborted' && story.end! <= 3_700, `the model went on until ${story?.end}`)
        const later = asked.filter((voice) => voice.at > 3_600)
        must(
          later.map(({ text }) => text).join() === 'Stopped',
          `later voices: ${later.map(({ text }) => text).join()}`,
        )
        must(asked[0]!.end! <= 3_700, `the voice went on until ${asked[0]!.end}`)
        must(
          second?.text === 'Stopped' && audible.length === 2,
          `heard: ${audible.map(({ text }) => text).join(' | ')}`,
        )
      },
    },
  },
  {
    id: 'S24',
    what: 'nobody counts as away while the agent works, and the agent thinks meanwhile',
    scene(stage) {
      const slow = tool({
        description: 'Works.',
        async execute(_, run) {
          run.filler(['One moment', 'Still at it'], { delay: 5_000, interval: 10_000 })
          await stage.sleep(40_000, run.signal)
          return 'done'
        },
      })
      return field({
        agent: host({ slow }),
        timeline: [user(0, 1_000, 'do it')],
        options: { speculation: false, userAwayTimeout: 15_000 },
        llm: [toolCall('slow'), 'It is all done now'],
        until: 70_000,
      })
    },
    expect: {
      also: (observed) => {
        const { states } = observed
        const end = observed.audible.at(-1)!.to!
        const fillers = observed.audible.slice(0, -1).map(({ from, text }) => `${text} ${from}`)
        must(fillers.join() === 'One moment 6970,Still at it 21970,Still at it 36970', `fillers: ${fillers.join()}`)
        must(
          said(observed)[0] === 'One moment' && said(observed).at(-1) === 'It is all done now',
          `heard: ${said(observed).join(' | ')}`,
        )
        const away = states.user.filter(({ state }) => state === 'away')
        must(
          away.length === 1 && Math.abs(away[0]!.at - end - 15_000) <= 100,
          `away at ${away.map((each) => each.at).join()}`,
        )
        const idle = states.agent.filter(
          ({ at: time, state }) => state === 'listening' && time > 1_600 && time < 41_800,
        )
        must(idle.length === 0, `the agent listened at ${idle.map((each) => each.at).join()}`)
      },
    },
  },
  {
    id: 'S25',
    what: 'what was used is counted also of what was cut short, and said to be an estimate',
    scene: (stage) =>
      field({
        // some 900 tokens
        agent: agent({ name: 'host', instructions: 'You are the host. '.repeat(200), greet: false }),
        timeline: [
          user(0, 1_000, 'tell me'),
          at(2_300, (session) => session.interrupt()),
          at(5_000, ({ usage }) => stage.mark('usage', usage)),
        ],
        options: { speculation: false },
        tts: { speed: 7.5 },
        llm: [
          {
            text: 'One two three four five six seven nine. Ten eleven twelve thirteen fourteen.',
            stall: 12,
            usage: null,
          },
        ],
      }),
    expect: {
      also: ({ marks, audible }) => {
        const { requests, totals } = marks[0]!.data as Observed['session']['usage']
        const [model] = requests.filter((each) => each.kind === 'llm')
        const [voice] = requests.filter((each) => each.kind === 'tts')
        must(model?.status === 'cancelled' && model.estimated, `the model: ${JSON.stringify(model)}`)
        must(
          Math.abs(model!.inputTokens - 900) <= 45 && model!.outputTokens >= 12,
          `the model: ${JSON.stringify(model)}`,
        )
        must(voice?.status === 'cancelled' && voice.characters === 40, `the voice: ${JSON.stringify(voice)}`)
        const heard = audible[0]!.position
        must(
          voice!.audioMs === 1_600 && voice!.heardMs === heard && heard < 200,
          `the voice: ${JSON.stringify(voice)}; heard ${heard}`,
        )
        must(
          totals.some((each) => each.kind === 'llm' && each.inputTokens === model!.inputTokens && each.estimated) &&
            totals.some((each) => each.kind === 'tts' && each.audioMs === 1_600),
          `in all: ${JSON.stringify(totals)}`,
        )
      },
    },
  },
])

/** Two voices, of which the first fails in a way of its own. */
function voices({ clock }: Stage, failing: Partial<Parameters<typeof scriptedTTS>[0]>) {
  const usual = { clock, firstByte: 150, perWord: 400, speed: 10 }
  return [scriptedTTS({ ...usual, name: 'first', ...failing }), scriptedTTS({ ...usual, name: 'second' })] as const
}
