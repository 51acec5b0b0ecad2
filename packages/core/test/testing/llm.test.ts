import { describe, expect, test } from 'vitest'
import type { GenerateRequest, LLM, LLMPart } from '../../src/index.js'
import { flush, scriptedLLM, toolCall, VirtualClock } from '../../src/testing/index.js'

const ask = (...messages: GenerateRequest['messages']): GenerateRequest => ({
  instructions: 'You are A.',
  messages,
  tools: [],
  toolChoice: 'auto',
})
const user = (text: string) => ({ role: 'user', text }) as const
const output = (name: string, text: string) =>
  ({ role: 'output', call: 'c', name, text, error: false, running: false }) as const

/** What comes when, and how it ends. */
async function listen(
  clock: VirtualClock,
  llm: LLM,
  request = ask(),
  signal = new AbortController().signal,
  wait = 60_000,
) {
  const parts: [at: number, part: string][] = []
  let end: string | undefined
  void (async () => {
    try {
      for await (const part of llm.generate(request, { signal })) parts.push([clock.now(), textOf(part)])
      end = `done at ${clock.now()}`
    } catch (error) {
      end = `${(error as Error).message} at ${clock.now()}`
    }
  })()
  await clock.advance(wait)
  return { parts, end }
}

const textOf = (part: LLMPart): string =>
  part.type === 'text' ? part.text : part.type === 'call' ? `${part.name}(${part.args})` : part.type

describe('scriptedLLM', () => {
  test('says its words evenly up to its end, and calls at the end', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM([['one two', toolCall('go', { to: 1 })]], { clock })
    expect(await listen(clock, llm)).toEqual({
      parts: [
        [100, 'one '],
        [200, 'two'],
        [300, 'go({"to":1})'],
        [300, 'usage'],
      ],
      end: 'done at 300',
    })
  })

  test('speaks word by word at its own pace', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM([{ text: 'a b c', firstToken: 900, perWord: 100 }], { clock })
    const { parts, end } = await listen(clock, llm)
    expect(parts.map(([at]) => at)).toEqual([900, 1_000, 1_100, 1_200])
    expect(end).toBe('done at 1200')
  })

  test('takes the first word’s time for a call without words, where it speaks word by word', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM([toolCall('go')], { clock, firstToken: 300, perWord: 20 })
    expect((await listen(clock, llm)).parts[0]).toEqual([300, 'go({})'])
  })

  test('gives parts in an order of their own', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM([{ parts: ['First.', flush, 'Second.'], usage: null }], { clock })
    expect((await listen(clock, llm)).parts.map(([, part]) => part)).toEqual(['First.', 'flush', 'Second.'])
  })

  test('says its lines in order, and fails when there are no more', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM(['one', 'two'], { clock })
    expect((await listen(clock, llm, ask(user('a')))).parts[0]?.[1]).toBe('one')
    expect((await listen(clock, llm, ask(user('a'), user('b')))).parts[0]?.[1]).toBe('two')
    expect(llm.left).toBe(0)
    const { end } = await listen(clock, llm, ask(user('a'), user('b'), user('c')))
    expect(end).toContain('has no answer for its request 3 (told to be "You are A."; last message: user "c")')
    expect(llm.problems).toHaveLength(1)
  })

  test('says a line again when the same point is asked about with other last words', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM(['one', 'two'], { clock })
    const said = async (...messages: GenerateRequest['messages']) =>
      (await listen(clock, llm, ask(...messages))).parts[0]?.[1]
    expect(await said(user('I want'))).toBe('one')
    expect(await said(user('I want a pizza'))).toBe('one')
    expect(await said(user('I want a pizza'), user('now'))).toBe('two')
  })

  test('goes on to the next line after one that failed', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM([{ error: 'overloaded' }, 'fine'], { clock })
    expect((await listen(clock, llm)).end).toBe('overloaded at 100')
    expect((await listen(clock, llm)).parts[0]?.[1]).toBe('fine')
    expect(llm.requests.map(({ outcome }) => outcome)).toEqual(['failed', 'done'])
  })

  test('answers by rules before its lines, as often as they apply', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM(
      [
        'line',
        { when: { user: /order/i }, times: 1, calls: toolCall('order') },
        { when: { outputOf: 'order', output: 'ok' }, text: 'ordered' },
        { when: ({ toolChoice }) => toolChoice === 'none', text: 'none' },
      ],
      { clock },
    )
    const said = async (request: GenerateRequest) => (await listen(clock, llm, request)).parts[0]?.[1]
    expect(await said(ask(user('Order it')))).toBe('order({})')
    expect(await said(ask(user('Order it'), output('order', 'ok')))).toBe('ordered')
    expect(await said(ask(user('Order it')))).toBe('line')
    expect(await said({ ...ask(user('x')), toolChoice: 'none' })).toBe('none')
    expect(llm.requests.map(({ entry }) => entry)).toEqual([1, 2, 0, 3])
  })

  test('answers as a function of the request', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM(({ messages }, { count, at }) => `${messages.length} ${count} ${at}`, { clock })
    await clock.advance(50)
    expect((await listen(clock, llm, ask(user('a')))).parts.map(([, part]) => part)).toEqual([
      '1 ',
      '0 ',
      '50',
      'usage',
    ])
  })

  test('fails after some words', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM([{ text: 'one two three', error: new Error('gone'), errorAfter: 2, perWord: 100 }], {
      clock,
    })
    const { parts, end } = await listen(clock, llm)
    expect(parts.map(([, part]) => part)).toEqual(['one ', 'two '])
    expect(end).toBe('gone at 300')
    expect(llm.requests[0]).toMatchObject({ outcome: 'failed', said: 'one two ', end: 300 })
  })

  test('goes silent until it is told to stop', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM([{ text: 'one two', stall: 1 }], { clock })
    const controller = new AbortController()
    clock.at(5_000, () => controller.abort(new Error('enough')))
    const { parts, end } = await listen(clock, llm, ask(), controller.signal)
    expect(parts.map(([, part]) => part)).toEqual(['one '])
    expect(end).toBe('enough at 5000')
    expect(llm.requests[0]?.outcome).toBe('aborted')
    expect(clock.openTimers).toBe(0)
  })

  test('goes on after it was told to stop, where the script says so', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM([{ text: 'one two', ignoresSignal: true }], { clock })
    const controller = new AbortController()
    clock.at(50, () => controller.abort())
    expect((await listen(clock, llm, ask(), controller.signal)).parts).toHaveLength(3)
  })

  test('tells what it used', async () => {
    const clock = new VirtualClock()
    const llm = scriptedLLM([{ text: 'Hello there.', usage: { inputTokens: 900, outputTokens: 12 } }], { clock })
    const parts: LLMPart[] = []
    void (async () => {
      for await (const part of llm.generate(ask(), { signal: new AbortController().signal })) parts.push(part)
    })()
    await clock.advance(1_000)
    expect(parts.at(-1)).toEqual({ type: 'usage', inputTokens: 900, outputTokens: 12 })
  })

  test('refuses a script that is none', () => {
    expect(() => scriptedLLM('Hello' as never, { clock: new VirtualClock() })).toThrow('a script is a list')
  })
})
