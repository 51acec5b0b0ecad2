import { describe, expect, test } from 'vitest'
import {
  fallback,
  type LLM,
  type LLMPart,
  ProviderError,
  retry,
  type Spoken,
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

/** A voice that makes 100 ms of sound for each word until it has said `breaks` of them. It notes what it was asked to say. */
function speaker(name: string, breaks = Number.POSITIVE_INFINITY, tells = true): TTS & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    name,
    asked,
    sampleRate: 8_000,
    async *speak(text): AsyncGenerator<Spoken> {
      let said = 0
      const take = asked.push('') - 1
      for await (const piece of text) {
        asked[take] += piece
        for (const word of piece.match(/\S+\s*/g) ?? []) {
          if (said++ >= breaks) throw busy
          yield { audio: new Int16Array(800), ...(tells && { text: word }) }
        }
      }
    },
  }
}

/** What is heard of a voice that is given `text`, and of which failures the session is told. */
async function soundOf(tts: TTS, ...text: string[]) {
  const failovers: string[] = []
  let ms = 0
  let heard = ''
  const failedOver = ({ from, to }: { from: string; to: string }) => failovers.push(`${from} → ${to}`)
  for await (const spoken of tts.speak(flow(text), { signal: new AbortController().signal, failedOver })) {
    ms += spoken.audio.length / 8
    heard += spoken.text ?? ''
  }
  return { heard, ms, failovers }
}

async function* flow(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
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

  test('asks again a service that is overloaded or broken, and not one that refuses what it is asked', async () => {
    const answer = (status: number) =>
      answerOf(retry(model('a', [ProviderError.fromResponse({ status, statusText: '' }), ['Hello!']]), { delay: 0 }))
    for (const status of [408, 429, 500, 503]) expect(await answer(status)).toBe('Hello!')
    for (const status of [400, 401, 404]) await expect(answer(status)).rejects.toMatchObject({ status })
  })

  test('has the rest said of a text in which the voice broke off', async () => {
    const voice = speaker('v', 2)
    expect(await soundOf(retry(voice, { delay: 0 }), 'One two, three. ', 'Four.')).toMatchObject({
      heard: 'One two, three. Four.',
      ms: 400,
      failovers: ['v → v'],
    })
    expect(voice.asked).toEqual(['One two, three. ', ' three. Four.'])
  })

  test('is for models and voices', () => {
    expect(() => retry({ name: 'x' } as never)).toThrow(UsageError)
    expect(() => retry(model('a', []), { attempts: 0 })).toThrow('attempts must be a whole number, 1 or more; it is 0')
    expect(() => retry(model('a', []), { attempt: 2 } as never)).toThrow('did you mean "attempts"?')
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

  test('tells who has failed, who was asked instead, and why', async () => {
    const told: unknown[] = []
    const llm = fallback([model('a', [busy]), model('b', [wrong]), model('c', [['Hello!']])])
    const running = { signal: new AbortController().signal, failedOver: (failover: unknown) => told.push(failover) }
    for await (const _ of llm.generate(request, running));
    expect(told).toEqual([
      { from: 'a', to: 'b', error: busy },
      { from: 'b', to: 'c', error: wrong },
    ])
  })

  test('S21: of a voice that makes no sound the next says all, of one that breaks off the rest', async () => {
    const silent = speaker('a', 0)
    const next = speaker('b')
    const text = ['One two three, ', 'four five six.']
    expect(await soundOf(fallback([silent, next]), ...text)).toEqual({
      heard: 'One two three, four five six.',
      ms: 600,
      failovers: ['a → b'],
    })
    expect(next.asked).toEqual([text.join('')])

    const breaking = speaker('a', 2)
    const rest = speaker('b')
    expect(await soundOf(fallback([breaking, rest]), ...text)).toMatchObject({
      heard: 'One two three, four five six.',
      ms: 600,
    })
    expect(rest.asked).toEqual([' three, four five six.'])
  })

  test('takes as said the words whose time lies within the sound that was made', async () => {
    const timed: TTS = {
      name: 'a',
      sampleRate: 8_000,
      async *speak() {
        const words = ['One', 'two', 'three'].map((text, index) => ({
          text,
          start: index * 100,
          end: index * 100 + 100,
        }))
        yield { audio: new Int16Array(800), text: 'One two three.', words }
        yield { audio: new Int16Array(1_000) }
        throw busy
      },
    }
    const rest = speaker('b')
    await soundOf(fallback([timed, rest]), 'One <b>two,</b>three.')
    expect(rest.asked).toEqual(['</b>three.'])
  })

  test('of a voice that does not tell what it says nothing is said twice: its failure is that of all', async () => {
    await expect(soundOf(fallback([speaker('a', 2, false), speaker('b')]), 'One two three.')).rejects.toBe(busy)
  })

  test('takes a voice that leaves out its text for one that has failed', async () => {
    const mute: TTS = {
      name: 'a',
      sampleRate: 8_000,
      async *speak(text) {
        for await (const _ of text);
        yield* []
      },
    }
    const early: TTS = {
      ...mute,
      async *speak() {
        yield* []
      },
    }
    expect(await soundOf(fallback([mute, early, speaker('b')]), 'One two.')).toMatchObject({
      heard: 'One two.',
      failovers: ['a → a', 'a → b'],
    })
    expect(await soundOf(fallback([mute, speaker('b')]), '…')).toMatchObject({ heard: '', failovers: [] })
  })

  test('is patient with a voice from the moment there is something to say', async () => {
    const voice = fallback([speaker('a'), speaker('b')], { clock, patience: 500 })
    const slow = (async function* () {
      await clock.sleep(2_000)
      yield 'One.'
    })()
    const heard: string[] = []
    const reading = (async () => {
      for await (const { text } of voice.speak(slow, { signal: new AbortController().signal })) heard.push(text ?? '')
    })()
    await clock.advance(3_000)
    await reading
    expect([heard, clock.timers]).toEqual([['One.'], 0])
  })

  test('asks who has failed of late after all others, for a while', async () => {
    const first = model('a', [busy, ['I am back.']])
    const second = model('b', [['Hello!'], ['Hello again!']])
    const llm = fallback([first, second], { clock, cooldown: 10_000 })
    expect(await answerOf(llm)).toBe('Hello!')
    await clock.advance(9_999)
    expect(await answerOf(llm)).toBe('Hello again!')
    await clock.advance(1)
    expect(await answerOf(llm)).toBe('I am back.')
    expect([first.asked(), second.asked()]).toEqual([2, 2])
  })

  test('asks those that have failed all the same when there is nobody else', async () => {
    const llm = fallback([model('a', [busy, ['Hello!']]), model('b', [wrong, busy])], { clock })
    await expect(answerOf(llm)).rejects.toBe(wrong)
    expect(await answerOf(llm)).toBe('Hello!')
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
