import { describe, expect, test } from 'vitest'
import type { STT, Transcript } from '../../src/api/models.js'
import { Channel } from '../../src/audio/flow.js'
import { type AgentOptions, agent, type TTS } from '../../src/index.js'
import { close, of, type Said, TestLLM, voice, type World, type WorldOptions, world } from './world.js'

const host = (options: Partial<AgentOptions> = {}) =>
  agent({ name: 'host', instructions: 'You are the host.', greet: false, ...options })

/** A session with a recogniser that hears for itself where voices begin and end, and no VAD. */
const conversation = (lines: readonly Said[], options: WorldOptions = {}, root = host()) =>
  world(root, lines, { hears: true, speaks: true, ...options })

/** Makes it heard at these ms. */
async function timeline(
  { clock, hear }: World,
  heard: readonly (readonly [number, Transcript | string])[],
  until: number,
) {
  for (const [at, said] of heard) {
    await clock.advance(at - clock.now())
    hear.push(typeof said === 'string' ? { type: 'transcript', text: said, final: true } : said)
  }
  await clock.advance(until - clock.now())
}

const begins = { type: 'speech-start' } as const
const ends = { type: 'speech-end' } as const
const interim = (text: string) => ({ type: 'transcript', text, final: false }) as const

const story = ({ session }: World) =>
  session.history.flatMap((item) => {
    if (item.type === 'user') return [`user: ${item.text}`]
    return item.type === 'assistant' ? [`${item.agent}: ${item.text}${item.interrupted ? ' –' : ''}`] : []
  })

describe('a session without a VAD', () => {
  test('E-16: believes the recogniser when a voice begins and ends, and counts the delay from there', async () => {
    const made = conversation(['Hello there.'], { speculation: false })
    const at: (number | string)[] = []
    made.session.on('user-state', ({ to, at: time }) => at.push(to, time))
    made.session.on('user-turn-end', () => at.push('turn', made.clock.now()))
    made.session.on('speech-start', () => at.push('speech', made.clock.now()))
    const said = [
      [600, begins],
      [1_500, interim('tell me')],
      [2_600, 'tell me a story'],
      [2_700, ends],
    ] as const
    await timeline(made, said, 5_000)
    expect(at).toEqual(['speaking', 600, 'listening', 2_700, 'turn', 3_200, 'speech', 3_300])
    expect(story(made)).toEqual(['user: tell me a story', 'host: Hello there.'])
    await close(made)
  })

  const long = 'Here is a long story for you. '

  test('E-16: is interrupted by the first words, before they are final', async () => {
    const made = conversation([long, 'Yes?'])
    made.session.text('a story')
    await timeline(
      made,
      [
        [1_000, begins],
        [1_300, interim('stop')],
      ],
      1_400,
    )
    expect(of(made.events, 'speech-end')).toMatchObject([{ heard: 'Here is a', interrupted: true }])
    await timeline(
      made,
      [
        [1_500, 'stop it'],
        [1_600, ends],
      ],
      4_000,
    )
    expect(story(made)).toEqual(['user: a story', 'host: Here is a –', 'user: stop it', 'host: Yes?'])
    await close(made)
  })

  test('is not interrupted by what the recogniser takes for a voice and hears no words in', async () => {
    const made = conversation([long])
    made.session.text('a story')
    await timeline(
      made,
      [
        [1_000, begins],
        [2_000, ends],
      ],
      6_000,
    )
    expect(story(made)).toEqual(['user: a story', `host: ${long.trim()}`])
    await close(made)
  })

  test('waits for final words, if that is wanted', async () => {
    const made = conversation([long, 'Yes?'], { turnHandling: { interruption: { words: 'final' } } })
    made.session.text('a story')
    await timeline(
      made,
      [
        [1_000, begins],
        [1_300, interim('stop')],
        [1_700, 'stop it'],
      ],
      1_750,
    )
    expect(of(made.events, 'speech-end')).toMatchObject([{ heard: 'Here is a long', interrupted: true }])
    await close(made)
  })

  test('hears words of a recogniser that tells nothing of voices', async () => {
    const made = conversation([long, 'Yes?'])
    made.session.text('a story')
    await timeline(
      made,
      [
        [1_300, interim('stop')],
        [1_700, 'stop it'],
      ],
      4_000,
    )
    expect(story(made)).toEqual(['user: a story', 'host: Here is a –', 'user: stop it', 'host: Yes?'])
    await close(made)
  })
})

describe('how turns are handled', () => {
  const long = 'Here is a long story for you. '

  test('L-02: an agent may want it otherwise, as long as it has the conversation', async () => {
    const strict = host({ turnHandling: { interruption: { minWords: 3 } } })
    const made = conversation([long, 'Yes?', long, 'Well?'], {}, strict)
    made.session.text('a story')
    await timeline(
      made,
      [
        [1_000, begins],
        [1_200, 'stop'],
        [1_300, ends],
      ],
      1_900,
    )
    expect(of(made.events, 'speech-end')).toEqual([])
    await timeline(
      made,
      [
        [2_000, begins],
        [2_200, 'no, stop it'],
        [2_300, ends],
      ],
      5_000,
    )
    expect(story(made)).toEqual([
      'user: a story',
      'host: Here is a long story –',
      'user: stop no, stop it',
      'host: Yes?',
    ])
    made.session.updateAgent(host({ name: 'other' }))
    made.session.text('a story')
    await timeline(
      made,
      [
        [6_000, begins],
        [6_200, 'stop'],
        [6_300, ends],
      ],
      9_000,
    )
    expect(story(made).slice(4)).toEqual(['user: a story', 'other: Here is a –', 'user: stop', 'other: Well?'])
    await close(made)
  })

  test('E-19: with dynamic endpointing the delay follows the pauses of the caller', async () => {
    const endpointing = { mode: 'dynamic', alpha: 0.5, minDelay: 400, maxDelay: 2_000 } as const
    const made = conversation(['Yes.', 'Yes.'], { turnHandling: { endpointing } })
    const turns: number[] = []
    made.session.on('user-turn-end', () => turns.push(made.clock.now()))
    await timeline(
      made,
      [
        [0, begins],
        [1_000, 'one'],
        [1_000, ends],
      ],
      1_399,
    )
    await timeline(
      made,
      [
        [1_399, begins],
        [2_000, 'two'],
        [2_000, ends],
      ],
      5_000,
    )
    // half of 400, half of 399
    expect(turns).toEqual([2_400])
    await timeline(
      made,
      [
        [6_000, begins],
        [6_500, 'three'],
        [6_500, ends],
        [6_899, begins],
        [7_000, ends],
      ],
      7_000,
    )
    await timeline(
      made,
      [
        [7_300, begins],
        [8_000, 'four'],
        [8_000, ends],
      ],
      12_000,
    )
    expect(turns).toHaveLength(2)
    await close(made)
  })

  test('L-01: who talks on for too long is answered in between; those words are not answered again', async () => {
    const made = conversation(['I see.', 'And so on.'], { userTurnLimit: { maxWords: 4 }, speculation: false })
    await timeline(
      made,
      [
        [0, begins],
        [1_000, 'well I was'],
        [2_000, 'thinking that maybe'],
      ],
      4_000,
    )
    expect(of(made.events, 'user-turn-exceeded')).toMatchObject([{ text: 'well I was thinking that maybe' }])
    expect(story(made)).toEqual(['user: well I was thinking that maybe', 'host: I see.'])
    await timeline(
      made,
      [
        [4_500, 'we could'],
        [4_600, ends],
      ],
      7_000,
    )
    expect(story(made).slice(2)).toEqual(['user: we could', 'host: And so on.'])
    await close(made)
  })

  test('L-01: the limit may be a duration', async () => {
    const made = conversation(['I see.'], { userTurnLimit: { maxDuration: 3_000 } })
    await timeline(
      made,
      [
        [0, begins],
        [1_000, 'well I was'],
      ],
      2_900,
    )
    expect(of(made.events, 'user-turn-exceeded')).toEqual([])
    await timeline(made, [], 3_200)
    expect(of(made.events, 'user-turn-exceeded')).toMatchObject([{ text: 'well I was' }])
    await close(made)
  })

  test('a voice that is judged to be a back-channel takes nothing from the agent and is nobody’s turn', async () => {
    const made = conversation([long])
    made.session.text('a story')
    await timeline(made, [[1_500, begins]], 1_600)
    made.session.judgeOverlap('backchannel')
    await timeline(
      made,
      [
        [1_700, 'right right'],
        [1_800, ends],
      ],
      6_000,
    )
    expect(story(made)).toEqual(['user: a story', `host: ${long.trim()}`])
    expect(made.session.history.at(-1)).toMatchObject({ type: 'overheard', text: 'right right' })
    expect(() => made.session.judgeOverlap('noise' as never)).toThrow('must be "backchannel" or "interruption"')
    await close(made)
  })

  test('a voice that is judged to interrupt cuts before there are words', async () => {
    const made = conversation([long])
    made.session.text('a story')
    await timeline(made, [[1_500, begins]], 1_600)
    made.session.judgeOverlap('interruption')
    await made.clock.advance(0)
    expect(of(made.events, 'speech-end')).toMatchObject([{ interrupted: true }])
    await close(made)
  })
})

describe('what an agent has of its own', () => {
  test('its model and its voice answer as long as it has the conversation', async () => {
    const spoken: string[] = []
    const own = (name: string): TTS => ({
      ...voice,
      name,
      speak(text, running) {
        spoken.push(name)
        return voice.speak(text, running)
      },
    })
    const made = conversation(['Hello.', 'Goodbye.'], { tts: own('theirs') })
    const llm = new TestLLM(made.clock, ['Here is another.'])
    const other = agent({ name: 'other', instructions: 'You are another.', greet: false, llm, tts: own('its') })
    const say = async (text: string) => {
      made.session.text(text)
      await made.clock.advance(3_000)
    }
    await say('hi')
    made.session.updateAgent(other)
    await say('hi')
    made.session.updateAgent(host())
    await say('bye')
    expect(story(made).filter((line) => !line.startsWith('user'))).toEqual([
      'host: Hello.',
      'other: Here is another.',
      'host: Goodbye.',
    ])
    expect(spoken).toEqual(['theirs', 'its', 'theirs'])
    expect(llm.requests).toMatchObject([{ instructions: 'You are another.' }])
    await close(made)
  })

  /** A recogniser that counts its streams. */
  function ear(name: string) {
    const heard = new Channel<Transcript>()
    const streams: AbortSignal[] = []
    const stt: STT = {
      name,
      sampleRate: 16_000,
      transcribe: (_, { signal }) => {
        streams.push(signal)
        return heard
      },
    }
    return { stt, heard, streams }
  }

  test('H-11: a recogniser that both use goes on hearing through the hand-off, in the middle of a word', async () => {
    const { stt, heard, streams } = ear('shared')
    const made = conversation(['Hello, this is the other.'], { stt })
    await made.clock.advance(1_000)
    heard.push(begins)
    heard.push(interim('may I'))
    await made.clock.advance(500)
    made.session.updateAgent(agent({ name: 'other', instructions: 'X', greet: false, stt }))
    await made.clock.advance(500)
    heard.push({ type: 'transcript', text: 'may I ask you something', final: true })
    heard.push(ends)
    await made.clock.advance(4_000)
    expect(streams.map(({ aborted }) => aborted)).toEqual([false])
    expect(story(made)).toEqual(['user: may I ask you something', 'other: Hello, this is the other.'])
    await close(made)
  })

  test('H-11: another recogniser is opened, and the one before closed', async () => {
    const [first, second] = [ear('first'), ear('second')]
    const made = conversation(['Hello.'], { stt: first.stt })
    await made.clock.advance(1_000)
    made.session.updateAgent(agent({ name: 'other', instructions: 'X', greet: false, stt: second.stt }))
    await made.clock.advance(100)
    expect([first, second].map(({ streams }) => streams.map(({ aborted }) => aborted))).toEqual([[true], [false]])
    second.heard.push({ type: 'transcript', text: 'hello', final: true })
    await made.clock.advance(3_000)
    expect(story(made)).toEqual(['user: hello', 'other: Hello.'])
    await close(made)
  })
})
