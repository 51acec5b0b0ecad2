import { describe, expect, test, vi } from 'vitest'
import type { Audio, Spoken, Transcript } from '../../src/api/models.js'
import { Channel } from '../../src/audio/flow.js'
import { agent, fallback, ProviderError, retry, type STT, start, type TTS } from '../../src/index.js'
import { close, of, type Said, TestClock, TestLine, TestLLM, type World, type WorldOptions, world } from './world.js'

const host = agent({ name: 'host', instructions: 'You are the host.', greet: false })
const down = new ProviderError('HTTP 503', { status: 503, retryable: true })

const texts = ({ session }: World) =>
  session.history.flatMap((item) => (item.type === 'user' || item.type === 'assistant' ? [item.text] : []))

describe('language models that fail', () => {
  const conversation = (lines: readonly Said[], options: WorldOptions = {}) =>
    world(host, lines, { speculation: false, ...options })
  const say = async ({ session, clock }: World, text: string) => {
    session.text(text)
    await clock.advance(1_000)
  }

  test('N-03: once: that is an error, the words stay, the agent listens, and the next turn works', async () => {
    const made = conversation([down, 'Here I am.'])
    await say(made, 'hello')
    expect(of(made.events, 'error')).toMatchObject([{ source: 'llm', error: { blame: 'provider' }, cause: down }])
    expect(made.session.agentState).toBe('listening')
    await say(made, 'are you there')
    expect(texts(made)).toEqual(['hello', 'are you there', 'Here I am.'])
    await close(made)
  })

  test('N-01: four times in a row: the session closes with the error', async () => {
    const made = conversation([down, down, down, down])
    for (const text of ['one', 'two', 'three']) await say(made, text)
    expect(of(made.events, 'closed')).toEqual([])
    await say(made, 'four')
    expect(of(made.events, 'error')).toHaveLength(4)
    expect(await made.session.closed).toEqual({
      reason: 'error',
      error: { blame: 'provider', message: 'HTTP 503', retryable: true },
    })
    expect(texts(made)).toEqual(['one', 'two', 'three', 'four'])
  })

  test('N-01: now and then: an answer that is heard makes good for it', async () => {
    const made = conversation([down, down, down, 'Here I am.', down, down, down, 'Still here.'])
    for (let turn = 0; turn < 8; turn++) await say(made, `turn ${turn}`)
    expect(of(made.events, 'closed')).toEqual([])
    expect(texts(made).at(-1)).toBe('Still here.')
    await close(made)
  })

  test('how many are borne is an option', async () => {
    const made = conversation([down], { maxFailures: 0 })
    await say(made, 'one')
    expect(await made.session.closed).toMatchObject({ reason: 'error' })
  })

  test('are no failure when another answers in their stead, which the application is told', async () => {
    const clock = new TestClock()
    const first = { ...new TestLLM(clock, []), name: 'first', generate: () => fails(down) }
    const second = new TestLLM(clock, ['Here I am.'])
    const session = start(host, {
      line: new TestLine(clock),
      clock,
      llm: fallback([first, second], { clock }),
      maxFailures: 0,
    })
    const told: unknown[] = []
    session.on('failover', (event) => told.push(event))
    session.on('error', (event) => told.push(event))
    session.text('hello')
    await clock.advance(1_000)
    expect(told).toEqual([
      {
        type: 'failover',
        source: 'llm',
        from: 'first',
        to: 'test model',
        error: { blame: 'provider', message: 'HTTP 503', retryable: true },
        cause: down,
      },
    ])
    expect(session.history.at(-1)).toMatchObject({ text: 'Here I am.' })
    await session.close()
  })
})

// biome-ignore lint/correctness/useYield: it fails before it would say anything
async function* fails(error: Error): AsyncGenerator<never> {
  throw error
}

describe('voices that fail', () => {
  /** Makes 100 ms of sound for each word; breaks after so many words, `after` ms after it has made them. */
  const speaker = (clock: TestClock, name: string, breaks = Number.POSITIVE_INFINITY, after = 0): TTS => ({
    name,
    sampleRate: 8_000,
    async *speak(text, { signal }): AsyncGenerator<Spoken> {
      let said = 0
      for await (const piece of text) {
        for (const word of piece.match(/\S+\s*/g) ?? []) {
          if (said++ >= breaks) {
            await clock.sleep(after, signal)
            throw down
          }
          yield { audio: new Int16Array(800), text: word }
        }
      }
    },
  })

  function say(voices: (clock: TestClock) => TTS) {
    const clock = new TestClock()
    const made = start(host, { line: new TestLine(clock), clock, llm: new TestLLM(clock, []), tts: voices(clock) })
    const told: string[] = []
    made.on('failover', ({ source, from, to }) => told.push(`${clock.now()} ${source} ${from} → ${to}`))
    made.on('speech-start', () => told.push(`${clock.now()} begins`))
    made.on('speech-end', ({ heard }) => told.push(`${clock.now()} ${heard}`))
    made.on('error', ({ error }) => told.push(`${clock.now()} error: ${error.message}`))
    const handle = made.say('one two three four five six')
    return { clock, session: made, told, handle }
  }

  test('S21: without a sound: another says all of it', async () => {
    const { clock, session, told } = say((clock) =>
      fallback([speaker(clock, 'a', 0, 800), speaker(clock, 'b')], { clock }),
    )
    await clock.advance(3_000)
    expect(told).toEqual(['800 tts a → b', '800 begins', '1400 one two three four five six'])
    await session.close()
  })

  test('S21: when two words were heard: another says the rest', async () => {
    const { clock, session, told, handle } = say((clock) =>
      fallback([speaker(clock, 'a', 2, 300), speaker(clock, 'b')], { clock }),
    )
    await clock.advance(3_000)
    expect(told).toEqual(['0 begins', '300 tts a → b', '600 one two three four five six'])
    expect(await handle.done).toEqual({ heard: 'one two three four five six', interrupted: false })
    await session.close()
  })

  test('are asked again', async () => {
    let takes = 0
    const { clock, session, told } = say((clock) => {
      const [broken, whole] = [speaker(clock, 'v', 0), speaker(clock, 'v')]
      return retry({ ...whole, speak: (...given) => (takes++ === 0 ? broken : whole).speak(...given) }, { clock })
    })
    await clock.advance(3_000)
    expect(told).toEqual(['0 tts v → v', '200 begins', '800 one two three four five six'])
    await session.close()
  })

  test('N-02: of what nobody could say nothing stands in the history, and the handle says why', async () => {
    const { clock, session, told, handle } = say((clock) => speaker(clock, 'v', 0))
    await clock.advance(3_000)
    expect(told).toEqual(['0 error: HTTP 503'])
    expect(await handle.done).toMatchObject({ heard: '', error: { message: 'HTTP 503' } })
    expect(session.history.some(({ type }) => type === 'assistant')).toBe(false)
    await session.close()
  })
})

describe('recognisers that fail', () => {
  /** Each stream breaks as soon as it is told to. */
  function ear() {
    let words = new Channel<Transcript | Error>()
    const stt: STT = {
      name: 'ear',
      sampleRate: 16_000,
      async *transcribe() {
        words = new Channel()
        for await (const said of words) {
          if (said instanceof Error) throw said
          yield said
        }
      },
    }
    return { stt, hear: (said: string | Error) => words.push(typeof said === 'string' ? final(said) : said) }
  }
  const final = (text: string): Transcript => ({ type: 'transcript', text, final: true })

  test('N-04: three times are borne, the fourth closes; the stream is opened again each time', async () => {
    const { stt, hear } = ear()
    const made = world(host, [], { stt })
    await made.clock.advance(0)
    for (let failure = 1; failure <= 3; failure++) {
      hear(down)
      await made.clock.advance(8_000)
    }
    expect(of(made.events, 'error')).toMatchObject([{ source: 'stt' }, { source: 'stt' }, { source: 'stt' }])
    expect(of(made.events, 'closed')).toEqual([])
    hear(down)
    await made.clock.advance(0)
    expect(await made.session.closed).toMatchObject({ reason: 'error', error: { message: 'HTTP 503' } })
  })

  test('N-04: words make good for it', async () => {
    const { stt, hear } = ear()
    const made = world(host, ['Yes?', 'Yes?', 'Yes?'], { stt })
    await made.clock.advance(0)
    for (const said of [down, down, 'hello', down, down, down]) {
      hear(said)
      await made.clock.advance(8_000)
    }
    expect(of(made.events, 'closed')).toEqual([])
    expect(texts(made)).toContain('hello')
    await close(made)
  })

  test('fall back on one another', async () => {
    const [first, second] = [ear(), ear()]
    const made = world(host, ['Yes?'], {
      stt: fallback([
        { ...first.stt, name: 'a' },
        { ...second.stt, name: 'b' },
      ]),
    })
    await made.clock.advance(0)
    first.hear(down)
    await made.clock.advance(1_000)
    second.hear('can you hear me')
    await made.clock.advance(3_000)
    expect(texts(made)).toEqual(['can you hear me', 'Yes?'])
    await close(made)
  })
})

describe('a line that breaks', () => {
  function broken(options: WorldOptions = {}) {
    const clock = new TestClock()
    const line = new TestLine(clock)
    const sound = new Channel<Audio | Error>()
    const incoming = (async function* () {
      for await (const audio of sound) {
        if (audio instanceof Error) throw audio
        yield audio
      }
    })()
    const made = world(host, ['Hello.'], { ...options, line: Object.assign(line, { incoming }), clock })
    return { ...made, clock, sound, line }
  }

  test('closes the session with its error, and not as a caller who leaves', async () => {
    const made = broken()
    const reset = new Error('connection reset')
    await made.clock.advance(100)
    made.sound.push(reset)
    await made.clock.advance(100)
    const failure = { blame: 'provider', message: 'connection reset', retryable: false }
    expect(await made.session.closed).toEqual({ reason: 'error', error: failure })
    expect(of(made.events, 'error')).toEqual([{ type: 'error', source: 'line', error: failure, cause: reset }])
    expect(made.line.closed).toBe(1)
  })

  test('that gives what is no sound is told of, and goes on', async () => {
    const made = broken()
    made.sound.push({ samples: new Int16Array(160), rate: Number.NaN })
    await made.clock.advance(100)
    expect(of(made.events, 'error')).toMatchObject([{ source: 'line' }])
    made.sound.end()
    await made.clock.advance(1_000)
    expect(await made.session.closed).toEqual({ reason: 'caller-left', error: null })
  })
})

describe('instructions that cannot be read', () => {
  test.each([
    [
      'throw',
      () => {
        throw new Error('no clock')
      },
      'no clock',
    ],
    ['reject', () => Promise.reject(new Error('no clock')), 'no clock'],
    ['are no text', () => undefined as unknown as string, 'a function must return a string; it returned undefined'],
  ])('fail the reply and blame the application; the session lives: they %s', async (_, instructions, message) => {
    let broken = true
    const root = agent({ name: 'host', greet: false, instructions: () => (broken ? instructions() : 'You are well.') })
    const made = world(root, ['Here I am.'])
    await made.clock.advance(0)
    const handle = made.session.generateReply()
    await made.clock.advance(100)
    const failure = { blame: 'caller', message: `the instructions of agent "host" could not be read: ${message}` }
    expect(of(made.events, 'error')).toMatchObject([{ source: 'llm', error: failure }])
    expect(await handle.done).toMatchObject({ heard: '', error: failure })
    broken = false
    made.session.text('hello')
    await made.clock.advance(1_000)
    expect(texts(made)).toEqual(['hello', 'Here I am.'])
    await close(made)
  })

  test('in time are given up', async () => {
    const root = agent({ instructions: () => new Promise<string>(() => {}), greet: false })
    const made = world(root, [])
    made.session.text('hello')
    await made.clock.advance(10_000)
    expect(of(made.events, 'error')).toMatchObject([
      { source: 'llm', error: { message: expect.stringContaining('in time') } },
    ])
    await close(made)
  })
})

test('errors that nobody listens to are written to the console, each once', async () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => {})
  const clock = new TestClock()
  const session = start(host, {
    line: new TestLine(clock),
    llm: new TestLLM(clock, [down, down, new Error('off')]),
    clock,
  })
  for (let turn = 0; turn < 3; turn++) {
    session.text('hello')
    await clock.advance(200)
  }
  expect(written.mock.calls).toEqual([
    ['antiphon: error in llm (blame: provider): HTTP 503', down],
    ['antiphon: error in llm (blame: provider): off', expect.any(Error)],
  ])
  session.on('error', () => {})
  session.text('hello')
  await clock.advance(200)
  expect(written).toHaveBeenCalledTimes(2)
  written.mockRestore()
  await session.close()
})
