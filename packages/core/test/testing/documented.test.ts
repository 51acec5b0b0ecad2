import { expect, test } from 'vitest'
import { z } from 'zod'
import { agent, start, task, tool } from '../../src/index.js'
import {
  assertLaws,
  at,
  heard,
  noise,
  play,
  rehearse,
  type SceneMaker,
  type Script,
  scriptedLLM,
  scriptedTTS,
  TestLine,
  toolCall,
  typed,
  user,
  VirtualClock,
} from '../../src/testing/index.js'

// What docs/testing.md shows. Each top-level declaration stands there as it is.

const address = task({
  name: 'address',
  instructions: 'Ask where the food goes to, read it back, and have it confirmed.',
  result: z.object({ street: z.string() }),
})

const order = tool({
  description: 'Orders a dish.',
  inputSchema: z.object({ dish: z.string() }),
  async execute({ dish }, run) {
    const { street } = await run.task(address)
    return `${dish} is on its way to ${street}`
  },
})

const host = agent({ name: 'host', instructions: 'You take orders for a bistro.', tools: { order } })

test('a caller who corrects himself is heard', async () => {
  await using call = rehearse(host, [
    'What may I bring you?',
    toolCall('order', { dish: 'Lasagne' }),
    'Where to, please?',
    'High Street one, is that right?',
    toolCall('finish', { street: 'High Street 2' }),
    'It is on its way.',
  ])
  await call.rest()
  await call.user('The lasagne')
  await call.user('High Street one', { patience: 1_200 }) // a little into the answer …
  expect(await call.user('no, number two!')).toEqual(['It is on its way.'])
  expect(call.transcript).toContain('agent: High') // only what was heard is remembered
  assertLaws(call.session)
})

const slowTool: SceneMaker = (stage) => {
  const search = tool({
    description: 'Looks for a free table.',
    async execute(_, run) {
      await stage.sleep(4_000, run.signal)
      return 'table seven'
    },
  })
  return {
    bench: 'scenario',
    agent: agent({ name: 'host', instructions: 'You are the host.', tools: { search }, greet: false }),
    timeline: [user(500, 2_500, 'a table for two'), user(5_000, 6_000, 'by the window'), noise(9_000, 9_300)],
    llm: [['Let me look for you', toolCall('search')], 'By the window, yes.', 'You have table seven.'],
    tts: { duration: { 'Let me look': 5_000, 'By the window': 1_000, 'You have': 1_000 } },
    line: { canPause: true },
  }
}

async function talksOverATool() {
  const observed = await play(slowTool)
  expect(observed.audible).toMatchObject([
    { from: 3_200, to: 5_500, end: 'cut', text: 'Let me' },
    { text: 'By the window, yes.', end: 'whole' },
  ])
  expect(observed.tools).toMatchObject([{ name: 'search', start: 3_000, end: 7_000, status: 'done', aborted: null }])
  expect(observed.transcript).toContain('agent: Let me…\ncall: search {}\nuser: by the window')
  expect(observed.problems).toEqual([])
  assertLaws(observed.session)
}

test('a tool goes on when the words beside it are talked over', talksOverATool)

const rules: Script = [
  { when: { user: /order/i, last: 'user' }, text: 'One moment.', calls: toolCall('order', { dish: 'Soup' }) },
  { when: { outputOf: 'order', output: 'sold out' }, times: 1, text: 'We are out of that, sorry.' },
  { when: ({ toolChoice }) => toolChoice === 'none', text: 'I cannot do that at the moment.' },
  'Hello.', // lines without `when` are said in order, to whatever no rule applies to
]

const faults: Script = [
  { text: 'Well, let me think about it.', firstToken: 900, perWord: 150 },
  { text: 'It is on the', error: 'overloaded', errorAfter: 3 },
  { text: 'It is', stall: 2 },
]

async function meetsFaults() {
  const observed = await play({
    agent: agent({ instructions: 'You are brief.', greet: false }),
    timeline: [
      user(0, 1_000, 'hello there', { delay: 800, interims: 200 }), // words so far each 200 ms, the final ones late
      heard(9_000, new Error('connection lost')), // the recogniser fails, and is opened again
      typed(12_000, 'are you there'),
      at(14_000, (session) => session.interrupt({ force: true }), 'interrupt'),
    ],
    llm: faults,
    tts: { perWord: 300, takes: [{ when: 'think', stall: 3 }] }, // the voice goes silent after three words
    line: { clearDelay: 200, losesEnds: 1, buffer: 400 },
    options: { limits: { voiceGap: 2_000 } },
  })
  expect(observed.errors.map(({ source }) => source)).toEqual(expect.arrayContaining(['tts', 'stt']))
  expect(observed.acts).toMatchObject([{ name: 'typed' }, { name: 'interrupt', at: 14_000, outcome: 'done' }])
  assertLaws(observed.session)
}

test('faults of every model, at their time', meetsFaults)

async function usesTheParts() {
  const clock = new VirtualClock()
  const line = new TestLine({ clock })
  const session = start(agent({ instructions: 'You are brief.' }), {
    line,
    llm: scriptedLLM(['Good morning.'], { clock }),
    tts: scriptedTTS({ clock, perWord: 400 }),
    clock,
  })
  await clock.advance(5_000)
  expect(line.sounds).toMatchObject([{ text: 'Good morning.', end: 'whole' }])
  const closed = session.close()
  await clock.advance(1_000)
  await closed
  assertLaws(session, { sounds: line.sounds, endedAt: clock.now() })
  expect(clock.openTimers).toBe(0)
}

test('the parts alone', usesTheParts)

test('rules answer what they fit', async () => {
  await using call = rehearse(agent({ instructions: 'You are brief.', greet: false, tools: { order } }), rules, {
    scripts: { address: ['Where to?'] },
    cast: [address],
  })
  expect(await call.type('hi')).toEqual(['Hello.'])
  expect(await call.type('I want to order')).toEqual(['One moment.', 'Where to?'])
})
