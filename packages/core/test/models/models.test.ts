import { describe, expect, test } from 'vitest'
import {
  fallback,
  type LLM,
  type LLMPart,
  ProviderError,
  retry,
  type STT,
  type TTS,
  UsageError,
} from '../../src/index.js'
import { settle, TestClock } from '../runtime/world.js'

type Turn = Error | 'hang' | readonly (string | Error)[]

const clock = new TestClock()
const request = { instructions: '', messages: [], tools: [], toolChoice: 'auto' } as const

/** A model that answers, fails or hangs as it is told to, turn by turn. */
function model(name: string, turns: Turn[]): LLM & { readonly asked: () => number; readonly stopped: () => number } {
  let asked = 0
  let stopped = 0
  return {
    name,
    asked: () => asked,
    stopped: () => stopped,
    async *generate(_, { signal }): AsyncGenerator<LLMPart> {
      const turn = turns[asked++] ?? []
      signal.addEventListener('abort', () => stopped++)
      if (turn === 'hang') await new Promise(() => {})
      if (turn instanceof Error) throw turn
      for (const part of turn as readonly (string | Error)[]) {
        if (part instanceof Error) throw part
        yield { type: 'text', text: part }
      }
    },
  }
}

async function answerOf(llm: LLM, signal = new AbortController().signal): Promise<string> {
  let text = ''
  for await (const part of llm.generate(request, { signal })) if (part.type === 'text') text += part.text
  return text
}

const busy = new ProviderError('busy', { retryable: true })
const wrong = new ProviderError('wrong key', { retryable: false })

describe('retry', () => {
  test('asks again what failed before it had begun, a little later each time', async () => {
    const llm = model('a', [busy, busy, ['Hello', '!']])
    const answer = answerOf(retry(llm, { clock }))
    await clock.advance(199)
    expect(llm.asked()).toBe(1)
    await clock.advance(1)
    expect(llm.asked()).toBe(2)
    await clock.advance(400)
    expect(await answer).toBe('Hello!')
  })

  test('gives up after its attempts, with the last error', async () => {
    const llm = model('a', [busy, busy, busy])
    const answer = answerOf(retry(llm, { clock, attempts: 2, delay: 0 }))
    await expect(answer).rejects.toBe(busy)
    expect(llm.asked()).toBe(2)
  })

  test('does not ask again where that cannot help, nor once something was said', async () => {
    const refusing = model('a', [wrong, ['Hello!']])
    await expect(answerOf(retry(refusing, { clock }))).rejects.toBe(wrong)
    const breaking = model('b', [['Hel', busy], ['Hello!']])
    await expect(answerOf(retry(breaking, { clock }))).rejects.toBe(busy)
    expect([refusing.asked(), breaking.asked()]).toEqual([1, 1])
  })

  test('stops while it waits', async () => {
    const controller = new AbortController()
    const llm = model('a', [busy, ['Hello!']])
    const answer = answerOf(retry(llm, { clock }), controller.signal)
    await clock.advance(100)
    controller.abort()
    expect(await answer).toBe('')
    expect([llm.asked(), clock.timers]).toEqual([1, 0])
  })

  test('gives a voice all of its text again', async () => {
    const heard: string[] = []
    let asked = 0
    const voice: TTS = {
      name: 'v',
      sampleRate: 8_000,
      async *speak(text) {
        const attempt = asked++
        for await (const piece of text) {
          if (attempt === 0) throw busy
          heard.push(piece)
          yield { audio: new Int16Array(8), text: piece }
        }
      },
    }
    const text = (async function* () {
      yield 'One. '
      yield 'Two.'
    })()
    const sound = retry(voice, { clock, delay: 0 }).speak(text, { signal: new AbortController().signal })
    for await (const _ of sound);
    expect(heard).toEqual(['One. ', 'Two.'])
  })

  test('is for models and voices', () => {
    expect(() => retry({ name: 'x' } as never)).toThrow(UsageError)
  })
})

describe('fallback', () => {
  test('asks the next when one has failed, whatever the reason', async () => {
    const first = model('a', [wrong])
    const llm = fallback([first, model('b', [['Hello!']])])
    expect(llm.name).toBe('a, else b')
    expect(await answerOf(llm)).toBe('Hello!')
  })

  test('asks the next when one does not begin in time, and stops the one', async () => {
    const slow = model('a', ['hang'])
    const answer = answerOf(fallback([slow, model('b', [['Hello!']])], { clock, patience: 2_000 }))
    await clock.advance(2_000)
    expect(await answer).toBe('Hello!')
    expect(slow.stopped()).toBe(1)
  })

  test('fails with the last, and says who was too slow', async () => {
    const answer = answerOf(fallback([model('a', [busy]), model('b', ['hang'])], { clock, patience: 500 }))
    answer.catch(() => {})
    await clock.advance(500)
    await expect(answer).rejects.toMatchObject({ message: 'b did not begin to answer within 500 ms', retryable: true })
    expect(clock.timers).toBe(0)
  })

  test('lets voices be heard at the rate of the first', async () => {
    const voice = (name: string, sampleRate: number, fails: boolean): TTS => ({
      name,
      sampleRate,
      async *speak(text) {
        for await (const piece of text) {
          if (fails) throw busy
          yield { audio: new Int16Array(sampleRate), text: piece }
        }
      },
    })
    const both = fallback([voice('a', 24_000, true), voice('b', 16_000, false)])
    const text = (async function* () {
      yield 'One second.'
    })()
    let samples = 0
    for await (const { audio } of both.speak(text, { signal: new AbortController().signal })) samples += audio.length
    expect([both.sampleRate, samples]).toEqual([24_000, 24_000])
  })

  test('opens the next recogniser when the stream of one breaks', async () => {
    const ear = (name: string, broken: boolean): STT => ({
      name,
      sampleRate: 16_000,
      async *transcribe() {
        if (broken) throw busy
        yield { type: 'transcript', text: name, final: true }
      },
    })
    const both = fallback([ear('a', true), ear('b', false)])
    const none = (async function* () {})()
    const listen = async () => {
      const heard: string[] = []
      for await (const said of both.transcribe(none, { signal: new AbortController().signal, segments: none })) {
        if (said.type === 'transcript') heard.push(said.text)
      }
      return heard
    }
    await expect(listen()).rejects.toBe(busy)
    expect(await listen()).toEqual(['b'])
    await settle()
  })

  test('is for several of one kind', () => {
    expect(() => fallback([] as never)).toThrow(UsageError)
    expect(() => fallback([model('a', []), { name: 'v', sampleRate: 8_000, speak: () => [] }] as never)).toThrow(
      UsageError,
    )
  })
})
