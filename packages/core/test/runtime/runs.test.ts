import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, ProviderError, type RunContext, type ToolResult, task, tool } from '../../src/index.js'
import { call, type Said, silent, type World, type WorldOptions, world } from './world.js'

const collect = task({ name: 'collect', instructions: 'Ask.', result: z.object({ email: z.email() }) })

function desk(
  execute: (run: RunContext) => ToolResult | Promise<ToolResult>,
  lines: readonly Said[],
  options: WorldOptions = {},
): World {
  const it = tool({
    description: 'It.',
    inputSchema: z.object({ n: z.number().optional() }),
    execute: (_, run) => execute(run),
  })
  const { tools, ...root } = { name: 'desk', instructions: 'You are the desk.', greet: false, tools: { it } }
  return world(agent({ ...root, tools }), lines, options)
}

/** Runs it, and says when it came to rest. */
async function run({ clock, session }: World, text?: string) {
  let at = -1
  const running = session.run(text).finally(() => {
    at = clock.now()
  })
  running.catch(() => {})
  await clock.advance(20_000)
  return { ...(await running), at }
}

describe('a run', () => {
  test('U-01: rests when its answer was heard', async () => {
    const made = world(silent, ['Hello.'], { speaks: true })
    expect(await run(made, 'hi')).toMatchObject({
      messages: ['Hello.'],
      calls: [],
      handoffs: [],
      output: undefined,
      at: 700,
    })
    await made.session.close()
  })

  test('U-02: rests when a task waits for the caller; what comes of the task belongs to the run in which it comes', async () => {
    const made = desk(
      async (run) => (await run.task(collect)).email,
      [['Sure.', call('it')], 'Which address?', [call('finish', { email: 'ada@example.org' })], 'Noted.'],
    )
    const first = await run(made, 'book me')
    expect(first.items.map(({ type }) => type)).toEqual(['user', 'assistant', 'call', 'agent', 'assistant'])
    expect(first).toMatchObject({
      messages: ['Sure.', 'Which address?'],
      calls: [{ name: 'it', args: {}, output: null, error: false }],
      handoffs: ['collect'],
      output: undefined,
    })
    const second = await run(made, 'ada@example.org')
    expect(second).toMatchObject({
      messages: ['Noted.'],
      calls: [
        { name: 'it', output: 'ada@example.org', error: false },
        { name: 'finish', args: { email: 'ada@example.org' } },
      ],
      handoffs: ['desk'],
      output: { email: 'ada@example.org' },
    })
    await made.session.close()
  })

  test('U-03: does not wait for a tool that has reported progress', async () => {
    const made = desk(
      async (run) => {
        run.update('I am at it.')
        await made.clock.sleep(30_000, run.signal)
        return 'done'
      },
      [['Let me see.', call('it')], 'It takes a while.', 'Done.'],
    )
    expect(await run(made, 'go')).toMatchObject({
      messages: ['Let me see.', 'It takes a while.'],
      calls: [{ name: 'it', output: 'I am at it.' }],
      at: 200,
    })
    await made.clock.advance(20_000)
    expect(made.session.history.at(-1)).toMatchObject({ text: 'Done.' })
    await made.session.close()
  })

  test('tells what a call was given and has come to', async () => {
    const made = desk(
      () => Promise.reject(new Error('secret')),
      [[call('it', { n: 2 }), call('it', '{"n": '), call('that')], 'It went wrong.'],
    )
    expect((await run(made, 'go')).calls).toEqual([
      { name: 'it', args: { n: 2 }, output: 'An internal error occurred', error: true },
      { name: 'it', args: '{"n": ', output: expect.stringContaining('no JSON'), error: true },
      { name: 'that', args: {}, output: expect.stringContaining('Unknown tool "that"'), error: true },
    ])
    await made.session.close()
  })

  test('without a text waits for what goes on: an opening, say', async () => {
    const made = world(agent({ instructions: 'Greet.' }), ['Welcome!'])
    expect(await run(made)).toMatchObject({ messages: ['Welcome!'] })
    await made.session.close()
  })

  test('waits for what enters, and for whoever is handed the conversation', async () => {
    const next = agent({
      name: 'next',
      instructions: 'X',
      enter: async ({ session }) => {
        await made.clock.sleep(1_000)
        session.say('Next here.')
      },
    })
    const made = world(agent({ instructions: 'X', greet: false, tools: { next } }), [[call('next')]])
    expect(await run(made, 'go')).toMatchObject({ messages: ['Next here.'], handoffs: ['next'] })
    await made.session.close()
  })

  test('fails with its last reply', async () => {
    const down = new ProviderError('HTTP 503', { status: 503, retryable: true })
    const made = world(silent, [down, 'Here I am.', (_, signal) => hanging(signal)])
    await expect(run(made, 'hi')).rejects.toBe(down)
    expect(await run(made, 'hi')).toMatchObject({ messages: ['Here I am.'] })
    await expect(run(made, 'hi')).rejects.toMatchObject({
      blame: 'provider',
      message: expect.stringMatching(/in time/),
    })
    await made.session.close()
  })

  test('ends with the session, and cannot begin after it', async () => {
    const made = world(silent, [(_, signal) => hanging(signal)])
    const running = made.session.run('hello')
    await made.clock.advance(100)
    await made.session.close()
    expect(await running).toMatchObject({ items: [{ type: 'user' }], messages: [] })
    await expect(made.session.run('hello')).rejects.toMatchObject({ name: 'SessionClosed' })
  })

  test('is the only one', async () => {
    const made = world(silent, ['Hello.', 'Hello again.'])
    const first = made.session.run('hi')
    await expect(made.session.run('hi')).rejects.toThrow('session.run: a run goes on already; await it before the next')
    await made.clock.advance(1_000)
    expect((await first).messages).toEqual(['Hello.'])
    expect(await run(made, 'hi')).toMatchObject({ messages: ['Hello again.'] })
    await made.session.close()
  })
})

async function* hanging(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}
