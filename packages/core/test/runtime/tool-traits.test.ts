import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, type RunContext, type ToolOptions, type ToolResult, task, tool } from '../../src/index.js'
import { call, close, of, type Said, settle, type World, type WorldOptions, world } from './world.js'

/** An agent with one tool of these traits, asked to "go" at 0 ms, heard until `until`. */
async function office(
  traits: Partial<ToolOptions>,
  execute: (run: RunContext, made: World) => ToolResult | Promise<ToolResult>,
  lines: readonly Said[],
  { until = 1_000, ...options }: WorldOptions & { readonly until?: number } = {},
) {
  const runs: RunContext[] = []
  const it = tool({
    description: 'It.',
    inputSchema: z.object({ n: z.number().optional() }),
    ...traits,
    execute: (_, run) => {
      runs.push(run)
      return execute(run, made)
    },
  })
  const root = agent({ name: 'office', instructions: 'Work.', greet: false, tools: { it } })
  const made = world(root, lines, { ...options })
  made.session.text('go')
  await made.clock.advance(until)
  return { ...made, runs, story: () => story(made) }
}

/** The history, a line each. */
const story = ({ session }: Pick<World, 'session'>) =>
  session.history.flatMap((item) => {
    if (item.type === 'call') return [`${item.id}: ${item.name}`]
    if (item.type === 'output') return [`${item.call} → ${item.text}`]
    return item.type === 'user' || item.type === 'assistant' ? [`${item.type}: ${item.text}`] : []
  })

const slow =
  (ms: number, value: ToolResult = 'done') =>
  async ({ signal }: RunContext, { clock }: World) => {
    await clock.sleep(ms, signal)
    return value
  }

describe('a tool that takes too long', () => {
  test('is given up after 60 s, which its model is told; what it still returns is told to nobody', async () => {
    const made = await office({}, (_, { clock }) => clock.sleep(90_000).then(() => 'late'), [[call('it')], 'Sorry.'], {
      until: 60_000,
    })
    expect(made.story()).toEqual(['user: go', 'call-1: it'])
    expect(made.runs[0]?.signal.aborted).toBe(false)
    await made.clock.advance(500)
    expect(made.story().slice(2)).toEqual(['call-1 → It took too long and was given up.', 'assistant: Sorry.'])
    expect(made.runs[0]?.signal.reason).toMatchObject({ name: 'ToolError', message: 'it took too long' })
    expect(of(made.events, 'call-end')).toMatchObject([{ status: 'timeout' }])
    await made.clock.advance(60_000)
    expect(made.story().join()).not.toContain('late')
    expect(of(made.events, 'error')).toEqual([])
    await close(made)
  })

  test('may say how long; the time in which a task of it has the conversation does not count', async () => {
    const ask = task({ name: 'ask', instructions: 'Ask.', result: z.string() })
    const made = await office({ timeout: 2_000 }, (run) => run.task(ask), [[call('it')], 'What is it?'], {
      until: 10_000,
    })
    expect(made.story()).toEqual(['user: go', 'call-1: it', 'assistant: What is it?'])
    await close(made)
    const late = await office({ timeout: 2_000 }, slow(3_000), [[call('it')], 'Sorry.'], { until: 2_200 })
    expect(late.story()[2]).toBe('call-1 → It took too long and was given up.')
    await close(late)
  })
})

describe('an irreversible tool', () => {
  /** Called at 100, while the caller's voice sounds from 0 to 1,000. When it has begun. */
  const voiced = async (words: string) => {
    const begun: number[] = []
    const note = (_: RunContext, { clock }: World) => void begun.push(clock.now())
    // the guess at the caller's words was shown a call that still waits, and is made anew
    const lines = [[call('it')], 'Two, then.', 'Two, then.']
    const made = await office({ effect: 'irreversible' }, note, lines, { hears: true, until: 0 })
    made.hear.push({ type: 'speech-start' })
    await made.clock.advance(1_000)
    expect(begun).toEqual([])
    if (words !== '') made.hear.push({ type: 'transcript', text: words, final: true })
    made.hear.push({ type: 'speech-end' })
    await made.clock.advance(1_000)
    await close(made)
    return { begun, story: made.story() }
  }

  test('waits for a voice, and begins when it has said nothing', async () => {
    expect((await voiced('')).begun).toEqual([1_000])
  })

  test('does not begin when the caller has said more: the answer decides anew', async () => {
    const { begun, story } = await voiced('no, make it two')
    expect(begun).toEqual([])
    expect(story).toEqual([
      'user: go',
      'call-1: it',
      'call-1 → Not begun: the caller went on speaking.',
      'user: no, make it two',
      'assistant: Two, then.',
    ])
  })

  test('begins at once when nobody speaks, as any other', async () => {
    const begun: number[] = []
    const note = (_: RunContext, { clock }: World) => void begun.push(clock.now())
    await close(await office({ effect: 'irreversible' }, note, [[call('it')]]))
    await close(await office({}, note, [[call('it')]]))
    expect(begun).toEqual([100, 100])
  })
})

describe('a call that is equal to a running one', () => {
  const twice = [[call('it', { n: 1 }), call('it', { n: 1.0 })], 'Done.']

  test('joins it: the work is done once, with one idempotency key, and both are told', async () => {
    const made = await office({}, slow(300), twice)
    expect(made.runs.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['test/call-1'])
    expect(made.story().slice(1)).toEqual([
      'call-1: it',
      'call-2: it',
      'call-1 → done',
      'call-2 → done',
      'assistant: Done.',
    ])
    await close(made)
  })

  test('runs beside it with `allow`, with a key of its own', async () => {
    const made = await office({ duplicates: 'allow' }, slow(300), twice)
    expect(made.runs.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['test/call-1', 'test/call-2'])
    await close(made)
  })

  test('is refused with `reject`', async () => {
    const made = await office({ duplicates: 'reject' }, slow(300), twice)
    expect(made.runs).toHaveLength(1)
    expect(made.story()).toContain('call-2 → An equal call of it is still running; its result will come by itself.')
    await close(made)
  })

  test('stops the running one with `replace`', async () => {
    const made = await office({ duplicates: 'replace' }, slow(300), twice)
    expect(made.runs.map(({ signal }) => signal.aborted)).toEqual([true, false])
    expect(made.story()).toEqual(expect.arrayContaining(['call-1 → Cancelled.', 'call-2 → done']))
    await close(made)
  })

  test('is not equal when its arguments are others', async () => {
    const made = await office({}, slow(300), [[call('it', { n: 1 }), call('it', { n: 2 })], 'Done.'])
    expect(made.runs).toHaveLength(2)
    await close(made)
  })
})

describe('a caller who talks over the words beside a call', () => {
  const interrupted = async (traits: Partial<ToolOptions>, answer: Said = 'Yes?', ms = 3_000) => {
    const lines = [['A moment please, I am looking.', call('it')], answer, 'Here it is.']
    const made = await office(traits, slow(ms), lines as Said[], { speaks: true, until: 500 })
    made.session.text('hello?')
    await made.clock.advance(6_000)
    return made
  }

  test('does not stop it; the result is recorded and not announced', async () => {
    const made = await interrupted({})
    expect(made.runs[0]?.signal.aborted).toBe(false)
    expect(made.story()).toEqual([
      'user: go',
      'assistant: A',
      'call-1: it',
      'user: hello?',
      'assistant: Yes?',
      'call-1 → done',
    ])
    await close(made)
  })

  test('does not keep it from being announced with `always`', async () => {
    const made = await interrupted({ announce: 'always' })
    expect(made.story().slice(-2)).toEqual(['call-1 → done', 'assistant: Here it is.'])
    await close(made)
  })

  test('stops it with `onInterrupt: cancel`', async () => {
    const made = await interrupted({ onInterrupt: 'cancel' })
    expect(made.runs[0]?.signal.reason).toMatchObject({ name: 'InterruptedError' })
    expect(made.story().filter((line) => line.includes('→'))).toHaveLength(1)
    expect(of(made.events, 'error')).toEqual([])
    await close(made)
  })
})

test('a result that is never to be announced asks for no reply', async () => {
  const made = await office({ announce: 'never' }, () => 'noted', [[call('it')], 'Never said.'])
  expect(made.story()).toEqual(['user: go', 'call-1: it', 'call-1 → noted'])
  await close(made)
})

describe('progress', () => {
  test('T-16: the first answers the call, the result comes as news', async () => {
    const made = await office(
      {},
      async (run, { clock }) => {
        await clock.sleep(400)
        run.update('started')
        await clock.sleep(4_000)
        return 'finished'
      },
      [['Checking.', call('it')], 'It has started.', 'It is finished.'],
      { speaks: true, until: 8_000 },
    )
    expect(made.story()).toEqual([
      'user: go',
      'assistant: Checking.',
      'call-1: it',
      'call-1 → started',
      'assistant: It has started.',
      'call-1 → finished',
      'assistant: It is finished.',
    ])
    const shown = made.llm.requests[2]?.messages.filter(({ role }) => role === 'call' || role === 'output')
    expect(shown).toMatchObject([
      { role: 'call', call: 'call-1' },
      { role: 'output', call: 'call-1', text: 'started' },
      { role: 'call', call: 'call-1_2' },
      { role: 'output', call: 'call-1_2', text: 'finished' },
    ])
    expect(of(made.events, 'call-end')).toMatchObject([{ status: 'done', output: 'finished' }])
    await close(made)
  })

  test('T-19: that comes faster than it can be told is told together, and nothing twice', async () => {
    const made = await office(
      {},
      async (run, { clock }) => {
        run.update('one')
        await clock.sleep(1_000)
        run.update('two')
        await clock.sleep(1_000)
        return 'three'
      },
      [['Checking for quite a while, I fear.', call('it')], 'One.', 'Two and three.', 'Never said.'],
      { speaks: true, until: 10_000 },
    )
    const said = made.session.history.flatMap((item) => (item.type === 'assistant' ? [item.text] : []))
    expect(said).toEqual(['Checking for quite a while, I fear.', 'One.', 'Two and three.'])
    expect(made.story().filter((line) => line.includes('→'))).toEqual([
      'call-1 → one',
      'call-1 → two',
      'call-1 → three',
    ])
    await close(made)
  })

  test('T-28: nothing more is told when nothing is returned after it', async () => {
    const made = await office(
      {},
      async (run, { clock }) => {
        run.update('one')
        await clock.sleep(1_000)
      },
      [[call('it')], 'One.', 'Never said.'],
      { until: 3_000 },
    )
    expect(made.story().at(-1)).not.toContain('Never said')
    expect(of(made.events, 'call-end')).toMatchObject([{ status: 'done', output: '' }])
    await close(made)
  })

  test('is nobody’s once the call has ended', async () => {
    const made = await office({}, () => 'done', [[call('it')], 'Done.'])
    made.runs[0]?.update('too late')
    await settle()
    expect(made.story().join()).not.toContain('too late')
    await close(made)
  })
})

test('a repeated call has a key of its own; that of a call stays the same', async () => {
  const made = await office({}, () => 'done', [[call('it')], [call('it')], 'Done.'])
  expect(made.runs.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['test/call-1', 'test/call-2'])
  await close(made)
})

describe('tools that a reply may do without', () => {
  const root = (enter?: 'hidden') =>
    agent({
      name: 'office',
      instructions: 'Work.',
      greet: false,
      tools: {
        it: tool({ description: 'It.', execute: () => 'done' }),
        that: tool({ description: 'That.', execute: () => 'done' }),
      },
      ...(enter && { enter: ({ session }) => void session.generateReply({ withoutTools: ['it'] }) }),
    })
  const offered = ({ llm }: World) => llm.requests.map(({ tools }) => tools.map(({ name }) => name))

  test('T-28: are hidden on entering, and from what follows from their like; later replies have them', async () => {
    const made = world(root('hidden'), [[call('that')], 'Welcome.', 'Yes?'])
    await made.clock.advance(1_000)
    made.session.text('hello')
    await made.clock.advance(1_000)
    expect(offered(made)).toEqual([['that'], ['that'], ['it', 'that']])
    await made.session.close()
  })

  test('are unknown to it', async () => {
    const made = world(root('hidden'), [[call('it')], 'Welcome.'])
    await made.clock.advance(1_000)
    expect(made.session.history.find(({ type }) => type === 'output')).toMatchObject({
      text: 'Unknown tool "it". Available tools: that.',
    })
    await made.session.close()
  })

  test('have to be tools of the agent', async () => {
    const made = world(root(), [])
    expect(() => made.session.generateReply({ withoutTools: ['its'] })).toThrow(
      'generateReply: agent "office" has no tool "its" to do without; its tools: it, that',
    )
    expect(() => made.session.generateReply({ withoutTools: 'it' as never })).toThrow('must be a list of texts')
    await made.session.close()
  })
})
