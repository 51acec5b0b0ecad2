import type { GenerateRequest, LLMPart, Message } from 'antiphon'
import { describe, expect, test } from 'vitest'
import { type Script, scriptedModel, type Talk } from '../src/index.js'
import { Matcher } from '../src/scripted/matching.js'
import { findSlots } from '../src/scripted/slots.js'

const user = (text: string): Message => ({ role: 'user', text })
const agent = (text: string): Message => ({ role: 'assistant', text, interrupted: false })

const script: Script = {
  opening: 'What shall I book?',
  intents: [
    {
      examples: ['book a table', 'reserve a table for two'],
      answer: { say: 'One moment.', call: 'book', args: { seats: 2 } },
    },
    { when: ({ heard }) => heard.email !== undefined, answer: ({ slots }) => `Is it ${slots.email}?` },
  ],
  results: { book: (output) => `Booked: ${output}.` },
  fallback: 'Pardon?',
}

async function answer(messages: readonly Message[], request: Partial<GenerateRequest> = {}): Promise<LLMPart[]> {
  const model = scriptedModel([script, { ...script, tool: 'finish', opening: 'I am the task.' }], { pace: 0 })
  const parts: LLMPart[] = []
  const whole: GenerateRequest = { instructions: 'Be brief.', messages, tools: [], toolChoice: 'auto', ...request }
  for await (const part of model.generate(whole, { signal: new AbortController().signal })) parts.push(part)
  return parts.filter(({ type }) => type !== 'usage')
}

async function text(messages: readonly Message[], request: Partial<GenerateRequest> = {}): Promise<string> {
  return (await answer(messages, request)).map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** What the model understands. */
async function understood(messages: readonly Message[]): Promise<Talk | undefined> {
  const talks: Talk[] = []
  const fallback = (talk: Talk) => {
    talks.push(talk)
    return ''
  }
  const request: GenerateRequest = { instructions: '', messages, tools: [], toolChoice: 'auto' }
  const model = scriptedModel({ opening: '', intents: [], fallback }, { pace: 0 })
  await model.generate(request, { signal: new AbortController().signal })[Symbol.asyncIterator]().next()
  return talks[0]
}

describe('a scripted model', () => {
  test('opens when nobody has spoken to it, and streams its words', async () => {
    expect(await answer([])).toEqual(['What', ' shall', ' I', ' book?'].map((word) => ({ type: 'text', text: word })))
  })

  test('calls a tool beside its words', async () => {
    const parts = await answer([agent('Hello!'), user("I'd like to reserve a table.")])
    expect(parts.at(-1)).toEqual({ type: 'call', name: 'book', args: '{"seats":2}' })
  })

  test('calls nothing when it may not', async () => {
    expect(await text([user('book a table')], { toolChoice: 'none' })).toBe('One moment.')
    expect(await answer([user('book a table')], { toolChoice: 'none' })).toHaveLength(2)
  })

  test('tells what a tool has answered', async () => {
    const call: Message = { role: 'call', call: 'c1', group: 'g1', name: 'book', args: '{}' }
    const output: Message = { role: 'output', call: 'c1', name: 'book', text: 'table 4', error: false, running: false }
    expect(await text([user('book a table'), call, output])).toBe('Booked: table 4.')
  })

  test('takes all that was said since the last answer together', async () => {
    expect(await text([agent('Hello!'), user('My address is'), user('jane at example dot com')])).toBe(
      'Is it jane@example.com?',
    )
  })

  test('takes a correction of what it has read back, and keeps it', async () => {
    const readBack = [user('My address is jane'), user('at example dot board'), agent('Is it jane@example.board?')]
    const corrected = [...readBack, user('No, it is dot org.')]
    expect(await text(corrected)).toBe('Is it jane@example.org?')
    const talk = await understood([...corrected, agent('Is it jane@example.org?'), user('Yes')])
    expect(talk).toMatchObject({ said: 'Yes', heard: {}, slots: { email: 'jane@example.org' } })
  })

  test('says so when nothing fits', async () => {
    expect(await text([user('quantum entanglement')])).toBe('Pardon?')
  })

  test('is the one whose tool is offered', async () => {
    const tools = [{ name: 'finish', description: 'End it.', input: {} }]
    expect(await text([], { tools })).toBe('I am the task.')
  })

  test('stops when it is told to', async () => {
    const stop = new AbortController()
    const request: GenerateRequest = { instructions: '', messages: [], tools: [], toolChoice: 'auto' }
    const words: LLMPart[] = []
    for await (const part of scriptedModel(script).generate(request, { signal: stop.signal })) {
      words.push(part)
      stop.abort()
    }
    expect(words).toHaveLength(1)
  })
})

test('examples are found again in other words', () => {
  const matcher = new Matcher(
    [
      { name: 'status', examples: ['where is my order', 'has my package shipped yet', 'track my order'] },
      { name: 'price', examples: ['how much does it cost', 'what are your prices'] },
      { name: 'human', examples: ['let me talk to a real person', 'transfer me to an agent'] },
    ],
    ({ examples }) => examples,
  )
  const best = (said: string) => matcher.rank(said)[0]?.thing.name
  expect(best('When was my order shipped?')).toBe('status')
  expect(best('What does that cost me?')).toBe('price')
  expect(best('I want to speak with some person')).toBe('human')
})

describe('slots', () => {
  test.each([
    ['It is jane.miller@example.com.', 'jane.miller@example.com'],
    ['It is Jane dot Miller at example dot com.', 'jane.miller@example.com'],
    ['jane.miller at example.com, please', 'jane.miller@example.com'],
    ['Jane dot Miller@example.com', 'jane.miller@example.com'],
    ['Jane underscore M at my dash host dot co dot uk', 'jane_m@my-host.co.uk'],
    ['Meet me at the station', undefined],
    ['You find me at example.com', undefined],
  ])('an address is found in "%s"', (said, email) => {
    expect(findSlots(said).email).toBe(email)
  })

  test.each([
    ['No, it is dot org.', 'jane@example.org'],
    ['No, at example.org!', 'jane@example.org'],
    ["Sorry, that's wrong. Dot net", 'jane@example.net'],
    ['No, it is joan at example dot org.', 'joan@example.org'],
    ['My dog is called Dot. Org is a place', undefined],
    ['No. Thank you', undefined],
  ])('"%s" corrects an address that was read back', (said, email) => {
    expect(findSlots(said, { email: 'jane@example.board' }).email).toBe(email)
  })

  test('people, days and times are found', () => {
    expect(findSlots('My name is Jane Miller, a table for four people next Friday at 8 pm')).toEqual({
      name: 'Jane Miller',
      count: 4,
      day: 'next Friday',
      time: '8 pm',
    })
  })
})
