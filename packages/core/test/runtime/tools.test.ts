import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Agent,
  type AgentOptions,
  agent,
  handoff,
  type LLMPart,
  type RunContext,
  StopResponse,
  ToolError,
  type ToolResult,
  tool,
  UsageError,
} from '../../src/index.js'
import { call, of, type Said, world } from './world.js'

const clerk = (tools: AgentOptions['tools']): Agent =>
  agent({ name: 'clerk', instructions: 'You are a clerk.', greet: false, ...(tools && { tools }) })

/** What a model is told of one call, and what the application is told. */
async function told(tools: AgentOptions['tools'], part: LLMPart, then: Said = 'Well.') {
  const { clock, session, llm, events } = world(clerk(tools), [[part], then])
  session.text('go')
  await clock.advance(500)
  const output = session.history.find((item) => item.type === 'output')
  const errors = of(events, 'error')
  await session.close()
  return { output: output?.text, error: output?.error, errors, requests: llm.requests.length, events }
}

const returning = (execute: (run: RunContext) => ToolResult | Promise<ToolResult>) =>
  tool({ description: 'A tool.', execute: (_, run) => execute(run) })

describe('what a model is told of a call', () => {
  test('a value, as JSON; a text as it stands', async () => {
    expect(await told({ it: returning(() => ({ table: 4 })) }, call('it'))).toMatchObject({
      output: '{"table":4}',
      error: false,
      requests: 2,
    })
    expect(await told({ it: returning(() => 'Table four.') }, call('it'))).toMatchObject({
      output: 'Table four.',
      error: false,
    })
    expect(await told({ it: returning(() => null) }, call('it'))).toMatchObject({ output: 'null', requests: 2 })
  })

  test('nothing asks for no reply', async () => {
    expect(await told({ it: returning(() => undefined) }, call('it'))).toMatchObject({
      output: '',
      error: false,
      requests: 1,
    })
  })

  test('who throws StopResponse asks for no reply', async () => {
    const stop = returning(() => {
      throw new StopResponse()
    })
    expect(await told({ it: stop }, call('it'))).toMatchObject({ output: '', error: false, errors: [], requests: 1 })
  })

  test('the text of a ToolError, and of what extends it', async () => {
    class Closed extends ToolError {
      override readonly name = 'Closed'
    }
    const closed = returning(() => Promise.reject(new Closed('We are closed.')))
    expect(await told({ it: closed }, call('it'))).toMatchObject({
      output: 'We are closed.',
      error: true,
      errors: [],
      requests: 2,
    })
  })

  test('of any other error only that there was one; the application is told the cause', async () => {
    const secret = new Error('password is 1234')
    const outcome = await told({ it: returning(() => Promise.reject(secret)) }, call('it'))
    expect(outcome).toMatchObject({ output: 'An internal error occurred', error: true, requests: 2 })
    expect(outcome.errors).toMatchObject([{ source: 'tool', error: { blame: 'tool' }, cause: secret }])
    expect(JSON.stringify(of(outcome.events, 'call-end'))).not.toContain('1234')
  })

  test.each([
    ['BigInt', () => 10n],
    [
      'a cycle',
      () => {
        const self: { self?: object } = {}
        return Object.assign(self, { self })
      },
    ],
    ['a function', () => () => {}],
    ['a function within', () => ({ f: () => {} })],
    ['a Map', () => new Map([[1, 2]])],
    ['an agent in a list', () => [clerk({}), 'and more']],
  ])('what JSON cannot hold is an error: %s', async (_, execute) => {
    const outcome = await told({ it: returning(execute as () => object) }, call('it'))
    expect(outcome).toMatchObject({ output: 'the tool returned an invalid output', error: true, requests: 2 })
    expect(outcome.errors).toMatchObject([
      { source: 'tool', error: { blame: 'caller', message: expect.stringContaining('tool "it"') } },
    ])
  })

  test('more than one agent is an error', async () => {
    const outcome = await told({ it: returning(() => [clerk({}), clerk({})]) }, call('it'))
    expect(outcome).toMatchObject({ output: 'the tool returned more than one agent', error: true })
  })

  test('an unknown tool: which there are', async () => {
    const outcome = await told({ one: returning(() => 1), two: returning(() => 2) }, call('three'))
    expect(outcome).toMatchObject({
      output: 'Unknown tool "three". Available tools: one, two.',
      error: true,
      errors: [],
      requests: 2,
    })
    expect(await told({}, call('constructor'))).toMatchObject({
      output: 'Unknown tool "constructor". There are no tools.',
    })
  })
})

describe('arguments', () => {
  const order = tool({
    description: 'Orders.',
    inputSchema: z.object({ dish: z.string(), count: z.number().int().default(1) }),
    execute: ({ dish, count }) => `${count} ${dish}`,
  })

  test('are what the schema makes of them', async () => {
    expect(await told({ order }, call('order', { dish: 'soup' }))).toMatchObject({ output: '1 soup', error: false })
  })

  test('that are no JSON are an error that says so', async () => {
    const outcome = await told({ order }, call('order', '{"dish": '))
    expect(outcome).toMatchObject({ error: true, errors: [] })
    expect(outcome.output).toMatch(/^Error parsing the arguments: they are no JSON/)
  })

  test('that do not fit the schema are an error that says where', async () => {
    const outcome = await told({ order }, call('order', { dish: 3, count: 1.5 }))
    expect(outcome.output).toMatch(/^Error parsing the arguments: dish: .*string.*; count: .*int/)
  })

  test('a tool without a schema is given none', async () => {
    const given: unknown[] = []
    const bare = tool({ description: 'Bare.', execute: (input) => void given.push(input) })
    await told({ bare }, call('bare', ''))
    expect(given).toEqual([undefined])
  })
})

describe('what a model is told of its tools', () => {
  test('names, descriptions, schemas; agents and tasks among them', async () => {
    const concierge = agent({ name: 'concierge', description: 'Knows the city.', instructions: 'Help.' })
    const look = tool({ description: 'Looks.', inputSchema: z.object({ at: z.string() }), execute: () => 1 })
    const { clock, session, llm } = world(clerk({ look, concierge, bare: returning(() => 1) }), ['Yes.'])
    session.text('hi')
    await clock.advance(200)
    expect(llm.requests[0]?.tools).toEqual([
      {
        name: 'look',
        description: 'Looks.',
        input: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
      },
      {
        name: 'concierge',
        description: 'Hands the conversation over to "concierge". Knows the city.',
        input: { type: 'object', properties: {}, additionalProperties: false },
      },
      { name: 'bare', description: 'A tool.', input: { type: 'object', properties: {}, additionalProperties: false } },
    ])
    await session.close()
  })
})

describe('a hand-off', () => {
  const concierge = agent({ name: 'concierge', instructions: 'Help.', greet: false })

  test('by an agent among the tools', async () => {
    const { clock, session, events } = world(clerk({ concierge }), [[call('concierge')], 'Welcome.'])
    session.text('the city please')
    await clock.advance(500)
    expect(session.agent).toBe(concierge)
    expect(of(events, 'agent-change').at(-1)).toMatchObject({ from: 'clerk', to: 'concierge', cause: 'handoff' })
    await session.close()
  })

  test('by an agent that a tool returns, with a value or without', async () => {
    expect(await told({ it: returning(() => concierge) }, call('it'))).toMatchObject({ output: '', error: false })
    expect(await told({ it: returning(() => handoff(concierge, { room: 7 })) }, call('it'))).toMatchObject({
      output: '{"room":7}',
      error: false,
    })
  })

  test('to an agent that lacks a model is an error that says which', async () => {
    const { clock, session, events } = world(
      agent({
        instructions: 'x',
        greet: false,
        llm: unheardOf([[call('mute')], 'Sorry.']),
        tools: { mute: concierge },
      }),
      [],
      { llm: undefined as never },
    )
    session.text('hi')
    await clock.advance(500)
    expect(of(events, 'error')).toMatchObject([
      {
        source: 'tool',
        error: { blame: 'caller', message: expect.stringContaining('"concierge" has no language model') },
      },
    ])
    await session.close()
  })
})

/** A model that needs no clock. */
function unheardOf(lines: readonly (readonly (LLMPart | string)[] | string)[]) {
  const left = [...lines]
  return {
    name: 'own model',
    async *generate() {
      const line = left.shift() ?? ''
      for (const part of typeof line === 'string' ? [line] : line)
        yield typeof part === 'string' ? { type: 'text' as const, text: part } : part
    },
  }
}

describe('the run that a tool is given', () => {
  async function within(execute: (run: RunContext) => unknown, { speaks = true, lines = [] as Said[] } = {}) {
    const it = tool({ description: 'It.', execute: (_, run) => execute(run) as ToolResult })
    const made = world(clerk({ it }), [['One moment please.', call('it')], 'Done.', ...lines], { speaks })
    made.session.text('go')
    await made.clock.advance(10_000)
    return made
  }

  test('names the call, the session and the speech; its functions can be taken out of it', async () => {
    const seen: unknown[] = []
    const { session } = await within(
      ({ callId, idempotencyKey, userData, session: its, signal, waitForPlayout, speech }) => {
        seen.push(callId, idempotencyKey, userData, signal.aborted, speech.interrupted)
        return waitForPlayout().then(({ interrupted }) => {
          seen.push(interrupted, its.history.at(-1)?.type)
        })
      },
    )
    expect(seen).toEqual(['call-1', 'test/call-1', undefined, false, false, false, 'call'])
    await session.close()
  })

  test('waits for the words beside the call, and no longer', async () => {
    const times: number[] = []
    const { session } = await within(async (run) => {
      await run.waitForPlayout()
      times.push(timeOf(run))
    })
    expect(times).toEqual([1_900])
    await session.close()
  })

  test('cannot wait for the speech that waits for it: that throws at once', async () => {
    const caught: unknown[] = []
    const { session } = await within(async (run) => {
      try {
        await run.speech.done
      } catch (error) {
        caught.push(error, timeOf(run))
      }
      return (await run.speech.playedOut).interrupted
    })
    expect(caught).toMatchObject([
      { name: 'UsageError', message: expect.stringContaining('run.waitForPlayout()') },
      100,
    ])
    expect(session.history.find(({ type }) => type === 'output')).toMatchObject({ text: 'false' })
    await session.close()
  })

  test('may wait for that speech after it has reported progress', async () => {
    const done: unknown[] = []
    const { session } = await within(async (run) => {
      run.update('still at it')
      done.push(await run.speech.done)
    })
    expect(done).toEqual([{ heard: 'One moment please. Done.', interrupted: false }])
    await session.close()
  })

  test('may wait for what it says itself', async () => {
    const done: unknown[] = []
    const { session } = await within(async (run) => {
      done.push(await run.session.say('Hold on.').done)
    })
    expect(done).toEqual([{ heard: 'Hold on.', interrupted: false }])
    await session.close()
  })

  test('protects its speech, unless it was interrupted already', async () => {
    const caught: unknown[] = []
    const { session } = await within(async (run) => {
      run.disallowInterruptions()
      caught.push(run.speech.allowInterruptions)
      run.speech.allowInterruptions = true
      run.session.interrupt()
      try {
        run.disallowInterruptions()
      } catch (error) {
        caught.push(error)
      }
    })
    expect(caught).toMatchObject([false, { name: 'InterruptedError' }])
    await session.close()
  })

  test('a finished call is not aborted by the close', async () => {
    let signal: AbortSignal | undefined
    const { session } = await within((run) => {
      signal = run.signal
    })
    await session.close()
    expect(signal?.aborted).toBe(false)
  })

  test('an update without words is an error of the caller', async () => {
    const { session, events } = await within((run) => run.update(' '))
    expect(of(events, 'error')).toMatchObject([
      { error: { blame: 'caller', message: expect.stringContaining('run.update') } },
    ])
    await session.close()
  })

  test('a tool that is told to stop, and does, is no error', async () => {
    const { clock, session, events } = world(
      clerk({ wait: tool({ description: 'Waits.', execute: (_, { signal }) => clock.sleep(60_000, signal) }) }),
      [[call('wait')]],
    )
    session.text('go')
    await clock.advance(1_000)
    const closed = session.close()
    await clock.advance(10_000)
    await closed
    expect(of(events, 'error')).toEqual([])
    expect(session.history.at(-1)).toMatchObject({ type: 'output', error: true })
  })
})

/** When the last input came in. */
const timeOf = (run: RunContext): number => run.session.log.at(-1)?.at ?? -1

test('calls with the same arguments are the same work, however they are written', async () => {
  let runs = 0
  const slow = tool({
    description: 'Slow.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: () => {
      runs += 1
      return made.clock.sleep(100).then(() => 'done')
    },
  })
  const made = world(clerk({ slow }), [[call('slow', '{"a":1,"b":2}'), call('slow', '{ "b": 2.0, "a": 1 }')], 'Done.'])
  made.session.text('go')
  await made.clock.advance(1_000)
  expect(runs).toBe(1)
  expect(made.session.history.filter(({ type }) => type === 'output')).toMatchObject([
    { text: 'done' },
    { text: 'done' },
  ])
  await made.session.close()
})

test('a call keeps the id of the provider, if it is new', async () => {
  const { clock, session } = world(clerk({ it: returning(() => 1) }), [
    [call('it', {}, 'abc'), call('it', { again: true }, 'abc')],
    'Done.',
  ])
  session.text('go')
  await clock.advance(1_000)
  expect(session.history.filter(({ type }) => type === 'call').map(({ id }) => id)).toEqual(['abc', 'call-1'])
  await session.close()
})

describe('a tool that is none', () => {
  const fails = (make: () => unknown, message: RegExp) => {
    expect(make).toThrow(UsageError)
    expect(make).toThrow(message)
  }

  test('says what is missing, or wrong', () => {
    const execute = () => 1
    fails(() => tool({ execute } as never), /needs a `description`/)
    fails(() => tool({ description: 'X' } as never), /the tool "X" needs a function `execute`/)
    fails(
      () => tool({ description: 'X', execute, inputSchema: {} } as never),
      /the tool "X".inputSchema must be a schema with Standard Schema/,
    )
    fails(() => tool({ description: 'X', execute, inputSchema: z.string() }), /must describe an object.*"string"/)
    fails(
      () => tool({ description: 'X', execute, inputSchema: z.object({ at: z.date() }) }),
      /has no JSON Schema.*Date/,
    )
    fails(
      () => tool({ description: 'X', execute, timeout: 0 }),
      /timeout must be a number of milliseconds above 0; it is 0/,
    )
    fails(() => tool({ description: 'X', execute, parameters: {} } as never), /has no "parameters"/)
    fails(() => clerk({ it: { description: 'X', execute } as never }), /neither a tool nor an agent/)
    fails(() => clerk({ 'two words': returning(() => 1) }), /letters, digits, _ and -/)
  })
})
