import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type AgentOptions,
  agent,
  type RunContext,
  StopResponse,
  type Tools,
  task,
  tool,
  UsageError,
} from '../../src/index.js'
import { call, of, type Said, settle, world } from './world.js'

const email = (tools: Tools = {}) =>
  task({ name: 'email', instructions: 'Ask for the e-mail address.', result: z.object({ email: z.email() }), tools })

const desk = (execute: (run: RunContext) => unknown, more: Partial<AgentOptions> = {}) => {
  const register = tool({ description: 'Registers.', execute: (_, run) => execute(run) as Promise<string> })
  return agent({
    name: 'desk',
    instructions: 'You are the desk.',
    greet: false,
    ...more,
    tools: { register, ...more.tools },
  })
}

async function conversation(
  execute: (run: RunContext) => unknown,
  lines: readonly Said[],
  more: Partial<AgentOptions> = {},
) {
  const made = world(desk(execute, more), [[call('register')], ...lines])
  const { clock, session } = made
  session.text('register me')
  await clock.advance(500)
  const answer = async (text: string) => {
    session.text(text)
    await clock.advance(500)
  }
  const output = () => session.history.filter((item) => item.type === 'output').at(-1)
  return { ...made, answer, output }
}

describe('a task that a tool awaits', () => {
  test('holds the conversation until its model finishes it, and returns the checked value', async () => {
    const { session, events, llm, answer, output } = await conversation(
      async (run) => `Registered ${(await run.task(email())).email}.`,
      ['Your address?', [call('finish', { email: 'ann@example.com' })], 'Done.'],
    )
    expect(session.agent.name).toBe('email')
    await answer('ann@example.com')
    expect(session.agent.name).toBe('desk')
    expect(output()).toMatchObject({ text: 'Registered ann@example.com.', error: false })
    expect(session.history.at(-1)).toMatchObject({ text: 'Done.' })
    expect(of(events, 'task-end')).toMatchObject([{ agent: 'email', outcome: 'done' }])
    expect(llm.requests[1]?.tools.map(({ name }) => name)).toEqual(['finish'])
    expect(llm.requests[1]?.tools[0]?.input).toMatchObject({ type: 'object', required: ['email'] })
    await session.close()
  })

  test('goes on when its model finishes it with what the schema refuses, and says why', async () => {
    const { session, llm, answer, output } = await conversation(
      async (run) => (await run.task(email())).email,
      [
        'Your address?',
        [call('finish', { email: 'nonsense' })],
        'Again, please?',
        [call('finish', { email: 'ann@example.com' })],
        'Done.',
      ],
    )
    await answer('nonsense')
    expect(session.agent.name).toBe('email')
    expect(llm.requests.at(-1)?.messages.at(-1)).toMatchObject({
      role: 'output',
      text: expect.stringMatching(/^The result was refused: email: /),
      error: true,
    })
    await answer('ann@example.com')
    expect(output()).toMatchObject({ text: 'ann@example.com', error: false })
    await session.close()
  })

  test('may have a result that is no object', async () => {
    const age = task({ instructions: 'Ask for the age.', result: z.number().int() })
    const { session, llm, answer, output } = await conversation(
      async (run) => await run.task(age),
      ['Your age?', [call('finish', { value: 42 })], 'Done.'],
    )
    expect(llm.requests[1]?.tools[0]?.input).toMatchObject({
      type: 'object',
      properties: { value: { type: 'integer' } },
      required: ['value'],
    })
    await answer('42')
    expect(output()).toMatchObject({ text: '42' })
    await session.close()
  })

  test('is ended by a tool of its own: with a value that is checked', async () => {
    const caught: unknown[] = []
    const save = tool({
      description: 'Saves.',
      inputSchema: z.object({ email: z.string() }),
      async execute(value, run) {
        await run.finish({ email: 'no address' }).catch((error: unknown) => caught.push(error))
        await run.finish(value)
        await run.finish(value).catch((error: unknown) => caught.push(error))
      },
    })
    const { session, answer, output } = await conversation(
      async (run) => (await run.task(email({ save }))).email,
      ['Your address?', [call('save', { email: 'ann@example.com' })], 'Done.'],
    )
    await answer('ann@example.com')
    expect(caught).toMatchObject([
      { name: 'ToolError', message: expect.stringMatching(/^The result was refused/) },
      { name: 'ToolError', message: 'The task has ended already.' },
    ])
    expect(output()).toMatchObject({ text: 'ann@example.com' })
    await session.close()
  })

  test('is ended by a tool of its own: with an error, which is thrown where it is awaited', async () => {
    const failing = new RangeError('nobody home')
    const giveUp = tool({ description: 'Gives up.', execute: (_, run) => run.fail(failing) })
    let caught: unknown
    const { session, answer, events } = await conversation(
      async (run) => {
        try {
          await run.task(email({ giveUp }))
        } catch (error) {
          caught = error
        }
        return 'Sorry.'
      },
      ['Your address?', [call('giveUp')], 'Done.'],
    )
    await answer('no')
    expect(caught).toBe(failing)
    expect(of(events, 'task-end')).toMatchObject([{ outcome: 'failed' }])
    await session.close()
  })

  test('can be cancelled by whoever awaits it', async () => {
    const controller = new AbortController()
    const { clock, session, output } = await conversation(
      (run) => run.task(email(), { signal: controller.signal }),
      ['Your address?', 'Never mind.'],
    )
    controller.abort(new Error('the office closes'))
    await clock.advance(500)
    expect(session.agent.name).toBe('desk')
    expect(output()).toMatchObject({ text: 'the office closes', error: true })
    await session.close()
  })

  test('is cancelled when the conversation is given to somebody else', async () => {
    const { clock, session, output } = await conversation((run) => run.task(email()), ['Your address?'])
    session.updateAgent(agent({ name: 'other', instructions: 'Hi.', greet: false }))
    await clock.advance(500)
    expect(session.agent.name).toBe('other')
    expect(output()).toMatchObject({ error: true })
    await session.close()
  })

  test('ends with SessionClosed when the session does', async () => {
    let caught: unknown
    const { session } = await conversation(
      (run) =>
        run.task(email()).catch((error: unknown) => {
          caught = error
        }),
      ['Your address?'],
    )
    await session.close()
    expect(caught).toMatchObject({ name: 'SessionClosed' })
  })

  test('that nobody awaits any more rejects without a word', async () => {
    const { session, events } = await conversation(
      (run) => {
        void run.task(email())
        return 'Later.'
      },
      ['Your address?'],
    )
    await session.close()
    await settle()
    expect(of(events, 'error')).toEqual([])
  })

  test('among the tools, or returned by one, is run as one, and its result told', async () => {
    const ask = tool({ description: 'Asks.', execute: () => email() })
    for (const tools of [{ ask: email() }, { ask }]) {
      const lines = [[call('ask')], 'Your address?', [call('finish', { email: 'ann@example.com' })], 'Done.']
      const { clock, session } = world(agent({ instructions: 'x', greet: false, tools }), lines)
      session.text('go')
      await clock.advance(500)
      session.text('ann@example.com')
      await clock.advance(500)
      const outputs = session.history.filter(({ type }) => type === 'output')
      expect(outputs.at(-1)).toMatchObject({ text: '{"email":"ann@example.com"}', error: false })
      await session.close()
    }
  })

  test('cannot be what is no task, nor an agent that lacks a model', async () => {
    let caught: unknown
    const { session } = await conversation(
      (run) =>
        run.task(agent({ instructions: 'x' }) as never).catch((error: unknown) => {
          caught = error
        }),
      [],
    )
    expect(caught).toBeInstanceOf(UsageError)
    await session.close()
  })

  test('is over when its agent hands the conversation to another', async () => {
    const specialist = agent({ name: 'specialist', instructions: 'Ask again.', greet: false })
    const { session, answer, output } = await conversation(
      async (run) => (await run.task(email({ specialist }))).email,
      ['Your address?', [call('specialist')]],
    )
    await answer('I want a specialist')
    expect(session.agent).toBe(specialist)
    expect(output()).toMatchObject({ error: true })
    await session.close()
  })
})

describe('hooks', () => {
  const greeting = 'Good evening.'

  test('enter and exit run with the agent, and may speak', async () => {
    const seen: string[] = []
    const host = agent({
      name: 'host',
      instructions: 'x',
      enter: ({ session }) => {
        seen.push('enter')
        session.say(greeting)
      },
      exit: () => {
        seen.push('exit')
      },
    })
    const { clock, session } = world(host, [])
    await clock.advance(100)
    session.updateAgent(agent({ instructions: 'y', greet: false }))
    await clock.advance(100)
    expect(seen).toEqual(['enter', 'exit'])
    expect(session.history.find(({ type }) => type === 'assistant')).toMatchObject({ text: greeting })
    await session.close()
  })

  test('enter may await a task', async () => {
    let result: unknown
    const host = agent({
      instructions: 'x',
      enter: async (run) => {
        result = await run.task(email())
      },
    })
    const { clock, session } = world(host, ['Your address?', [call('finish', { email: 'ann@example.com' })]])
    await clock.advance(500)
    session.text('ann@example.com')
    await clock.advance(500)
    expect(result).toEqual({ email: 'ann@example.com' })
    await session.close()
  })

  test('enter may end the task that it enters', async () => {
    const known = task({ name: 'known', instructions: 'Ask.', result: z.string(), enter: (run) => run.finish('ada') })
    const unknown = task({
      name: 'unknown',
      instructions: 'Ask.',
      result: z.string(),
      enter: (run) => run.fail('gone'),
    })
    const ask = (wanted: typeof known) => tool({ description: 'Asks.', execute: (_, run) => run.task(wanted) })
    const root = agent({ instructions: 'X', greet: false, tools: { known: ask(known), unknown: ask(unknown) } })
    const { clock, session } = world(root, [[call('known'), call('unknown')], 'So be it.'])
    session.text('go')
    await clock.advance(1_000)
    expect(session.history.filter(({ type }) => type === 'output')).toMatchObject([
      { text: 'ada', error: false },
      { text: 'gone', error: true },
    ])
    await session.close()
  })

  test('exit may not await a task: that throws, and the session goes on', async () => {
    const host = agent({ instructions: 'x', greet: false, exit: async (run) => void (await run.task(email())) })
    const next = agent({ name: 'next', instructions: 'y', greet: false })
    const { clock, session, events } = world(host, [])
    await clock.advance(0)
    session.updateAgent(next)
    await clock.advance(500)
    expect(of(events, 'error')).toMatchObject([
      { source: 'hook', error: { blame: 'caller', message: expect.stringContaining('not in other hooks') } },
    ])
    expect(session.agent).toBe(next)
    await session.close()
  })

  test('userTurn may edit what was said', async () => {
    const host = agent({
      instructions: 'x',
      greet: false,
      userTurn: (turn) => {
        turn.text = turn.text.replaceAll(/\d/g, '*')
      },
    })
    const { clock, session, llm } = world(host, ['Yes.'], { hears: true, turnDetection: 'manual' })
    await speakTurn(clock, session, 'my pin is 1234')
    expect(session.history[1]).toMatchObject({ type: 'user', text: 'my pin is ****' })
    expect(llm.requests[0]?.messages).toEqual([{ role: 'user', text: 'my pin is ****' }])
    await session.close()
  })

  test('userTurn may stop the reply; the words stay on record', async () => {
    const host = agent({
      instructions: 'x',
      greet: false,
      userTurn: () => {
        throw new StopResponse()
      },
    })
    const { clock, session, llm, events } = world(host, ['Yes.'])
    await speakTurn(clock, session, 'do not answer')
    expect(session.history[1]).toMatchObject({ type: 'user', text: 'do not answer' })
    expect(llm.requests).toHaveLength(0)
    expect(of(events, 'error')).toEqual([])
    await session.close()
  })

  test('userTurn that throws loses no word, and is an error', async () => {
    const host = agent({
      instructions: 'x',
      greet: false,
      userTurn: () => {
        throw new Error('clumsy')
      },
    })
    const { clock, session, events } = world(host, [])
    await speakTurn(clock, session, 'hear me')
    expect(session.history[1]).toMatchObject({ type: 'user', text: 'hear me' })
    expect(of(events, 'error')).toMatchObject([{ source: 'hook', error: { blame: 'caller', message: 'clumsy' } }])
    await session.close()
  })

  async function speakTurn(
    clock: { advance(ms: number): Promise<void> },
    session: { text(text: string): void },
    text: string,
  ) {
    session.text(text)
    await clock.advance(500)
  }
})
