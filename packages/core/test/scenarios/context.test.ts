import { describe, expect, test } from 'vitest'
import { chatContext, type Message } from '../../src/index.js'
import { toolCall, user } from '../../src/testing/index.js'
import { opening, silent, works } from './cast.js'
import { cut, linesOf, must, scenarios, whole } from './runner.js'

const lines = (messages: readonly Message[]): string[] => linesOf({ messages })

/** What is true of a context, whatever session it is from. */
const rows: readonly { readonly id: string; readonly what: string; readonly check: () => void }[] = [
  {
    id: 'X-31',
    what: 'items of the same time stay in the order in which they were put in',
    check() {
      const texts = chatContext([
        { type: 'user', text: 'before', at: 4 },
        { type: 'user', text: 'first', at: 5 },
        { type: 'user', text: 'after', at: 6 },
      ])
        .insert({ type: 'user', text: 'second', at: 5 })
        .insert({ type: 'user', text: 'third', at: 5 })
        .items.map((item) => 'text' in item && item.text)
      expect(texts).toEqual(['before', 'first', 'second', 'third', 'after'])
    },
  },
  {
    id: 'X-32',
    what: 'the instructions stay, no output comes before its call, and it is not longer than was asked for',
    check() {
      const context = chatContext([
        { type: 'instructions', text: 'Be brief.' },
        { type: 'user', text: 'one' },
        { type: 'call', id: 'c1', name: 'look', args: '{}' },
        { type: 'output', call: 'c1', text: 'seen' },
        { type: 'assistant', text: 'two' },
        { type: 'user', text: 'three' },
      ])
      const typesOf = (length: number) => context.truncate(length).items.map(({ type }) => type)
      expect(typesOf(3)).toEqual(['instructions', 'assistant', 'user'])
      expect(typesOf(4)).toEqual(['instructions', 'assistant', 'user'])
      expect(typesOf(5)).toEqual(['instructions', 'assistant', 'user'])
      expect(typesOf(6)).toHaveLength(6)
      expect(context.truncate(3).instructions).toBe('Be brief.')
    },
  },
  {
    id: 'X-33',
    what: 'a call that was never answered is shown to no model, nor is an answer to no call',
    check() {
      const { messages } = chatContext([
        { type: 'user', text: 'go' },
        { type: 'call', id: 'c1', name: 'look', args: '{}' },
        { type: 'output', call: 'c0', text: 'lost' },
        { type: 'assistant', text: 'Well.' },
      ])
      expect(lines(messages)).toEqual(['user: go', 'agent: Well.'])
    },
  },
  {
    id: 'X-35',
    what: 'instructions in the midst of a conversation are words to the model, those at its head are what it is told to be',
    check() {
      const context = chatContext([
        { type: 'instructions', text: 'Be brief.' },
        { type: 'user', text: 'go' },
        { type: 'instructions', text: 'The line is bad.' },
        { type: 'assistant', text: 'Gone.' },
      ])
      expect(context.instructions).toBe('Be brief.')
      expect(lines(context.messages)).toEqual([
        'user: go',
        'user: <instructions>\nThe line is bad.\n</instructions>',
        'agent: Gone.',
      ])
    },
  },
]

describe('context', () => {
  test.each(rows)('$id: $what', ({ check }) => check())
})

scenarios('context of a session', [
  {
    id: 'X-34',
    what: 'an output that came after later words stands beside its call for every model, where it came, so that the news is news',
    scene: (stage) => ({
      bench: 'scenario',
      agent: silent('A', { slow: works(stage, 4_000, 'slowresult') }),
      line: { canPause: false },
      timeline: [opening, user(5_000, 6_000, 'never mind stop'), user(9_000, 10_000, 'what came of it')],
      llm: [['Let me check that for you right away', toolCall('slow')], 'Okay.', 'It is done.'],
      tts: { duration: { 'Let me check': 10_000, 'Okay.': 1_000, 'It is done.': 1_000 } },
    }),
    expect: {
      audible: [cut('Let me', 3_200, 5_550), whole('Okay.', 6_700, 7_710), whole('It is done.', 10_700, 11_710)],
      also({ requests, history }) {
        const right = [
          'user: book me',
          'agent: Let me…',
          'user: never mind stop',
          'agent: Okay.',
          'call: slow {}',
          'output: slowresult',
          'user: what came of it',
        ]
        const seen = linesOf(requests.at(-1)!)
        must(seen.join() === right.join(), `the model sees ${seen.join(' | ')}`)
        const kept = lines(chatContext(history).messages).slice(0, -1)
        must(kept.join() === right.join(), `the context shows ${kept.join(' | ')}`)
      },
    },
  },
])
