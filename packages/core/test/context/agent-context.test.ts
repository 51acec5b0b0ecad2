import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, type ChatContext, chatContext, parseChatContext, task, tool } from '../../src/index.js'
import { at, play, type Scene, toolCall, user } from '../../src/testing/index.js'
import { linesOf } from '../scenarios/runner.js'

const host = (options = {}): Agent =>
  agent({ name: 'host', instructions: 'You are the host.', greet: false, ...options })
const scenario = (scene: Partial<Scene>): Scene => ({ bench: 'scenario', agent: host(), ...scene })

const before = chatContext([
  { type: 'instructions', text: 'The caller has called before.' },
  { type: 'user', text: 'I want a table.' },
  { type: 'call', id: 'call-1', name: 'book', args: '{}' },
  { type: 'output', call: 'call-1', text: 'booked' },
  { type: 'assistant', text: 'It is booked.' },
])

describe('the context that an agent starts from', () => {
  const book = tool({ description: 'Books.', execute: () => 'booked again' })

  test('is shown before the conversation, in each of its requests', async () => {
    const { requests, problems } = await play(
      scenario({
        agent: host({ chatContext: before, tools: { book } }),
        timeline: [user(500, 2_500, 'another one')],
        llm: [toolCall('book'), 'Done.'],
      }),
    )
    expect(problems).toEqual([])
    const past = ['user: I want a table.', 'call: book {}', 'output: booked', 'agent: It is booked.']
    expect(linesOf(requests[0]!)).toEqual([...past, 'user: another one'])
    expect(linesOf(requests[1]!)).toEqual([...past, 'user: another one', 'call: book {}', 'output: booked again'])
    expect(requests[0]!.instructions).toBe('You are the host.\n\nThe caller has called before.')
  })

  test('has calls whose names no call of the conversation has', async () => {
    const { requests } = await play(
      scenario({
        agent: host({ chatContext: before, tools: { book } }),
        timeline: [user(500, 2_500, 'another one')],
        llm: [toolCall('book'), 'Done.'],
      }),
    )
    const calls = requests[1]!.messages.flatMap((message) => (message.role === 'call' ? [message.call] : []))
    expect(new Set(calls).size).toBe(2)
    const groups = requests[1]!.messages.flatMap((message) => (message.role === 'call' ? [message.group] : []))
    expect(new Set(groups).size).toBe(2)
  })

  test('is its own: another agent does not see it, and the history does not have it', async () => {
    const other = agent({ name: 'other', instructions: 'You are the other.' })
    const { requests, history } = await play(
      scenario({
        agent: host({ chatContext: before }),
        timeline: [user(500, 2_500, 'hi'), at(6_000, (session) => session.updateAgent(other))],
        llm: ['Hello.', 'It is me.'],
      }),
    )
    expect(linesOf(requests[1]!)).toEqual(['user: hi', 'agent: Hello.'])
    expect(history.some((item) => 'text' in item && item.text === 'I want a table.')).toBe(false)
  })

  test('K-17: what it has of the session itself is shown once', async () => {
    const { requests, problems } = await play((stage) => {
      const collect = tool({
        description: 'Collects.',
        execute: (_, run) =>
          run.task(
            task({
              name: 'T',
              instructions: 'You are T.',
              result: z.object({ value: z.string() }),
              chatContext: stage.session.chatContext.insert({ type: 'user', text: 'A word before.', at: -1 }),
            }),
          ),
      })
      return scenario({
        agent: host({ tools: { collect } }),
        timeline: [user(500, 2_500, 'book me')],
        llm: { host: [['Sure.', toolCall('collect')], 'Done.'], '*': ['What is it?'] },
      })
    })
    expect(problems).toEqual([])
    const asked = requests.find(({ instructions }) => instructions.includes('You are T.'))
    expect(linesOf(asked!)).toEqual(['user: A word before.', 'user: book me', 'agent: Sure.'])
  })

  test('must be one', () => {
    expect(() => host({ chatContext: [{ role: 'user' }] })).toThrow(
      'chatContext must be a chat context, made with chatContext([…])',
    )
  })
})

describe('the context of a session', () => {
  test('is what was said and done, as a value that does not grow, and is shown to a model as the session shows it', async () => {
    const early: ChatContext[] = []
    const book = tool({ description: 'Books.', execute: () => 'booked' })
    const { session, requests } = await play(
      scenario({
        agent: host({ tools: { book } }),
        timeline: [
          user(500, 2_500, 'book me'),
          at(4_200, (now) => void early.push(now.chatContext)),
          user(5_000, 6_000, 'thank you'),
        ],
        llm: [['One moment please, my friend.', toolCall('book')], 'It is booked and all is well.', 'Bye.'],
        tts: { duration: { 'One moment': 3_000 } },
      }),
    )
    expect(early[0]!.items.map(({ type }) => type)).toEqual(['agent', 'user', 'assistant', 'call', 'output'])
    expect(early[0]!.items[2]).toMatchObject({ text: expect.stringMatching(/^One/), done: false })
    const { chatContext: all } = session
    expect(all.items).toEqual(session.history)
    const said = all.messages.slice(0, requests.at(-1)!.messages.length)
    expect(said).toEqual(requests.at(-1)!.messages)
    expect(parseChatContext(all.serialise()).items).toEqual(all.items)
  })
})
