import { describe, expect, test } from 'vitest'
import {
  type ChatContext,
  type ContextItem,
  chatContext,
  type NewItem,
  parseChatContext,
  UsageError,
} from '../../src/index.js'

const says = (id: string, at: number | undefined, text = id): NewItem => ({
  type: 'user',
  id,
  text,
  ...(at !== undefined && { at }),
})
const call = (id: string, at: number, group = id): NewItem => ({
  type: 'call',
  id,
  at,
  group,
  name: 'look',
  args: '{}',
})
const output = (of: string, at: number, text = 'found'): NewItem => ({
  type: 'output',
  id: `o-${of}`,
  at,
  call: of,
  text,
})
const be = (id: string, text = 'Be brief.'): NewItem => ({ type: 'instructions', id, text })
const ids = (context: ChatContext): string[] => context.items.map(({ id }) => id)

/** A bit of everything. */
const whole = chatContext([
  be('i'),
  { type: 'agent', id: 'a', at: 0, agent: 'desk', cause: 'start' },
  says('u1', 1),
  { type: 'assistant', id: 's1', at: 2, text: 'One moment', interrupted: true },
  call('c1', 3),
  { type: 'overheard', id: 'h', at: 4, text: 'mhm', reason: 'backchannel' },
  output('c1', 5),
  { type: 'config', id: 'k', at: 6, agent: 'desk', added: ['book'] },
  { type: 'assistant', id: 's2', at: 7, text: ' ' },
  says('u2', 8),
])

describe('a chat context', () => {
  test('needs only what matters of each item, and makes up the rest', () => {
    const context = chatContext([
      { type: 'user', text: 'Hello.' },
      { type: 'assistant', text: 'Hi.' },
      { type: 'call', id: 'c1', name: 'look', args: '{}' },
      { type: 'output', call: 'c1', text: 'found' },
      { type: 'agent', agent: 'desk' },
    ])
    expect(context.items).toEqual([
      { type: 'user', id: expect.any(String), text: 'Hello.' },
      { type: 'assistant', id: expect.any(String), text: 'Hi.', agent: '', reply: '', interrupted: false, done: true },
      { type: 'call', id: 'c1', frame: '', group: 'c1', name: 'look', args: '{}' },
      { type: 'output', id: expect.any(String), call: 'c1', text: 'found', error: false, progress: false },
      { type: 'agent', id: expect.any(String), agent: 'desk', cause: 'handoff' },
    ])
    expect(new Set(ids(context)).size).toBe(5)
  })

  test('makes up no id that somebody else has', () => {
    const context = chatContext([{ type: 'user', text: 'a' }, says('i3', 1), { type: 'user', text: 'b' }])
    expect(new Set(ids(context)).size).toBe(3)
  })

  test('cannot be changed, whoever has it', () => {
    expect(() => (whole.items as ContextItem[]).push(whole.items[0]!)).toThrow(TypeError)
    expect(() => Object.assign(whole.items[2]!, { text: 'other' })).toThrow(TypeError)
    expect(() => Object.assign(whole, { items: [] })).toThrow(TypeError)
    expect(() => (whole.items[7] as unknown as { added: string[] }).added.push('x')).toThrow(TypeError)
    const given = says('u', 1) as { text: string }
    const context = chatContext([given as NewItem])
    given.text = 'other'
    expect(context.items[0]).toMatchObject({ text: 'u' })
  })

  test('can be read item by item', () => {
    expect([...whole]).toEqual(whole.items)
  })

  test.each<[string, unknown, string]>([
    ['no list', 7, 'needs a list of items'],
    ['something that is no item', [null], 'items[0] must be an item'],
    ['an unknown kind', [{ type: 'system', text: 'x' }], 'items[0].type must be one of instructions, user'],
    ['a field that is missing', [says('u', 1), { type: 'output', call: 'c' }], 'items[1].text is missing'],
    ['a field of the wrong kind', [{ type: 'user', text: 5 }], 'items[0].text must be a text; it is 5'],
    [
      'a field that is misspelt',
      [{ type: 'user', text: 'x', textt: 'y' }],
      'items[0] has no "textt": did you mean "text"?',
    ],
    ['a time that is none', [{ type: 'user', text: 'x', at: 'noon' }], 'items[0].at must be a number of milliseconds'],
    ['an id that is there twice', [says('u', 1), says('u', 2)], 'items[1].id "u" is there already'],
  ])('refuses %s, and says what is wrong', (_, items, message) => {
    expect(() => chatContext(items as NewItem[])).toThrow(UsageError)
    expect(() => chatContext(items as NewItem[])).toThrow(message)
  })
})

describe('a copy', () => {
  test.each([
    ['instructions', ['i']],
    ['handoff', ['a']],
    ['config', ['k']],
    ['tool-calls', ['c1', 'o-c1']],
    ['overheard', ['h']],
    ['empty', ['s2']],
  ] as const)('without %s lacks just that', (exclude, without) => {
    expect(ids(whole.copy({ exclude: [exclude] }))).toEqual(
      ids(whole).filter((id) => !(without as readonly string[]).includes(id)),
    )
  })

  test('with several exclusions lacks all of it, and without any nothing', () => {
    expect(
      ids(whole.copy({ exclude: ['instructions', 'handoff', 'config', 'tool-calls', 'empty', 'overheard'] })),
    ).toEqual(['u1', 's1', 'u2'])
    expect(whole.copy().items).toEqual(whole.items)
  })

  test('may keep the calls of certain tools only', () => {
    const context = chatContext([
      call('c1', 1),
      output('c1', 2),
      { type: 'call', id: 'c2', name: 'book', args: '{}' },
      output('c2', 4),
    ])
    expect(ids(context.copy({ tools: ['book'] }))).toEqual(['c2', 'o-c2'])
  })

  test('does not know what it cannot leave out', () => {
    expect(() => whole.copy({ exclude: ['calls' as 'config'] })).toThrow('copy.exclude[0] must be "instructions" or')
  })
})

describe('insertion', () => {
  test('X-31: of equal times keeps the order in which the items were inserted', () => {
    const context = chatContext([says('a', 1), says('z', 9)])
    expect(ids(context.insert(says('b', 5)).insert(says('c', 5)).insert(says('d', 5)))).toEqual([
      'a',
      'b',
      'c',
      'd',
      'z',
    ])
    expect(ids(context.insert(says('b', 5), says('c', 5)))).toEqual(['a', 'b', 'c', 'z'])
  })

  test('is behind the last that is not later, and at the end without a time', () => {
    const context = chatContext([be('i'), says('a', 1), says('b', undefined), says('z', 9)])
    expect(ids(context.insert(says('n', 0)))).toEqual(['i', 'n', 'a', 'b', 'z'])
    expect(ids(context.insert(says('n', 5)))).toEqual(['i', 'a', 'b', 'n', 'z'])
    expect(ids(context.insert(says('n', undefined)))).toEqual(['i', 'a', 'b', 'z', 'n'])
  })

  test('of an id that is there is refused', () => {
    expect(() => whole.insert(says('u1', 3))).toThrow('insert: items[0].id "u1" is there already')
  })
})

describe('a merge', () => {
  test('adds what is not there, each in its place', () => {
    const own = chatContext([says('a', 1), says('c', 3)])
    expect(ids(own.merge(chatContext([says('a', 1), says('b', 2), says('c', 3), says('d', 4)])))).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
  })

  test('with itself, or a copy, changes nothing', () => {
    expect(whole.merge(whole.copy()).items).toEqual(whole.items)
    expect(whole.merge(parseChatContext(whole.serialise({ times: false }))).items).toEqual(whole.items)
  })

  test('of equal times puts what is added behind what was there, in its order', () => {
    const own = chatContext([says('a', 5)])
    expect(ids(own.merge(chatContext([says('b', 5), says('c', 5)])))).toEqual(['a', 'b', 'c'])
  })

  test('leaves out what is excluded', () => {
    const own = chatContext([says('u1', 1)])
    expect(
      ids(own.merge(whole, { exclude: ['instructions', 'handoff', 'config', 'tool-calls', 'overheard'] })),
    ).toEqual(['u1', 's1', 's2', 'u2'])
  })

  test('keeps items without a time behind those that they followed', () => {
    const own = chatContext([says('a', 1), says('z', 9)])
    expect(ids(own.merge(chatContext([says('b', 2), says('c', undefined)])))).toEqual(['a', 'b', 'c', 'z'])
  })

  test('of another session loses nothing that happens to have the same ids', () => {
    const yesterday = chatContext([says('u1', 1, 'hello'), call('c1', 2, 'g1'), output('c1', 3, 'yesterday')])
    const today = chatContext([
      says('u1', 11, 'again'),
      call('c1', 12, 'g1'),
      { ...output('c1', 13, 'today'), id: 'o-c1' },
    ])
    const both = yesterday.merge(today)
    expect(ids(both)).toEqual(['u1', 'c1', 'o-c1', 'u1~2', 'c1~2', 'o-c1~2'])
    expect(both.messages).toEqual([
      { role: 'user', text: 'hello' },
      { role: 'call', call: 'c1', group: 'g1', name: 'look', args: '{}' },
      { role: 'output', call: 'c1', name: 'look', text: 'yesterday', error: false, running: false },
      { role: 'user', text: 'again' },
      { role: 'call', call: 'c1~2', group: 'g1~2', name: 'look', args: '{}' },
      { role: 'output', call: 'c1~2', name: 'look', text: 'today', error: false, running: false },
    ])
  })
})

describe('truncation', () => {
  const long = chatContext([be('i'), says('u1', 1), call('c1', 2), output('c1', 3), says('u2', 4), says('u3', 5)])

  test('X-32: keeps the instructions, and drops calls and outputs that would stand first', () => {
    expect(ids(long.truncate(4))).toEqual(['i', 'u2', 'u3'])
    expect(ids(long.truncate(5))).toEqual(['i', 'u2', 'u3'])
    expect(ids(long.truncate(6))).toEqual(['i', 'u1', 'c1', 'o-c1', 'u2', 'u3'])
  })

  test('is never longer than it was told to be, instructions included', () => {
    for (let length = 0; length <= 7; length++) expect(long.truncate(length).items.length).toBeLessThanOrEqual(length)
    expect(ids(long.truncate(1))).toEqual(['i'])
    expect(ids(long.truncate(2))).toEqual(['i', 'u3'])
    expect(ids(long.truncate(0))).toEqual([])
  })

  test('keeps the instructions at the head, and not those of a moment', () => {
    const context = chatContext([says('u1', 1), be('once'), says('u2', 2), says('u3', 3)])
    expect(ids(context.truncate(2))).toEqual(['u2', 'u3'])
  })

  test('leaves no output without its call', () => {
    const context = chatContext([call('c1', 1), says('u1', 2), output('c1', 3), says('u2', 4)])
    expect(ids(context.truncate(3))).toEqual(['u1', 'u2'])
  })

  test('wants a whole number', () => {
    expect(() => long.truncate(-1)).toThrow('truncate(length) needs a whole number, 0 or more; it is -1')
  })
})

describe('a stored context', () => {
  test('reads back as it was', () => {
    expect(parseChatContext(whole.serialise()).items).toEqual(whole.items)
    expect(parseChatContext(JSON.stringify(whole)).items).toEqual(whole.items)
    expect(parseChatContext(JSON.parse(JSON.stringify(whole))).items).toEqual(whole.items)
  })

  test('may leave the times out', () => {
    const read = parseChatContext(whole.serialise({ times: false }))
    expect(read.items.some((item) => 'at' in item)).toBe(false)
    expect(ids(read)).toEqual(ids(whole))
  })

  test.each([
    ['no JSON', '{', 'it is no JSON'],
    ['something else', '[]', 'it has no `version`'],
    ['null', 'null', 'it has no `version`'],
    ['another version', '{"version":2,"items":[]}', 'is of version 2; this version of antiphon reads version 1'],
    ['no items', '{"version":1}', 'no list of `items`'],
    ['a broken item', '{"version":1,"items":[{"id":"u","type":"user"}]}', 'items[0].text is missing'],
    ['an item without an id', '{"version":1,"items":[{"type":"user","text":"x"}]}', 'items[0].id is missing'],
  ])('that is %s is refused, and it says what is wrong', (_, text, message) => {
    expect(() => parseChatContext(text)).toThrow(UsageError)
    expect(() => parseChatContext(text)).toThrow(message)
  })
})

describe('what a model is shown of a context', () => {
  test('X-33: a call that was never answered is left out, and so is an output without a call', () => {
    const context = chatContext([
      says('u1', 1),
      call('c1', 2),
      says('u2', 3),
      { type: 'output', call: 'c9', text: 'lost' },
    ])
    expect(context.messages).toEqual([
      { role: 'user', text: 'u1' },
      { role: 'user', text: 'u2' },
    ])
  })

  test('X-34: an output that came after later words stands beside its call', () => {
    const context = chatContext([
      says('u1', 1),
      call('c1', 2),
      says('u2', 3),
      { type: 'assistant', text: 'Okay.' },
      output('c1', 5),
    ])
    expect(context.messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'call', 'output'])
  })

  test('calls of one answer stand together, where the last of them was answered', () => {
    const context = chatContext([
      call('c1', 1, 'g'),
      call('c2', 2, 'g'),
      output('c2', 3),
      says('u1', 4),
      output('c1', 5),
      call('c3', 6, 'g'),
    ])
    expect(
      context.messages.map((message) => ('call' in message ? `${message.role} ${message.call}` : message.role)),
    ).toEqual(['user', 'call c1', 'output c1', 'call c2', 'output c2'])
  })

  test('news of a call that was answered are a call of their own', () => {
    const context = chatContext([
      call('c1', 1),
      { type: 'output', call: 'c1', text: 'half done', progress: true },
      says('u1', 3),
      output('c1', 4, 'all done'),
    ])
    expect(
      context.messages.map((message) => ('call' in message ? `${message.role} ${message.call}` : message.role)),
    ).toEqual(['call c1', 'output c1', 'user', 'call c1_2', 'output c1_2'])
  })

  test('X-35: instructions in the midst of it are words of the user’s, marked as what they are; those at the head are apart', () => {
    const context = chatContext([
      be('i'),
      be('j', 'Be warm.'),
      says('u1', 1),
      be('once', 'Answer in French.'),
      says('u2', 2),
    ])
    expect(context.instructions).toBe('Be brief.\n\nBe warm.')
    expect(context.messages).toEqual([
      { role: 'user', text: 'u1' },
      { role: 'user', text: '<instructions>\nAnswer in French.\n</instructions>' },
      { role: 'user', text: 'u2' },
    ])
  })

  test('has no empty messages, and nothing that is no message', () => {
    expect(whole.messages).toEqual([
      { role: 'user', text: 'u1' },
      { role: 'assistant', text: 'One moment', interrupted: true },
      { role: 'call', call: 'c1', group: 'c1', name: 'look', args: '{}' },
      { role: 'output', call: 'c1', name: 'look', text: 'found', error: false, running: false },
      { role: 'user', text: 'u2' },
    ])
  })
})
