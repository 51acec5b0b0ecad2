import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, type SessionOptions, start, task, UsageError } from '../../src/index.js'
import { setUp } from '../../src/runtime/options.js'
import { TestClock, TestLine, TestLLM, voice } from './world.js'

const clock = new TestClock()
const line = new TestLine(clock)
const llm = new TestLLM(clock, [])
const host = agent({ name: 'host', instructions: 'You are the host.' })
const stt = { name: 'test ear', sampleRate: 16_000, transcribe: () => line.incoming } as unknown as NonNullable<
  SessionOptions['stt']
>
const vad = {
  name: 'test detector',
  sampleRate: 16_000,
  open: () => ({ frameSize: 512, process: () => 0 }),
} as NonNullable<SessionOptions['vad']>
const turnDetector = { name: 'test detector', predict: () => Promise.resolve(1) }

const refused = (options: object, message: RegExp, root: unknown = host) => {
  const make = () => start(root as Agent, { line, llm, clock, ...options } as SessionOptions)
  expect(make).toThrow(UsageError)
  expect(make).toThrow(message)
}

describe('options that cannot be say what to do', () => {
  test('what is missing', () => {
    refused({ line: undefined }, /needs a `line`/)
    refused({ llm: undefined }, /agent "host" has no language model: give an `llm`/)
    refused({ vad }, /a `vad` and no `stt`/)
    refused({ turnDetector }, /would never be asked: it judges words, and there is no `stt`/)
    refused({ turnDetector, stt, turnDetection: 'manual' }, /would never be asked: commitUserTurn ends the turns/)
  })

  test('who it is started with', () => {
    refused({}, /needs an agent/, { name: 'host' })
    refused({}, /"email" is a task.*run\.task/, task({ name: 'email', instructions: 'x', result: z.object({}) }))
    refused({ tts: undefined, llm: undefined }, /start\(agent, \{ llm \}\) or to the agent itself/)
  })

  test.each([
    [{ turnHandeling: {} }, /options has no "turnHandeling": did you mean "turnHandling"\?/],
    [{ turnHandling: { endpoint: {} } }, /options\.turnHandling has no "endpoint"/],
    [
      { turnHandling: { endpointing: { minDelay: -5 } } },
      /options\.turnHandling\.endpointing\.minDelay must be a number of milliseconds, 0 or more; it is -5/,
    ],
    [
      { turnHandling: { endpointing: { minDelay: '500' } } },
      /minDelay must be a number of milliseconds, 0 or more; it is "500"/,
    ],
    [
      { turnHandling: { endpointing: { minDelay: 900, maxDelay: 800 } } },
      /minDelay is 900, more than its maxDelay of 800/,
    ],
    [{ turnHandling: { endpointing: { threshold: 50 } } }, /threshold must be a number from 0 to 1; it is 50/],
    [{ turnHandling: { interruption: { hold: 'stop' } } }, /hold must be "pause" or "duck"; it is "stop"/],
    [{ turnHandling: { interruption: { hold: 'duck' } } }, /the line "test line" cannot duck; use hold: 'pause'/],
    [{ turnHandling: { interruption: { minWords: 1.5 } } }, /minWords must be a whole number, 0 or more; it is 1\.5/],
    [{ turnHandling: { interruption: { backchannels: 'mhm' } } }, /backchannels must be a list of texts/],
    [{ turnDetection: 'vad' }, /turnDetection must be "voice" or "manual"; it is "vad"/],
    [{ speculation: { maxGuesses: -1 } }, /options\.speculation\.maxGuesses must be a whole number/],
    [{ maxToolSteps: Number.NaN }, /maxToolSteps must be a whole number/],
    [{ userAwayTimeout: 0 }, /userAwayTimeout must be a number of milliseconds above 0/],
    [{ limits: { hook: 0 } }, /options\.limits\.hook must be a number of milliseconds above 0; it is 0/],
    [{ limits: { hooks: 5 } }, /options\.limits has no "hooks": did you mean "hook"\?/],
    [{ tts: { say() {} } }, /tts must be a voice: an object with `sampleRate` and `speak`; it is an object/],
    [{ llm: 'gpt' }, /llm must be a language model: an object with `generate`; it is "gpt"/],
    [{ signal: {} }, /signal must be an AbortSignal/],
  ])('%j', (options, message) => {
    refused(options, message)
  })
})

describe('options that can be', () => {
  const settings = (options: Partial<SessionOptions>, root = host) => setUp(root, { line, llm, ...options }).settings

  test('without a voice and an ear make a session that writes and is written to', () => {
    expect(settings({})).toMatchObject({ voice: 'none', transcribes: false, predicts: false, turns: 'voice' })
  })

  test('of the agent count as those of the session', () => {
    expect(settings({}, agent({ instructions: 'x', tts: voice, stt }))).toMatchObject({
      voice: 'tts',
      transcribes: true,
    })
  })

  test('with a VAD, of the session or of the agent, measure the voice; without, words alone interrupt', () => {
    expect(settings({ stt }).measuresVoice).toBe(false)
    expect(settings({ stt, vad }).measuresVoice).toBe(true)
    expect(settings({ stt }, agent({ instructions: 'x', vad })).measuresVoice).toBe(true)
  })

  test('that are undefined are as good as left out', () => {
    const undefineds = {
      turnHandling: { endpointing: { minDelay: undefined } },
      maxToolSteps: undefined,
    } as unknown as SessionOptions
    expect(settings(undefineds)).toMatchObject({ maxToolSteps: 3, turnHandling: { endpointing: { minDelay: 500 } } })
  })

  test('name one delay, and the other yields', () => {
    expect(settings({ turnHandling: { endpointing: { minDelay: 4_000 } } }).turnHandling.endpointing).toMatchObject({
      minDelay: 4_000,
      maxDelay: 4_000,
    })
    expect(settings({ turnHandling: { endpointing: { maxDelay: 200 } } }).turnHandling.endpointing).toMatchObject({
      minDelay: 200,
      maxDelay: 200,
    })
  })

  test('write back-channels as they like', () => {
    expect(
      settings({ turnHandling: { interruption: { backchannels: ['Ja', 'GENAU'] } } }).turnHandling.interruption
        .backchannels,
    ).toEqual(['ja', 'genau'])
  })

  test('switch speculation off, or parts of it', () => {
    expect(settings({ speculation: false }).speculation.enabled).toBe(false)
    expect(settings({ speculation: { openings: false } }).speculation).toEqual({
      enabled: true,
      openings: false,
      maxGuesses: 3,
    })
  })
})

describe('an agent that is none', () => {
  const fails = (make: () => unknown, message: RegExp) => {
    expect(make).toThrow(UsageError)
    expect(make).toThrow(message)
  }

  test('says what is missing, or wrong', () => {
    fails(
      () => agent({ name: 'host' } as never),
      /agent "host"\.instructions must be a string, or a function that returns one/,
    )
    fails(
      () => agent({ instructions: 'x', instruction: 'y' } as never),
      /agent "agent" has no "instruction": did you mean "instructions"\?/,
    )
    fails(() => agent({ instructions: 'x', enter: 'hello' as never }), /enter must be a function; it is "hello"/)
    fails(
      () => agent({ instructions: 'x', turnHandling: { endpointing: { minDelay: -1 } } }),
      /agent "agent"\.turnHandling\.endpointing\.minDelay/,
    )
    fails(() => task({ instructions: 'x' } as never), /the `result` of task "task" must be a schema/)
    fails(
      () => task({ instructions: 'x', result: z.object({}), tools: { finish: host } }),
      /has a tool called "finish"/,
    )
  })
})
