import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, task, tool, UsageError } from '../../src/index.js'
import { call, close, of, type Said, type World, type WorldOptions, world } from './world.js'

/** An agent with a slow tool that can be cancelled and one that cannot. */
function office(lines: readonly Said[], options: WorldOptions = {}) {
  const aborted: unknown[] = []
  const slow = (cancellable: boolean) =>
    tool({
      description: 'Slow.',
      inputSchema: z.object({ what: z.string().optional() }),
      cancellable,
      execute: async (_, { signal }) => {
        signal.addEventListener('abort', () => aborted.push(signal.reason))
        await made.clock.sleep(8_000, signal)
        return 'done'
      },
    })
  const clerk = agent({ instructions: 'Work.', greet: false, tools: { search: slow(true), pay: slow(false) } })
  const made: World = world(clerk, lines, options)
  return { ...made, aborted }
}

const offered = ({ llm }: World, request: number) => llm.requests[request]?.tools.map(({ name }) => name)
const outputs = ({ session }: World) =>
  session.history.flatMap((item) => (item.type === 'output' ? [`${item.call}: ${item.text}`] : []))

describe('the tool that cancels', () => {
  test('is offered while a call runs that can be cancelled, and says which', async () => {
    const made = office([['Let me see.', call('search', { what: 'tables' })], 'Yes?', 'There it is.', 'Yes?'])
    made.session.text('search')
    await made.clock.advance(1_000)
    made.session.text('are you there')
    await made.clock.advance(9_000)
    made.session.text('and now')
    await made.clock.advance(1_000)
    expect([0, 1, 2, 3].map((request) => offered(made, request))).toEqual([
      ['search', 'pay'],
      ['search', 'pay', 'cancel_call'],
      ['search', 'pay'],
      ['search', 'pay'],
    ])
    expect(made.llm.requests[1]?.tools[2]).toMatchObject({
      input: {
        properties: {
          call: { enum: ['call-1'], description: 'Which one: call-1 is search with {"what":"tables"}.' },
        },
      },
    })
    await close(made)
  })

  test('is not offered for what cannot be cancelled, nor to the agent of a task for what runs below it', async () => {
    const ask = task({ name: 'ask', instructions: 'Ask.', result: z.string() })
    const made = office([[call('pay')], 'Yes?'])
    made.session.text('pay')
    await made.clock.advance(1_000)
    made.session.text('are you there')
    await made.clock.advance(1_000)
    expect(offered(made, 1)).toEqual(['search', 'pay'])
    await close(made)

    const below = world(
      agent({
        instructions: 'Work.',
        greet: false,
        tools: { collect: tool({ description: 'It.', cancellable: true, execute: (_, run) => run.task(ask) }) },
      }),
      [['One moment.', call('collect')], 'What is it?'],
    )
    below.session.text('go')
    await below.clock.advance(2_000)
    expect(below.llm.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['collect'], ['finish']])
    await close(below)
  })

  test('aborts the call, and answers when it has ended; both have an output, and one reply tells of it', async () => {
    const made = office([[call('search')], [call('cancel_call', { call: 'call-1' })], 'I have stopped.'])
    made.session.text('search')
    await made.clock.advance(1_000)
    made.session.text('never mind')
    await made.clock.advance(1_000)
    expect(made.aborted).toMatchObject([{ name: 'ToolError', message: 'The caller does not want it any more.' }])
    expect(outputs(made)).toEqual(['call-1: Cancelled.', 'call-2: Cancelled search.'])
    expect(of(made.events, 'call-end')).toMatchObject([{ status: 'cancelled' }, { status: 'done' }])
    expect(of(made.events, 'error')).toEqual([])
    expect(made.session.history.at(-1)).toMatchObject({ type: 'assistant', text: 'I have stopped.' })
    expect(made.llm.requests).toHaveLength(3)
    await close(made)
  })

  test('takes the name of the tool, where that says which', async () => {
    const made = office([
      [call('search', { what: 'a' }), call('search', { what: 'b' })],
      [call('cancel_call', { call: 'search' })],
      [call('cancel_call', { call: 'call-2' })],
      [call('cancel_call', { call: 'search' })],
    ])
    made.session.text('search')
    await made.clock.advance(1_000)
    made.session.text('never mind')
    await made.clock.advance(1_000)
    expect(outputs(made)).toEqual([
      'call-3: Several calls of "search" run: say which. There are call-1 (search), call-2 (search).',
      'call-2: Cancelled.',
      'call-4: Cancelled search.',
      'call-1: Cancelled.',
      'call-5: Cancelled search.',
    ])
    await close(made)
  })

  test('says so when there is nothing of that kind', async () => {
    const made = office([[call('pay')], [call('cancel_call', { call: 'pay' })], 'It cannot be stopped.'])
    made.session.text('pay')
    await made.clock.advance(1_000)
    made.session.text('stop it')
    await made.clock.advance(1_000)
    expect(outputs(made)).toEqual(['call-2: No call "pay" runs that can be cancelled. There are none.'])
    await close(made)
  })

  test('does not wait for ever for a call that ignores its signal', async () => {
    const deaf = tool({ description: 'Deaf.', cancellable: true, execute: () => new Promise(() => {}) })
    const made = world(agent({ instructions: 'Work.', greet: false, tools: { deaf } }), [
      [call('deaf')],
      [call('cancel_call', { call: 'deaf' })],
      'Well.',
    ])
    made.session.text('go')
    await made.clock.advance(1_000)
    made.session.text('stop')
    await made.clock.advance(3_000)
    expect(outputs(made)).toEqual(['call-1: Cancelled.', 'call-2: Cancelled deaf.'])
    expect(made.session.history.at(-1)).toMatchObject({ text: 'Well.' })
    await close(made)
  })

  test('is the only one of its name', () => {
    const own = tool({ description: 'X', execute: () => 1 })
    expect(() => agent({ instructions: 'X', tools: { cancel_call: own } })).toThrow(UsageError)
  })
})
