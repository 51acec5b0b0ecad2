import { describe, expect, test } from 'vitest'
import { agent, fallback, type LLM, ProviderError, retry, type UsageRecord } from '../../src/index.js'
import {
  assertLaws,
  at,
  heard,
  type Observed,
  play,
  type Scene,
  type SceneMaker,
  toolCall,
  user,
} from '../../src/testing/index.js'

const host = (options = {}) => agent({ name: 'host', instructions: 'You are the host.', greet: false, ...options })
const scenario = (scene: Partial<Scene>): Scene => ({ bench: 'scenario', agent: host(), ...scene })

type Of<Kind extends UsageRecord['kind']> = Extract<UsageRecord, { kind: Kind }>
const recordsOf = <Kind extends UsageRecord['kind']>({ session }: Observed, kind: Kind): Of<Kind>[] =>
  session.usage.requests.filter((record): record is Of<Kind> => record.kind === kind)
const toldOf = ({ events }: Observed): UsageRecord[] =>
  events.flatMap(({ event }) => (event.type === 'usage' ? [event.usage] : []))

async function played(scene: SceneMaker): Promise<Observed> {
  const observed = await play(scene)
  expect(observed.problems).toEqual([])
  return observed
}

describe('usage of a language model', () => {
  test('is what the provider told of each request', async () => {
    const observed = await played(
      scenario({
        timeline: [user(500, 2_500, 'hi')],
        llm: [{ text: 'Hello.', usage: { inputTokens: 120, outputTokens: 7 } }],
      }),
    )
    const [record, ...others] = recordsOf(observed, 'llm')
    expect(others).toEqual([])
    expect(record).toMatchObject({
      provider: 'scripted',
      status: 'done',
      estimated: false,
      at: 2_700,
      end: 3_000,
      inputTokens: 120,
      outputTokens: 7,
      cachedTokens: 0,
    })
    expect(observed.session.usage.totals).toContainEqual({
      kind: 'llm',
      provider: 'scripted',
      requests: 1,
      estimated: false,
      inputTokens: 120,
      outputTokens: 7,
      cachedTokens: 0,
    })
    expect(toldOf(observed).filter(({ kind }) => kind === 'llm')).toEqual([record])
  })

  test('S25: of a request that was cancelled is estimated, and what its voice made and the caller heard is counted', async () => {
    const words = 'I have found a quiet table by the door. Shall I book'.match(/\S+\s*/g)!
    expect(words).toHaveLength(12)
    const llm: LLM = {
      name: 'slow',
      async *generate() {
        for (const text of words) yield { type: 'text', text }
        await new Promise(() => {})
      },
    }
    const observed = await played((stage) => ({
      ...scenario({
        agent: host({ instructions: 'x'.repeat(3_600 - 'hello'.length) }),
        timeline: [user(0, 1_000, 'hello'), at(2_300, (session) => session.interrupt())],
        llm,
        options: { speculation: false },
      }),
      tts: {
        name: 'forty characters',
        sampleRate: 8_000,
        async *speak(text) {
          for await (const piece of text) {
            yield { audio: new Int16Array(8 * 1_600), text: piece }
            await stage.sleep(60_000)
          }
        },
      },
    }))
    expect(recordsOf(observed, 'llm')).toEqual([
      expect.objectContaining({ at: 1_500, end: 2_300, status: 'cancelled', estimated: true, inputTokens: 900 }),
    ])
    expect(recordsOf(observed, 'llm')[0]!.outputTokens).toBeGreaterThanOrEqual(12)
    const [voice] = recordsOf(observed, 'tts')
    expect(voice).toMatchObject({ status: 'cancelled', characters: 40, audioMs: 1_600, heardMs: 800, estimated: false })
    const { totals } = observed.session.usage
    expect(totals.map(({ kind }) => kind).sort()).toEqual(['llm', 'stt', 'tts'])
    expect(totals).toContainEqual(expect.objectContaining({ kind: 'llm', inputTokens: 900, estimated: true }))
  })

  test('of a guess that was dropped counts like any other', async () => {
    const observed = await played(
      scenario({
        timeline: [user(500, 1_500, 'I want'), user(1_900, 3_000, 'a pizza')],
        vad: { start: 50, end: 300 },
        llm: [{ text: 'What?', total: 2_000 }, 'Sure.'],
      }),
    )
    expect(recordsOf(observed, 'llm').map(({ status }) => status)).toEqual(['cancelled', 'done'])
    expect(recordsOf(observed, 'llm')[0]).toMatchObject({ estimated: true })
    expect(observed.requests).toHaveLength(2)
  })

  test('of a request that failed is estimated, calls included', async () => {
    const call = toolCall('look', { where: 'in the book' })
    const observed = await played(
      scenario({
        timeline: [user(500, 2_500, 'hi')],
        llm: [{ parts: ['One moment please.', call], error: 'overloaded', errorAfter: 9 }, 'Sorry.'],
        options: { speculation: false },
      }),
    )
    const said = ['One moment please.', call.name, call.args].join('').length
    expect(recordsOf(observed, 'llm')[0]).toMatchObject({
      status: 'failed',
      estimated: true,
      outputTokens: Math.ceil(said / 4),
    })
  })

  test('of a request that was passed on to another is there for each that was asked', async () => {
    const observed = await played((stage) =>
      scenario({
        timeline: [user(500, 2_500, 'hi'), user(6_000, 7_000, 'and now')],
        llm: fallback([
          stage.llm([{ text: 'I will', error: 'gone', errorAfter: 0 }], { name: 'first' }),
          stage.llm(['Hello.', 'Here.'], { name: 'second' }),
        ]),
      }),
    )
    expect(recordsOf(observed, 'llm').map(({ provider, status }) => [provider, status])).toEqual([
      ['first', 'failed'],
      ['second', 'done'],
      ['second', 'done'],
    ])
    expect(recordsOf(observed, 'llm')[0]).toMatchObject({ at: 2_700, end: 2_800, estimated: true })
    expect(
      observed.session.usage.totals.flatMap((total) =>
        total.kind === 'llm' ? [[total.provider, total.requests]] : [],
      ),
    ).toEqual([
      ['first', 1],
      ['second', 2],
    ])
    expect(() => assertLaws(observed.session)).not.toThrow()
  })

  test('counts tools and their results among the input', async () => {
    const sizeOf = async (tools: object) => {
      const observed = await played(
        scenario({
          agent: host({ tools }),
          timeline: [user(500, 2_500, 'hi')],
          llm: [{ text: 'Hello.', usage: null }],
        }),
      )
      return recordsOf(observed, 'llm')[0]!.inputTokens
    }
    const other = agent({ name: 'other', instructions: 'You are another.' })
    expect(await sizeOf({ other })).toBeGreaterThan(await sizeOf({}))
  })
})

describe('usage of a voice', () => {
  test('has what was made and what was heard of it apart', async () => {
    const observed = await played(
      scenario({
        timeline: [user(500, 2_500, 'hi'), at(5_000, (session) => session.interrupt())],
        llm: ['Here is a long story.'],
        tts: { duration: 9_000 },
      }),
    )
    expect(recordsOf(observed, 'tts')).toEqual([
      expect.objectContaining({
        provider: 'scripted voice',
        status: 'done',
        characters: 21,
        audioMs: 9_000,
        heardMs: 1_800,
      }),
    ])
    expect(toldOf(observed).filter(({ kind }) => kind === 'tts')).toHaveLength(1)
  })

  test('that is cut while it speaks is cancelled; one that is never heard was made all the same', async () => {
    const observed = await played(
      scenario({
        timeline: [
          user(500, 2_500, 'hi'),
          at(4_000, (session) => session.interrupt()),
          user(5_000, 5_900, 'go on'),
          user(6_300, 9_000, 'please do'),
        ],
        vad: { start: 50, end: 100 },
        llm: ['Here is a long story.', 'Very well.', 'Very well.'],
        tts: { duration: 9_000, speed: 2 },
      }),
    )
    const [first] = recordsOf(observed, 'tts')
    expect(first).toMatchObject({ status: 'cancelled', heardMs: 800 })
    expect(first!.audioMs).toBeGreaterThan(800)
    expect(first!.audioMs).toBeLessThan(9_000)
  })

  test('that breaks off is followed by one that is given the rest, and each has what was heard of it', async () => {
    const observed = await played((stage) =>
      scenario({
        timeline: [at(1_000, (session) => void session.say('This is what I will say'))],
        tts: retry(
          stage.tts({
            takes: [{ times: 1, error: new ProviderError('broke off', { retryable: true }), errorAfter: 2, speed: 10 }],
            perWord: 400,
          }),
          {
            clock: stage.clock,
          },
        ),
      }),
    )
    expect(recordsOf(observed, 'tts')).toMatchObject([
      { status: 'failed', characters: 23, audioMs: 800, heardMs: 800 },
      { status: 'done', characters: 15, audioMs: 1_600, heardMs: 1_600 },
    ])
  })

  test('that fails has failed', async () => {
    const observed = await played(
      scenario({
        timeline: [user(500, 2_500, 'hi')],
        llm: ['Here is a long story.'],
        tts: { duration: 4_000, speed: 1, takes: [{ error: 'no voice', errorAfter: 2 }] },
      }),
    )
    expect(recordsOf(observed, 'tts')[0]).toMatchObject({ status: 'failed', characters: 21 })
  })
})

describe('usage of a recogniser', () => {
  test('U-04: grows with each report of its provider', async () => {
    const usage = (time: number, audioSeconds: number) => heard(time, { type: 'usage', audioSeconds })
    const observed = await played(
      scenario({ timeline: [usage(1_000, 1), usage(2_000, 2), usage(2_500, 0.5)], until: 3_000 }),
    )
    expect(toldOf(observed)).toEqual([
      expect.objectContaining({
        kind: 'stt',
        provider: 'scripted ear',
        estimated: false,
        audioSeconds: 1,
        status: 'running',
      }),
      expect.objectContaining({ audioSeconds: 3 }),
      expect.objectContaining({ audioSeconds: 3.5 }),
    ])
    expect(recordsOf(observed, 'stt')).toEqual([expect.objectContaining({ audioSeconds: 3.5, status: 'done' })])
  })

  test('that tells nothing is the sound that it was given', async () => {
    const observed = await played(scenario({ timeline: [user(500, 2_500, 'hi')], llm: ['Hello.'], until: 5_000 }))
    const [record] = recordsOf(observed, 'stt')
    expect(record).toMatchObject({ estimated: true, status: 'done' })
    expect(record!.audioSeconds).toBeCloseTo(5, 1)
  })

  test('that breaks is a request that failed, and its successor another', async () => {
    const observed = await played(scenario({ timeline: [heard(1_000, new Error('connection lost'))], until: 5_000 }))
    expect(recordsOf(observed, 'stt').map(({ status }) => status)).toEqual(['failed', 'done'])
    expect(observed.session.usage.totals).toEqual([expect.objectContaining({ kind: 'stt', requests: 2 })])
  })
})
