import type { Transcript } from 'antiphon'
import { beforeEach, describe, expect, test } from 'vitest'
import { agreement } from '../src/moonshine/agreement.js'
import { Listener } from '../src/moonshine/listener.js'
import type { Hypothesis } from '../src/moonshine/model.js'

const RATE = 16_000
const FRAME = 20

/** Sound in which each second has a loudness of its own, so that a recogniser of the test can say which seconds it heard. */
const second = (n: number) => (n % 60) + 1
const secondsIn = (samples: Float32Array) => [...new Set(samples.map((sample) => Math.round(sample * 32_768)))]

interface Question {
  readonly samples: Float32Array
  readonly length: number
  answer(text: string, logProbability?: number): Promise<void>
}

class Rehearsal {
  readonly told: Transcript[] = []
  readonly errors: unknown[] = []
  readonly questions: Question[] = []
  readonly listener: Listener
  #now = 0

  constructor() {
    this.listener = new Listener(
      (samples, signal) =>
        new Promise<Hypothesis | null>((resolve) => {
          signal.addEventListener('abort', () => resolve(null))
          this.questions.push({
            samples,
            length: (samples.length / RATE) * 1_000,
            answer: async (text, logProbability = -0.1) => {
              resolve({ text, logProbability })
              await settled()
            },
          })
        }),
      { tell: (transcript) => this.told.push(transcript), fail: (error) => this.errors.push(error) },
    )
  }

  hearUntil(time: number, loudness?: number): void {
    for (; this.#now < time; this.#now += FRAME) {
      const sound = Int16Array.from(
        { length: (FRAME * RATE) / 1_000 },
        () => loudness ?? second(Math.floor(this.#now / 1_000)),
      )
      this.listener.hear(sound)
    }
  }

  get texts(): string[] {
    return this.told.flatMap((told) =>
      told.type === 'transcript' ? [`${told.final ? 'final' : 'interim'}: ${told.text}`] : [],
    )
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

let call: Rehearsal
beforeEach(() => {
  call = new Rehearsal()
})

describe('an utterance', () => {
  test('is heard from a little before the VAD was sure to a little after the voice', async () => {
    call.hearUntil(1_100)
    call.listener.voice({ type: 'start', at: 1_000 })
    call.hearUntil(1_400)
    call.listener.voice({ type: 'end', at: 1_300 })
    expect(call.questions).toHaveLength(0)
    call.hearUntil(1_600)
    expect(call.questions.map(({ length }) => length)).toEqual([950])
    await call.questions[0]!.answer('Hello there.')
    expect(call.texts).toEqual(['final: Hello there.'])
    expect(call.told.at(-1)).toEqual({ type: 'usage', audioSeconds: 0.95 })
  })

  test('that goes on is told word by word, as far as two hypotheses agree', async () => {
    call.listener.voice({ type: 'start', at: 0 })
    call.hearUntil(1_000)
    await call.questions[0]!.answer('I would like to.')
    expect(call.texts).toEqual([])
    call.hearUntil(1_500)
    await call.questions[1]!.answer('I would like two tickets.')
    expect(call.texts).toEqual(['interim: I would like'])
  })

  test('of which the last draft has heard the end is told at once', async () => {
    call.listener.voice({ type: 'start', at: 0 })
    call.hearUntil(900)
    await call.questions[0]!.answer('Hello.')
    call.hearUntil(1_300)
    call.listener.voice({ type: 'end', at: 700 })
    expect(call.questions).toHaveLength(1)
    expect(call.texts).toEqual(['final: Hello.'])
  })

  test('is drafted as soon as it grows quiet, so that its words are ready when the VAD is sure of the end', async () => {
    call.listener.voice({ type: 'start', at: 0 })
    call.hearUntil(300)
    call.hearUntil(480, 0)
    expect(call.questions.map(({ length }) => length)).toEqual([460])
    await call.questions[0]!.answer('Yes.')
    call.hearUntil(700, 0)
    call.listener.voice({ type: 'end', at: 300 })
    expect(call.questions).toHaveLength(1)
    expect(call.texts).toEqual(['final: Yes.'])
  })

  test('that ends while a draft of it is being made does not wait for that draft', async () => {
    call.listener.voice({ type: 'start', at: 0 })
    call.hearUntil(1_000)
    call.hearUntil(1_200, 0)
    await settled()
    expect(call.questions.map(({ length }) => length)).toEqual([900, 1_200])
    await call.questions[1]!.answer('Hello.')
    call.hearUntil(1_420, 0)
    call.listener.voice({ type: 'end', at: 1_000 })
    expect(call.texts).toEqual(['final: Hello.'])
  })

  test('that is noise is told as no words, so that nobody waits for any', async () => {
    call.listener.voice({ type: 'start', at: 0 })
    call.hearUntil(300)
    call.listener.voice({ type: 'end', at: 200 })
    call.hearUntil(500)
    await call.questions[0]!.answer('You', -2.8)
    expect(call.texts).toEqual(['final: '])
  })

  test('that is longer than the model can bear is cut, and no sound is lost or heard twice', async () => {
    call.listener.voice({ type: 'start', at: 0 })
    const heard: number[] = []
    for (let time = 1_000; time <= 40_000; time += 1_000) {
      call.hearUntil(time)
      for (const question of call.questions.splice(0)) {
        expect(question.length).toBeLessThanOrEqual(15_500)
        const text = secondsIn(question.samples).join(' ')
        await question.answer(text)
      }
    }
    call.listener.voice({ type: 'end', at: 39_500 })
    while (call.questions.length > 0) await call.questions.shift()!.answer('the rest')
    for (const text of call.texts.filter((text) => text.startsWith('final')))
      heard.push(...(text.match(/\d+/g) ?? []).map(Number))
    expect(call.texts.filter((text) => text.startsWith('final')).length).toBeGreaterThanOrEqual(3)
    expect([...new Set(heard)]).toEqual([...heard].sort((a, b) => a - b).filter((n, i, all) => n !== all[i - 1]))
    expect(heard[0]).toBe(1)
  })

  test('that is flushed is told, and the voice that goes on is another one', async () => {
    call.listener.voice({ type: 'start', at: 0 })
    call.hearUntil(600)
    call.listener.voice({ type: 'flush', at: 600 })
    await call.questions[0]!.answer('I think')
    call.hearUntil(1_200)
    call.listener.voice({ type: 'end', at: 900 })
    await call.questions[1]!.answer('so.')
    expect(call.texts).toEqual(['final: I think', 'final: so.'])
    expect(call.questions.map(({ length }) => length)).toEqual([600, 500])
  })
})

describe('utterances', () => {
  test('that follow one another closely share no sound', async () => {
    call.listener.voice({ type: 'start', at: 0 })
    call.hearUntil(900)
    call.listener.voice({ type: 'end', at: 500 })
    call.listener.voice({ type: 'start', at: 800 })
    await call.questions[0]!.answer('One. T')
    await call.questions[1]!.answer('One.')
    call.hearUntil(1_400)
    call.listener.voice({ type: 'end', at: 1_100 })
    await call.questions[2]!.answer('Two.')
    expect(call.texts).toEqual(['final: One.', 'final: Two.'])
    expect(call.questions.slice(1).map(({ length }) => length)).toEqual([750, 650])
  })

  test('are all told when the recording ends', async () => {
    call.listener.voice({ type: 'start', at: 0 })
    call.hearUntil(400)
    const finished = call.listener.finish()
    await call.questions[0]!.answer('Bye.')
    await finished
    expect(call.texts).toEqual(['final: Bye.'])
  })
})

test('a recogniser that fails is reported, and nothing more is told', async () => {
  const errors: unknown[] = []
  const told: Transcript[] = []
  const listener = new Listener(() => Promise.reject(new Error('no memory')), {
    tell: (transcript) => told.push(transcript),
    fail: (error) => errors.push(error),
  })
  listener.voice({ type: 'start', at: 0 })
  listener.hear(new Int16Array(RATE))
  await listener.finish()
  expect(errors).toEqual([new Error('no memory')])
  expect(told).toEqual([])
})

test('two hypotheses agree on words, whatever their case and punctuation', () => {
  expect(agreement('Is there.', 'Is there parking nearby?')).toBe('Is there')
  expect(agreement('so, my friends', 'So my fellow')).toBe('So my')
  expect(agreement('', 'Hello')).toBe('')
})
