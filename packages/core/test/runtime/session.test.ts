import { describe, expect, test, vi } from 'vitest'
import { Conversation } from '../../src/conversation/conversation.js'
import { agent, ProviderError, SessionClosed, start, type TTS, tool } from '../../src/index.js'
import { call, of, settle, silent, TestClock, TestLine, TestLLM, world } from './world.js'

const host = agent({ name: 'host', instructions: 'You are the host.', greet: false })

describe('a session', () => {
  test('answers typed words with a voice, and shows each word as it is heard', async () => {
    const { clock, session, events } = world(host, ['Good evening to you.'], { speaks: true })
    session.text('hello')
    await clock.advance(3_000)
    expect(session.history).toMatchObject([
      { type: 'agent', agent: 'host' },
      { type: 'user', text: 'hello' },
      { type: 'assistant', text: 'Good evening to you.', interrupted: false, done: true },
    ])
    const shown = of(events, 'agent-transcript').map(({ text, final }) => [text, final])
    expect(shown).toEqual([
      ['Good', false],
      ['Good evening', false],
      ['Good evening to', false],
      ['Good evening to you.', false],
      ['Good evening to you.', true],
    ])
    await session.close()
  })

  test('shows a word whose time is estimated a third into it, whether or not anything else happens then', async () => {
    const mute: TTS = {
      name: 'a voice that tells nothing',
      sampleRate: 8_000,
      async *speak(text) {
        for await (const _ of text) yield { audio: new Int16Array(24_000) }
      },
    }
    const { clock, session } = world(host, [], { tts: mute })
    const shown: string[] = []
    session.on('agent-transcript', ({ text }) => shown.push(`${Math.round(clock.now())} ${text}`))
    session.say('one two three')
    await clock.advance(5_000)
    expect(shown).toEqual(['333 one', '1333 one two', '2333 one two three', '3000 one two three'])
    await session.close()
  })

  test('without a voice writes its answer, and shows it as it grows', async () => {
    const { clock, session, events } = world(host, [['Good ', 'evening.']])
    const { items } = await Promise.all([session.run('hello'), clock.advance(200)]).then(([result]) => result)
    expect(items).toMatchObject([
      { type: 'user', text: 'hello' },
      { type: 'assistant', text: 'Good evening.' },
    ])
    await settle()
    expect(of(events, 'agent-transcript')).toMatchObject([
      { text: 'Good', final: false },
      { text: 'Good evening.', final: false },
      { text: 'Good evening.', final: true },
    ])
    await session.close()
  })

  test('begins by itself, and tells its first events to those who listen from the start', async () => {
    const clock = new TestClock()
    const session = start(silent, { line: new TestLine(clock), llm: new TestLLM(clock, []), clock })
    session.say('Welcome.')
    const seen: string[] = []
    session.on('agent-change', ({ to }) => seen.push(to))
    session.on('reply-start', ({ source }) => seen.push(source))
    await settle()
    expect(seen).toEqual(['agent', 'say'])
    await session.close()
  })

  test('reads the instructions at each request, and adds those of the reply', async () => {
    let hour = 8
    const clerk = agent({ instructions: () => `It is ${hour} o'clock.`, greet: false })
    const { clock, session, llm } = world(clerk, ['Good morning.', 'Good evening.'])
    session.text('hi')
    await clock.advance(200)
    hour = 20
    session.generateReply({ instructions: 'Say good-bye.' })
    await clock.advance(200)
    expect(llm.requests.map(({ instructions }) => instructions)).toEqual([
      "It is 8 o'clock.",
      "It is 20 o'clock.\n\nSay good-bye.",
    ])
    await session.close()
  })

  test('tells an agent that opens to speak first', async () => {
    const { clock, session, llm } = world(agent({ instructions: 'Be kind.' }), ['Hello!'])
    await clock.advance(200)
    expect(llm.requests[0]?.instructions).toMatch(/^Be kind\.\n\nYou have just taken over/)
    await session.close()
  })

  test('keeps all that came in, with its time', async () => {
    const { clock, session } = world(host, ['Yes.'])
    await clock.advance(1_000)
    session.text('hi')
    await clock.advance(100)
    expect(session.log.map(({ at, input }) => [at, input.type])).toEqual([
      [0, 'start'],
      [1_000, 'user-text'],
      [1_100, 'model-text'],
      [1_100, 'model-end'],
    ])
    await session.close()
  })

  test('a model that says nothing and calls nothing is silent, which is no error', async () => {
    const { clock, session, events } = world(host, [[], 'Here I am.'])
    session.text('hm')
    await clock.advance(200)
    session.text('hello?')
    await clock.advance(200)
    expect(of(events, 'error')).toEqual([])
    expect(session.history.filter(({ type }) => type === 'assistant')).toMatchObject([{ text: 'Here I am.' }])
    await session.close()
  })

  test('a provider that fails is an error with blame, cause, and a speech handle that says so; the session goes on', async () => {
    const cause = new ProviderError('HTTP 503', { status: 503, retryable: true })
    const { clock, session, events } = world(host, [cause, 'Here I am.'])
    await clock.advance(0)
    const handle = session.generateReply()
    await clock.advance(200)
    const failure = { blame: 'provider', message: 'HTTP 503', retryable: true }
    expect(of(events, 'error')).toEqual([{ type: 'error', source: 'llm', error: failure, cause }])
    expect(await handle.done).toEqual({ heard: '', interrupted: false, error: failure })
    session.text('hello?')
    await clock.advance(200)
    expect(session.history.at(-1)).toMatchObject({ text: 'Here I am.' })
    await session.close()
  })

  test('says what comes piece by piece', async () => {
    const { clock, session } = world(host, [], { speaks: true })
    const handle = session.say(
      (async function* () {
        yield 'One '
        await clock.sleep(500)
        yield 'two.'
      })(),
    )
    await clock.advance(3_000)
    expect(await handle.done).toEqual({ heard: 'One two.', interrupted: false })
    await session.close()
  })

  test('asks an end-of-turn model, and does without when it fails', async () => {
    const asked: string[] = []
    const turnDetector = {
      name: 'test detector',
      predict: ({ text }: { text: string }) => {
        asked.push(text)
        return Promise.reject(new Error('down'))
      },
    }
    const { clock, session, events, hear } = world(host, ['Yes.'], { hears: true, turnDetector })
    await clock.advance(0)
    hear.push({ type: 'speech-start' })
    await clock.advance(1_000)
    hear.push({ type: 'speech-end' })
    hear.push({ type: 'transcript', text: 'are you there', final: true })
    await clock.advance(1_000)
    expect(asked).toEqual(['are you there'])
    expect(of(events, 'error')).toMatchObject([
      { source: 'turn-detector', error: { blame: 'provider', message: 'down' } },
    ])
    expect(session.history.at(-1)).toMatchObject({ type: 'assistant', text: 'Yes.' })
    await session.close()
  })

  test('hears with the ears of whoever has the conversation', async () => {
    const ears: string[] = []
    const ear = (name: string) => ({
      name,
      sampleRate: 16_000,
      async *transcribe() {
        ears.push(name)
        await new Promise(() => {})
        yield { type: 'speech-start' as const }
      },
    })
    const other = agent({ name: 'other', instructions: 'Hi.', greet: false, stt: ear('own') })
    const { clock, session } = world(host, [], { stt: ear('session') })
    await clock.advance(0)
    session.updateAgent(other)
    await clock.advance(100)
    expect(ears).toEqual(['session', 'own'])
    await session.close()
  })

  test('tells agents of one name apart', async () => {
    const twin = agent({ name: 'host', instructions: 'The other host.', greet: false })
    const { clock, session, llm } = world(host, ['One.', 'Two.'])
    await clock.advance(0)
    session.updateAgent(twin)
    session.text('who are you')
    await clock.advance(200)
    expect(llm.requests[0]?.instructions).toBe('The other host.')
    expect(session.agent).toBe(twin)
    await session.close()
  })
})

describe('turns that the application ends', () => {
  test('resolve with the words of the turn, once they are there', async () => {
    const { clock, session, hear } = world(host, ['Yes.'], { hears: true, turnDetection: 'manual' })
    await clock.advance(0)
    hear.push({ type: 'speech-start' })
    await clock.advance(1_000)
    hear.push({ type: 'speech-end' })
    const committed = session.commitUserTurn()
    await clock.advance(200)
    hear.push({ type: 'transcript', text: 'a table please', final: true })
    await clock.advance(100)
    expect(await committed).toBe('a table please')
    await session.close()
  })

  test('resolve with nothing when there were no words', async () => {
    const { clock, session } = world(host, [], { hears: true, turnDetection: 'manual' })
    const committed = session.commitUserTurn()
    await clock.advance(5_000)
    expect(await committed).toBe('')
    await session.close()
  })
})

describe('the end', () => {
  test('comes when the caller leaves, and closes the line once', async () => {
    const { clock, session, line, events } = world(host, [])
    await clock.advance(100)
    line.incoming.end()
    await clock.advance(100)
    expect(await session.closed).toEqual({ reason: 'caller-left', error: null })
    expect(line.closed).toBe(1)
    expect(events.at(-1)).toMatchObject({ type: 'closed' })
  })

  test('comes when the signal of the options aborts', async () => {
    const controller = new AbortController()
    const { clock, session } = world(host, [], { signal: controller.signal })
    await clock.advance(100)
    controller.abort()
    expect(await session.closed).toEqual({ reason: 'application', error: null })
  })

  test('comes at once when the signal has aborted before', async () => {
    const { session } = world(host, [], { signal: AbortSignal.abort() })
    expect(await session.closed).toEqual({ reason: 'application', error: null })
  })

  test('leaves no timer, stops what is said, and refuses whatever is asked afterwards', async () => {
    const { clock, session } = world(host, ['A long, long story.'], { speaks: true })
    session.text('tell me')
    await clock.advance(1_000)
    await session.close()
    expect(clock.timers).toBe(0)
    expect(session.history.at(-1)).toMatchObject({ text: 'A long,', interrupted: true, done: true })
    expect(() => session.say('hello')).toThrow(SessionClosed)
    expect(() => session.generateReply()).toThrow(SessionClosed)
    expect(() => session.text('hello')).toThrow(SessionClosed)
    expect(() => session.updateAgent(silent)).toThrow(SessionClosed)
    await expect(session.commitUserTurn()).rejects.toThrow(SessionClosed)
    await session.close()
  })

  test('with `drain` hears out what is said', async () => {
    const { clock, session } = world(host, ['A short story.'], { speaks: true })
    session.text('tell me')
    await clock.advance(500)
    const closed = session.close({ drain: true })
    await clock.advance(2_000)
    await closed
    expect(session.history.at(-1)).toMatchObject({ text: 'A short story.', interrupted: false })
  })

  test('does not wait for what ignores its signal, but says so', async () => {
    const deaf = tool({ description: 'Never ends.', execute: () => new Promise(() => {}) })
    const { clock, session, events } = world(agent({ instructions: 'Go.', greet: false, tools: { deaf } }), [
      [call('deaf')],
    ])
    session.text('go')
    await clock.advance(200)
    const closed = session.close()
    await clock.advance(20_000)
    await closed
    expect(of(events, 'error')).toMatchObject([
      { source: 'session', error: { message: expect.stringContaining('tool "deaf"') } },
    ])
    expect(clock.timers).toBe(0)
  })

  test('a line that cannot be closed is an error, and the end of nothing', async () => {
    const clock = new TestClock()
    const line = Object.assign(new TestLine(clock), { close: () => Promise.reject(new Error('stuck')) })
    const { session, events } = world(host, [], { clock, line })
    await settle()
    await session.close()
    await settle()
    expect(of(events, 'error')).toMatchObject([{ source: 'line', error: { message: 'stuck' } }])
  })

  test('comes loudly when the machinery breaks', async () => {
    const { clock, session, events, line } = world(host, [], { speaks: true })
    const run = session.run()
    const handle = session.say('Good evening.')
    await clock.advance(0)
    vi.spyOn(Conversation.prototype, 'receive').mockImplementationOnce(() => {
      throw new Error('time is out of joint')
    })
    session.text('hello')
    const error = { blame: 'bug', message: 'time is out of joint', retryable: false }
    expect(await session.closed).toEqual({ reason: 'error', error })
    expect(await handle.done).toEqual({ heard: '', interrupted: true })
    await run
    await settle()
    expect(of(events, 'error')).toMatchObject([{ source: 'session', error: { blame: 'bug' } }])
    expect(line.closed).toBe(1)
  })

  test('`await using` closes', async () => {
    const { clock, session, line } = world(host, [])
    {
      await using scoped = session
      await clock.advance(10)
      expect(scoped.agentState).toBe('listening')
    }
    expect(line.closed).toBe(1)
  })
})

describe('listeners', () => {
  test('are told in the order of their coming, and one that throws disturbs nobody', async () => {
    const { clock, session, events } = world(host, ['Yes.'])
    const seen: string[] = []
    session.on('user-turn-end', () => {
      throw new Error('clumsy')
    })
    session.on('reply-start', () => seen.push('first'))
    session.on('reply-start', () => seen.push('second'))
    session.on('history-item', () => {
      throw new Error('clumsy')
    })
    session.text('hello')
    await clock.advance(200)
    expect(seen).toEqual(['first', 'second'])
    expect(of(events, 'error').length).toBeGreaterThan(0)
    expect(of(events, 'error')[0]).toMatchObject({ source: 'listener', error: { blame: 'caller', message: 'clumsy' } })
    expect(session.history.at(-1)).toMatchObject({ text: 'Yes.' })
    await session.close()
  })

  test('may be asynchronous: one that rejects is an error, and no crash', async () => {
    const { clock, session, events } = world(host, [])
    const cause = new Error('database is gone')
    session.on('reply-start', async () => {
      await clock.sleep(50)
      throw cause
    })
    session.say('hello')
    await clock.advance(100)
    expect(of(events, 'error')).toMatchObject([{ source: 'listener', error: { blame: 'caller' }, cause }])
    await session.close()
  })

  test('are answered at once, whatever they ask of the session', async () => {
    const { clock, session } = world(host, ['A long answer.'], { speaks: true })
    const caught: unknown[] = []
    session.on('speech-start', () => {
      try {
        session.interrupt()
      } catch (error) {
        caught.push(error)
      }
    })
    const handle = session.say('This has to be heard.', { allowInterruptions: false })
    await clock.advance(3_000)
    expect(caught).toMatchObject([{ name: 'UsageError', message: expect.stringContaining('protected') }])
    expect(await handle.done).toMatchObject({ interrupted: false })
    await session.close()
  })

  test('hear no more once their signal has aborted', async () => {
    const { clock, session } = world(host, [])
    const controller = new AbortController()
    let heard = 0
    session.on('reply-start', () => heard++, { signal: controller.signal })
    session.say('one')
    await clock.advance(100)
    controller.abort()
    session.say('two')
    await clock.advance(100)
    expect(heard).toBe(1)
    await session.close()
  })

  test('a reader who leaves is told no more', async () => {
    const { clock, session } = world(host, [])
    const seen: string[] = []
    const reading = (async () => {
      for await (const event of session) {
        seen.push(event.type)
        if (event.type === 'reply-start') break
      }
    })()
    session.say('one')
    await clock.advance(100)
    await reading
    const before = seen.length
    session.say('two')
    await clock.advance(100)
    expect(seen).toHaveLength(before)
    await session.close()
  })
})
