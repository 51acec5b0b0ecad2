import { readFileSync } from 'node:fs'
import type { Audio, Spoken, Transcript, VoiceSegment } from 'antiphon'
import { afterAll, describe, expect, test } from 'vitest'
import { flite, moonshine, silero } from '../src/index.js'
import { wordErrors } from './word-errors.js'

const RATE = 16_000
const running = { signal: new AbortController().signal }

/**
 * "And so, my fellow Americans …": John F. Kennedy, 20 January 1961, in the public domain; from the npm package nodejs-whisper
 * 0.3.1. 16-bit mono at 16 kHz behind a header of 44 bytes.
 */
const kennedy = samplesOf(readFileSync(new URL('./jfk.wav', import.meta.url)).subarray(44))
const KENNEDY_SAID =
  'and so my fellow americans ask not what your country can do for you ask what you can do for your country'

const agentVoice = flite()
const callerVoice = flite({ voice: 'rms' })
const ear = moonshine()
const detector = silero()
const models = [agentVoice, callerVoice, ear, detector]

afterAll(async () => {
  await Promise.all(models.map((model) => model.close()))
})

describe('Flite', () => {
  test('speaks piece by piece and knows when each word is said', async () => {
    const spoken = await say(agentVoice, ['Hello there, how are you? ', 'I am jane@example.com.'])
    expect(spoken.map(({ text }) => text).join('')).toBe('Hello there, how are you? I am jane@example.com.')
    for (const { audio, words = [] } of spoken) {
      const duration = (audio.length / RATE) * 1_000
      expect(duration).toBeGreaterThan(1_000)
      for (const [index, word] of words.entries()) {
        expect(word.start).toBeGreaterThanOrEqual(words[index - 1]?.end ?? 0)
        expect(word.end).toBeLessThanOrEqual(duration)
      }
    }
    const [first] = spoken
    expect(first?.words?.map(({ text }) => text)).toEqual(['Hello', 'there,', 'how', 'are', 'you?'])
    expect(first?.words?.[0]?.start).toBeLessThan(60)
  })

  test('says nothing of nothing, and stops when it is told to', async () => {
    expect((await say(agentVoice, ['  ']))[0]?.audio).toHaveLength(0)
    const spoken: Spoken[] = []
    for await (const part of agentVoice.speak(stream(['Hello.']), { signal: AbortSignal.abort() })) spoken.push(part)
    expect(spoken).toEqual([])
  })
})

test('Silero hears a human voice, and neither silence nor hiss', async () => {
  const probabilities = async (samples: Int16Array) => {
    const stream = await detector.open()
    const found: number[] = []
    for (let at = 0; at + stream.frameSize <= samples.length; at += stream.frameSize) {
      found.push(await stream.process(samples.subarray(at, at + stream.frameSize)))
    }
    return found
  }
  const share = (all: readonly number[]) => all.filter((probability) => probability >= 0.5).length / all.length
  expect(share(await probabilities(new Int16Array(RATE)))).toBe(0)
  expect(share(await probabilities(kennedy))).toBeGreaterThan(0.6)
  expect(share(await probabilities(hiss(2_000)))).toBeLessThan(0.05)
})

describe('Moonshine', () => {
  test('writes down a human voice', async () => {
    const [heard] = finals(await listen(kennedy))
    expect(wordErrors(KENNEDY_SAID, heard ?? '')).toBeLessThanOrEqual(1)
  })

  test('writes down what the caller of the example says', async () => {
    const phrases = [
      'Hello, I would like to register for the summer conference.',
      'Wait, how much does it cost?',
      'My address is peter at example dot net.',
      'No, it ends with dot org.',
      "Yes, that's right.",
    ]
    let errors = 0
    for (const phrase of phrases) {
      const spoken = await say(callerVoice, [phrase])
      const [heard] = finals(await listen(spoken[0]!.audio))
      errors += wordErrors(phrase, heard ?? '')
    }
    expect(errors).toBe(0)
  })

  test('needs no native runtime', async () => {
    const other = moonshine({ model: 'tiny', runtime: 'wasm' })
    const [heard] = finals(await listen(kennedy, other))
    await other.close()
    expect(wordErrors(KENNEDY_SAID, heard ?? '')).toBeLessThanOrEqual(2)
  })

  test('takes noise for no words', async () => {
    expect(finals(await listen(hiss(1_000)))).toEqual([''])
  })

  test('stops when it is told to', async () => {
    const stop = new AbortController()
    const told = ear.transcribe(endless(), {
      signal: stop.signal,
      segments: stream<VoiceSegment>([{ type: 'start', at: 0 }]),
    })
    stop.abort()
    for await (const part of told) expect(part).toBeUndefined()
  })
})

async function say(voice: typeof agentVoice, pieces: readonly string[]): Promise<Spoken[]> {
  const spoken: Spoken[] = []
  for await (const part of voice.speak(stream(pieces), running)) spoken.push(part)
  return spoken
}

/** Plays `samples` to the recogniser as fast as it takes them in, as one utterance. */
async function listen(samples: Int16Array, recogniser = ear): Promise<Transcript[]> {
  const told: Transcript[] = []
  const segments = stream<VoiceSegment>([{ type: 'start', at: 0 }])
  for await (const part of recogniser.transcribe(frames(samples), { ...running, segments })) told.push(part)
  return told
}

const finals = (told: readonly Transcript[]) =>
  told.flatMap((part) => (part.type === 'transcript' && part.final ? [part.text] : []))

async function* stream<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}

async function* frames(samples: Int16Array): AsyncGenerator<Audio> {
  for (let at = 0; at < samples.length; at += 1_600) {
    yield { samples: samples.subarray(at, at + 1_600), rate: RATE }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function* endless(): AsyncGenerator<Audio> {
  for (;;) {
    yield { samples: new Int16Array(320), rate: RATE }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Noise that is the same in each run. */
function hiss(duration: number): Int16Array {
  let seed = 1
  return Int16Array.from({ length: (duration * RATE) / 1_000 }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    return (seed >> 16) / 32
  })
}

function samplesOf(bytes: Uint8Array): Int16Array {
  return new Int16Array(bytes.slice().buffer)
}
