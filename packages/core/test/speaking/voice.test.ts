import { beforeEach, describe, expect, it } from 'vitest'
import { ProviderError } from '../../src/api/errors.js'
import type { Track } from '../../src/api/line.js'
import type { Running, Spoken, TTS } from '../../src/api/models.js'
import type { VoiceInput } from '../../src/conversation/protocol.js'
import { TextStream } from '../../src/speaking/text-stream.js'
import { type SpeakOptions, speak, type VoiceUsage } from '../../src/speaking/voice.js'
import type { WordMark } from '../../src/speaking/words.js'

const rate = 16_000

/** `ms` of sound. */
const sound = (ms: number) => new Int16Array((ms * rate) / 1_000).fill(1_000)
const never = () => new Promise<never>(() => {})

function voice(speakText: (text: AsyncIterable<string>, running: Running) => AsyncIterable<Spoken>): TTS {
  return { name: 'test', sampleRate: rate, speak: speakText }
}

/** Speaks sentence by sentence, 200 ms a word, and tells nothing. */
const plain = voice(async function* (text) {
  for await (const sentence of text) yield { audio: sound(sentence.trim().split(/\s+/).length * 200) }
})

/** Reads its text, and makes no sound. */
const silent = voice(async function* (text) {
  for await (const _ of text) yield* []
})

let track: Track & { written: number; ended: boolean; room: Promise<void> | undefined }
let sent: VoiceInput[]
let marks: WordMark[]
let errors: unknown[]
let text: TextStream
let abort: AbortController

beforeEach(() => {
  const nothing = () => {}
  track = {
    written: 0,
    ended: false,
    room: undefined,
    write(samples) {
      this.written += samples.length
      return this.room
    },
    end() {
      this.ended = true
    },
    play: nothing,
    pause: nothing,
    resume: nothing,
    clear: nothing,
    position: 0,
  }
  sent = []
  marks = []
  errors = []
  text = new TextStream()
  abort = new AbortController()
})

function start(tts: TTS, more: Partial<SpeakOptions> = {}): Promise<VoiceUsage> {
  return speak({
    tts,
    track,
    text,
    signal: abort.signal,
    speech: 's1',
    send: (input) => sent.push(input),
    marked: (mark) => marks.push(mark),
    failed: (error) => errors.push(error),
    ...more,
  })
}

function say(words: string): void {
  text.push(words)
  text.end()
}

const types = () => sent.map(({ type }) => type)
const sentMarks = () =>
  sent.flatMap((input) => (input.type === 'voice-mark' ? [[input.chars, Math.round(input.at)]] : []))
/** Lets everything happen that can. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('speak', () => {
  it('starts with the first sound, marks each word, and ends with the duration', async () => {
    say('Hi there. Bye!')
    expect(await start(plain)).toEqual({ characters: 14, audioMs: 600 })
    expect(types()).toEqual(['voice-start', 'voice-mark', 'voice-mark', 'voice-mark', 'voice-end'])
    expect(sentMarks()).toEqual([
      [2, 200],
      [9, 400],
      [14, 600],
    ])
    expect(sent.at(-1)).toEqual({ type: 'voice-end', speech: 's1', duration: 600 })
    expect(track).toMatchObject({ written: 9_600, ended: true })
  })

  it('has marked the words of a sentence when the voice asks for the next', async () => {
    text.push('Hi there. ')
    const speaking = start(plain)
    await settle()
    expect(sentMarks()).toEqual([
      [2, 200],
      [9, 400],
    ])
    text.end()
    await speaking
  })

  it('passes on the times that the voice tells', async () => {
    say('Hi there.')
    await start(
      voice(async function* (pieces) {
        for await (const _ of pieces) {
          yield {
            audio: sound(500),
            text: 'Hi there.',
            words: [
              { text: 'Hi', start: 50, end: 150 },
              { text: 'there', start: 200, end: 450 },
            ],
          }
        }
      }),
    )
    expect(marks).toEqual([
      { chars: 2, start: 50, at: 150, precise: true },
      { chars: 9, start: 200, at: 450, precise: true },
    ])
  })

  it('writes sound before it tells of it, so that it can be played at once', async () => {
    say('Hi.')
    let writtenAtStart = 0
    await start(plain, {
      send: ({ type }) => {
        if (type === 'voice-start') writtenAtStart = track.written
      },
    })
    expect(writtenAtStart).toBe(3_200)
  })

  it('waits until the track has room, and makes no more sound meanwhile', async () => {
    let room = () => {}
    track.room = new Promise((resolve) => {
      room = resolve
    })
    say('Hi there. Bye.')
    const speaking = start(plain)
    await settle()
    expect(track.written).toBe(6_400)
    expect(types()).toEqual(['voice-start'])
    track.room = undefined
    room()
    await speaking
    expect(track.written).toBe(9_600)
  })

  it('ignores empty sound and cuts up what is longer than 10 s', async () => {
    const lengths: number[] = []
    track.write = (samples) => void lengths.push(samples.length)
    say('Hi.')
    await start(
      voice(async function* (pieces) {
        for await (const _ of pieces) yield* [{ audio: sound(0) }, { audio: sound(12_000) }, { audio: sound(0) }]
      }),
    )
    expect(lengths).toEqual([160_000, 32_000])
    expect(types()).toEqual(['voice-start', 'voice-mark', 'voice-end'])
  })

  it('gives the voice the transformed text, and marks the original', async () => {
    say('**Hi** 👍 there.')
    const given: string[] = []
    const usage = await start(
      voice(async function* (pieces) {
        for await (const piece of pieces) {
          given.push(piece)
          yield { audio: sound(200), text: piece }
        }
      }),
      { transformed: (piece) => piece.replace(/[*👍]/gu, '') },
    )
    expect(given).toEqual(['Hi  there.'])
    expect(usage.characters).toBe(10)
    expect(sentMarks().at(-1)).toEqual([16, 200])
    expect(sentMarks()[0]).toEqual([6, 100])
  })

  it('asks the voice for nothing when there is nothing to say', async () => {
    say(' \n ')
    expect(await start(plain)).toEqual({ characters: 0, audioMs: 0 })
    expect(sent).toEqual([
      { type: 'voice-mark', speech: 's1', chars: 3, at: 0 },
      { type: 'voice-end', speech: 's1', duration: 0 },
    ])
  })
})

describe('a voice that fails', () => {
  const failure = () => sent.at(-1) as Extract<VoiceInput, { type: 'voice-end' }>

  it('ends the speech with what went wrong, and what was made is kept', async () => {
    say('Hi. Bye.')
    const error = new ProviderError('no credit', { status: 402 })
    await start(
      voice(async function* (pieces) {
        for await (const piece of pieces) {
          if (piece === 'Bye.') throw error
          yield { audio: sound(200), text: piece }
        }
      }),
    )
    expect(errors).toEqual([error])
    expect(failure()).toEqual({
      type: 'voice-end',
      speech: 's1',
      duration: 200,
      error: { blame: 'provider', message: 'no credit', retryable: false },
    })
    expect(sentMarks()).toEqual([[3, 200]])
    expect(track.ended).toBe(true)
  })

  it.each<[what: string, tts: TTS, message: string]>([
    ['makes no sound of its text', silent, 'The voice test made no sound of its text.'],
    [
      'leaves before its text has ended',
      voice(async function* () {
        yield { audio: sound(100) }
      }),
      'The voice test ended before its text did.',
    ],
    [
      'makes bytes instead of samples',
      voice(async function* () {
        yield { audio: new Uint8Array(3) as unknown as Int16Array }
      }),
      'The voice test made something that is no sound.',
    ],
    ['has an impossible rate', { ...plain, sampleRate: 24 }, '8000 to 192000'],
    [
      'throws at once',
      voice(() => {
        throw new Error('not loaded')
      }),
      'The voice test failed: not loaded',
    ],
  ])('is told of: one that %s', async (_, tts, message) => {
    say('Hi there.')
    await start(tts)
    expect(errors).toHaveLength(1)
    expect(failure().error?.blame).toBe('provider')
    expect(failure().error?.message).toContain(message)
  })

  it('may be silent where there is nothing to be heard', async () => {
    say('<laugh/> …')
    await start(silent)
    expect(errors).toEqual([])
    expect(sentMarks().at(-1)).toEqual([10, 0])
  })
})

describe('after the abort', () => {
  it('of a voice that tells nothing, the words that were heard by then are marked by its pace', async () => {
    text.push('one two three four. ')
    const speaking = start(
      voice(async function* (pieces) {
        for await (const _ of pieces) {
          yield { audio: sound(1_000) }
          await never()
        }
      }),
    )
    await settle()
    track = Object.assign(track, { position: 600 })
    expect(sentMarks()).toEqual([])
    abort.abort()
    await speaking
    expect(sentMarks()).toEqual([
      [3, 263],
      [7, 526],
    ])
  })

  it('nothing is written or sent, though the voice ignores its signal', async () => {
    say('Hi there. Bye.')
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const speaking = start(
      voice(async function* () {
        yield { audio: sound(100) }
        await gate
        yield { audio: sound(100) }
      }),
    )
    await settle()
    abort.abort()
    expect(await speaking).toEqual({ characters: 0, audioMs: 100 })
    goOn()
    await settle()
    expect(track).toMatchObject({ written: 1_600, ended: false })
    expect(types()).toEqual(['voice-start'])
  })

  it('it ends without waiting for a voice that hangs, a text that stays open, or a track without room', async () => {
    const hanging = start(voice(() => ({ [Symbol.asyncIterator]: () => ({ next: never }) })))
    text.push('Hi there. ')
    track.room = never()
    const full = start(plain)
    await settle()
    abort.abort()
    await Promise.all([hanging, full])
    expect(types()).toEqual(['voice-start'])
  })

  it('nothing is sent although the abort came from whoever was told of the start', async () => {
    say('Hi there.')
    await start(plain, {
      send: (input) => {
        sent.push(input)
        abort.abort()
      },
    })
    expect(types()).toEqual(['voice-start'])
    expect(track.ended).toBe(false)
  })

  it('an error of the voice is nobody’s concern', async () => {
    say('Hi there.')
    const speaking = start(
      voice(async function* (_, { signal }) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        yield* []
        throw new Error('aborted')
      }),
    )
    await settle()
    abort.abort()
    await speaking
    expect([errors, sent]).toEqual([[], []])
  })
})
