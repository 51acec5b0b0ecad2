import { describe, expect, test } from 'vitest'
import {
  agent,
  type Explanation,
  explain,
  type Recording,
  type SpeechHandle,
  tool,
  UsageError,
} from '../../src/index.js'
import {
  type Act,
  at,
  noise,
  play,
  type SceneMaker,
  type Stage,
  toolCall,
  typed,
  user,
} from '../../src/testing/index.js'

const story = 'Here is a long story for you and it goes on and on until the end'
const durations = { [story]: 10_000, 'Let me check that for you right away': 10_000, 'Sure.': 1_000, 'Okay.': 1_000 }
const tts = { duration: durations }
const opening = user(500, 2_500, 'Tell me a story.')
const host = (options = {}) => agent({ name: 'host', instructions: 'You are the host.', greet: false, ...options })

async function linesOf(scene: SceneMaker): Promise<Explanation[]> {
  const { session, problems } = await play(scene)
  expect(problems).toEqual([])
  return session.explain()
}
const texts = async (scene: SceneMaker) => (await linesOf(scene)).map(({ text }) => text)

const works = (stage: Stage, ms: number) =>
  tool({ description: 'Works.', execute: () => stage.sleep(ms).then(() => 'result') })

describe('silences', () => {
  test('a model that is slow is named, with the time it took', async () => {
    const [line] = await linesOf({
      bench: 'scenario',
      agent: host(),
      timeline: [user(500, 2_500, 'book me')],
      llm: [{ text: 'Sure.', firstToken: 1_700, total: 1_700 }],
      tts,
      options: { speculation: false },
    })
    expect(line).toEqual({
      kind: 'silence',
      from: 2_500,
      to: 4_900,
      cause: 'model',
      text: "2.5 s–4.9 s silence: waiting to see whether the caller had finished (0.5 s), then for the model's first word (1.7 s), then for the voice's first sound (0.2 s)",
      parts: [
        { from: 2_500, to: 3_000, cause: 'turn-end' },
        { from: 3_000, to: 4_700, cause: 'model' },
        { from: 4_700, to: 4_900, cause: 'voice' },
      ],
    })
  })

  test('a tool that works is named', async () => {
    const lines = await texts((stage) => ({
      bench: 'scenario',
      agent: host({ tools: { register: works(stage, 3_000) } }),
      timeline: [user(500, 2_500, 'book me')],
      llm: [['Sure.', toolCall('register')], 'Okay.'],
      tts,
    }))
    expect(lines[0]).toBe(
      "4.2 s–6.5 s silence: waiting for the tool register (1.8 s), then for the model's first word (0.1 s), then for the model's first sentence (0.2 s), then for the voice's first sound (0.2 s)",
    )
  })

  test('tools that work together are named together', async () => {
    const lines = await texts((stage) => ({
      bench: 'scenario',
      agent: host({ tools: { look: works(stage, 3_000), register: works(stage, 4_000) } }),
      timeline: [user(500, 2_500, 'book me')],
      llm: [[toolCall('look'), toolCall('register')], 'Okay.'],
      tts,
    }))
    expect(lines[0]).toContain('then for the tools look and register (3.0 s), then for the tool register (1.0 s)')
  })

  test('words that come late are waited for', async () => {
    const lines = await texts({
      bench: 'scenario',
      agent: host(),
      timeline: [user(500, 2_500, 'book me', { delay: 1_300 })],
      llm: ['Sure.'],
      tts,
    })
    expect(lines[0]).toContain(
      "2.5 s–4.3 s silence: waiting to see whether the caller had finished (0.5 s), then for the transcript of the caller's words (0.8 s)",
    )
  })

  test('where nobody owes anything, nobody had anything to say', async () => {
    const lines = await texts({
      bench: 'scenario',
      agent: host(),
      timeline: [user(500, 2_500, 'book me'), user(8_000, 9_000, 'thanks')],
      llm: ['Sure.', 'Okay.'],
      tts,
    })
    expect(lines).toContain('4.2 s–8.0 s silence: nobody had anything to say (3.8 s)')
  })

  test('speech that is held by a noise is a silence with the noise as its cause', async () => {
    const why =
      "the speech was held because the caller's voice lasted 500 ms; no words came; it went on at the same sample"
    const lines = await linesOf({
      bench: 'scenario',
      agent: host(),
      timeline: [opening, noise(5_000, 5_800)],
      llm: [story],
      tts,
    })
    expect(lines.slice(0, 2)).toEqual([
      {
        kind: 'false-interruption',
        from: 5_500,
        to: 8_300,
        cause: 'held',
        text: `5.5 s–8.3 s false interruption: ${why}`,
      },
      expect.objectContaining({
        kind: 'silence',
        from: 5_800,
        to: 8_300,
        cause: 'held',
        text: `5.8 s–8.3 s silence: ${why} (2.5 s)`,
      }),
    ])
  })

  test('a voice whose sound stops in the middle is waited for', async () => {
    const slow = async function* (text: AsyncIterable<string>, stage: Stage) {
      for await (const _ of text) {
        for (const word of ['One ', 'two.']) {
          yield { audio: new Int16Array(4_000), text: word }
          await stage.sleep(2_000)
        }
      }
    }
    const lines = await linesOf((stage) => ({
      bench: 'scenario',
      agent: host(),
      timeline: [user(500, 2_500, 'count')],
      llm: ['One two.'],
      tts: { name: 'halting', sampleRate: 8_000, speak: (text) => slow(text, stage) },
    }))
    expect(lines[0]).toMatchObject({
      kind: 'silence',
      cause: 'voice',
      text: expect.stringContaining('waiting for more of the sound of the voice'),
    })
    expect(lines[0]!.to - lines[0]!.from).toBe(1_500)
  })

  test('a failure explains why there was no answer', async () => {
    const lines = await texts({
      bench: 'scenario',
      agent: host(),
      timeline: [user(500, 2_500, 'book me')],
      llm: [{ error: 'overloaded' }],
      tts,
      until: 8_000,
      options: { speculation: false },
    })
    expect(lines[0]).toBe(
      '2.5 s–8.0 s silence: waiting to see whether the caller had finished (0.5 s), then for the model\'s first word (0.1 s), then the language model had failed ("overloaded") (4.9 s)',
    )
  })

  test('so does a hook that stops the answer, and a model that says nothing', async () => {
    const stopped = await texts({
      bench: 'scenario',
      agent: host({ userTurn: () => Promise.reject(new Error('broken')) }),
      timeline: [user(500, 2_500, 'book me')],
      llm: ['Sure.'],
      until: 8_000,
    })
    expect(stopped[0]).toContain('the hook userTurn had failed, and there was no answer')
    const silent = await texts({
      bench: 'scenario',
      agent: host(),
      timeline: [user(500, 2_500, 'book me')],
      llm: [{ parts: [] }],
      until: 8_000,
    })
    expect(silent[0]).toContain('the model had nothing to say')
  })

  test('an application that does not end the turn is waited for', async () => {
    const lines = await texts({
      bench: 'scenario',
      agent: host(),
      timeline: [user(500, 2_500, 'book me'), at(6_000, (session) => void session.commitUserTurn())],
      llm: ['Sure.'],
      tts,
      options: { turnDetection: 'manual' },
    })
    expect(lines[0]).toContain("waiting for the application to end the caller's turn (3.5 s)")
  })

  test('so is one that keeps the floor for the caller, if there is something to say', async () => {
    const claims: Disposable[] = []
    const lines = await texts({
      bench: 'scenario',
      agent: host(),
      timeline: [
        at(1_000, (session) => void claims.push(session.claimUserTurn())),
        at(3_000, (session) => void session.say('Sure.')),
        at(5_000, () => claims[0]![Symbol.dispose]()),
      ],
      tts,
    })
    expect(lines[0]).toMatch(
      /^0\.0 s–5\..* silence: nobody had anything to say \(3\.0 s\), then waiting for .*for the application to give the floor back/,
    )
  })

  test('a conversation in writing has no silences', async () => {
    const lines = await linesOf({
      agent: host(),
      tts: null,
      stt: null,
      vad: null,
      timeline: [typed(3_000, 'hello')],
      llm: ['Hello.'],
    })
    expect(lines).toEqual([])
  })

  test('times in the text count from the beginning, those of the line on the clock of the session', async () => {
    const { session } = await play({
      bench: 'scenario',
      agent: host(),
      timeline: [user(500, 2_500, 'hi')],
      llm: ['Sure.'],
      tts,
      until: 8_000,
    })
    const { entries, ...rest } = session.recording
    const later = {
      ...rest,
      entries: entries.map(({ at: time, input }) => ({
        at: time + 1_000_000,
        input: 'at' in input ? { ...input, at: input.at + 1_000_000 } : input,
      })),
    }
    const [line] = explain(later as Recording)
    expect(line).toMatchObject({ from: 1_004_200, to: 1_008_000 })
    expect(line!.text).toMatch(/^4\.2 s–8\.0 s silence/)
  })
})

describe('interruptions', () => {
  test('what the caller said, what was heard and what was not are named, and the tool that went on', async () => {
    const lines = await linesOf((stage) => ({
      bench: 'scenario',
      agent: host({ tools: { register: works(stage, 4_000) } }),
      timeline: [user(500, 2_500, 'book me'), user(5_000, 6_000, 'never mind')],
      llm: [['Let me check that for you right away', toolCall('register')], 'Okay.'],
      tts,
    }))
    expect(lines[0]).toEqual({
      kind: 'interruption',
      from: 5_500,
      to: 6_200,
      cause: 'caller',
      text: 'interrupted at 5.5 s: the caller said "never mind"; heard: "Let me", not heard: "check that for you right away"; the tool register went on',
    })
  })

  test('a tool that is stopped with its words is named as stopped', async () => {
    const lines = await texts((stage) => ({
      bench: 'scenario',
      agent: host({
        tools: {
          register: tool({
            description: 'Works.',
            onInterrupt: 'cancel',
            execute: (_, run) => stage.sleep(9_000, run.signal),
          }),
        },
      }),
      timeline: [user(500, 2_500, 'book me'), user(5_000, 6_000, 'never mind')],
      llm: [['Let me check that for you right away', toolCall('register')], 'Okay.'],
      tts,
    }))
    expect(lines[0]).toMatch(/; the tool register was stopped$/)
  })

  test('words that come before the answer was heard interrupt it, too', async () => {
    const lines = await texts({
      bench: 'scenario',
      agent: host(),
      timeline: [opening, user(3_000, 4_000, 'Stop!')],
      llm: [{ text: story, total: 1_000 }, 'Okay.'],
      tts,
    })
    expect(lines.find((line) => line.startsWith('interrupted'))).toBe(
      `interrupted at 4.2 s, before a word of it was heard: the caller said "Stop!"; not heard: "${story}"`,
    )
  })

  test('a voice that cut where nothing can be held, and had no words, is told by its length', async () => {
    const lines = await texts({
      bench: 'scenario',
      agent: host(),
      timeline: [opening, noise(5_000, 5_800)],
      llm: [story],
      tts,
      line: { canPause: false },
    })
    expect(lines[0]).toMatch(
      /^interrupted at 5\.5 s: the caller's voice lasted 500 ms; no words came; heard: "Here is a long"/,
    )
  })

  test('typed words, the application and the end of the session are told apart', async () => {
    const causeOf = async (act: NonNullable<Parameters<typeof at>[1]> | string) => {
      const timeline = [opening, typeof act === 'string' ? typed(5_000, act) : at(5_000, act)]
      const lines = await linesOf({
        bench: 'scenario',
        agent: host(),
        timeline,
        llm: [story, 'Okay.'],
        tts,
        until: 7_000,
      })
      return lines.find(({ kind }) => kind === 'interruption')?.text.split(';')[0]
    }
    expect(await causeOf('stop it')).toBe('interrupted at 5.0 s: the caller typed "stop it"')
    expect(await causeOf((session) => session.interrupt())).toBe('interrupted at 5.0 s: the application stopped it')
    expect(await causeOf((session) => void session.close())).toBe('interrupted at 5.0 s: the session was closing')
  })

  test('a voice that fails in the middle of its words cuts the speech short', async () => {
    const lines = await texts({
      bench: 'scenario',
      agent: host(),
      timeline: [opening],
      llm: [story],
      tts: { duration: durations, takes: [{ error: 'no more', errorAfter: 4 }], speed: 1 },
    })
    expect(lines.find((line) => line.startsWith('cut short'))).toMatch(
      /^cut short at .* s: it failed \("no more"\); heard: "Here is a/,
    )
  })

  test('a nod is told as what it was', async () => {
    const lines = await linesOf({
      bench: 'scenario',
      agent: host(),
      timeline: [opening, user(5_000, 5_800, 'mhm')],
      llm: [story],
      tts,
    })
    expect(lines[0]).toMatchObject({
      kind: 'false-interruption',
      from: 5_500,
      to: 6_000,
      text: expect.stringContaining('the caller said "mhm"; it went on at the same sample'),
    })
  })

  test('words that are only lowered are told as such, also when they are heard to their end', async () => {
    const ducked = (timeline: Act[]): SceneMaker => ({
      bench: 'scenario',
      agent: host(),
      timeline,
      llm: ['Sure.'],
      tts: { duration: { 'Sure.': 3_000 } },
      line: { canDuck: true },
      options: { turnHandling: { interruption: { hold: 'duck', falseInterruptionTimeout: 500 } } },
    })
    const released = await linesOf(ducked([user(500, 2_500, 'hi'), noise(3_500, 4_200)]))
    expect(released[0]).toMatchObject({
      kind: 'false-interruption',
      text: expect.stringContaining(
        "the speech was lowered because the caller's voice lasted 500 ms; no words came; it went on as loud as before",
      ),
    })
    const ended = await linesOf(ducked([user(500, 2_500, 'hi'), noise(5_000, 7_000)]))
    expect(ended.map(({ kind }) => kind)).toEqual(['silence'])
  })

  test('speech that goes on because it may not be interrupted says so', async () => {
    let handle: SpeechHandle | undefined
    const lines = await texts({
      bench: 'scenario',
      agent: host(),
      timeline: [
        at(0, (session) => {
          handle = session.say(story)
        }),
        noise(2_000, 3_000),
        at(2_800, () => {
          handle!.allowInterruptions = false
        }),
      ],
      tts,
    })
    expect(lines.some((line) => line.includes('the speech may not be interrupted'))).toBe(true)
  })
})

describe('what is no recording', () => {
  test('is refused with what to give instead', () => {
    expect(() => explain({} as Recording)).toThrow(UsageError)
    expect(() => explain(null as unknown as Recording)).toThrow('session.recording')
    expect(() => explain({ version: 2 } as unknown as Recording)).toThrow('version 2')
    expect(() => explain({ version: 1 } as unknown as Recording)).toThrow('entries')
  })
})
