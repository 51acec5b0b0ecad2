import { describe, expect, test } from 'vitest'
import type { Spoken, TTS } from '../../src/index.js'
import { scriptedTTS, VirtualClock } from '../../src/testing/index.js'

async function* pieces(...texts: string[]) {
  yield* texts
}

async function speak(
  clock: VirtualClock,
  tts: TTS,
  text: AsyncIterable<string>,
  signal = new AbortController().signal,
) {
  const parts: (Spoken & { at: number; ms: number })[] = []
  let end: string | undefined
  void (async () => {
    try {
      for await (const part of tts.speak(text, { signal })) {
        parts.push({ ...part, at: clock.now(), ms: (part.audio.length * 1_000) / tts.sampleRate })
      }
      end = `done at ${clock.now()}`
    } catch (error) {
      end = `${(error as Error).message} at ${clock.now()}`
    }
  })()
  await clock.advance(60_000)
  return { parts, end }
}

describe('scriptedTTS', () => {
  test('makes all of a text at once, as long as it is told, with the times of the words', async () => {
    const clock = new VirtualClock()
    const tts = scriptedTTS({ clock, firstByte: 200, waitsFor: 'text', duration: { 'Hello there.': 900 } })
    const { parts, end } = await speak(clock, tts, pieces('Hello ', 'there.'))
    expect(parts).toHaveLength(1)
    expect(parts[0]).toMatchObject({ at: 200, ms: 900, text: 'Hello there.' })
    expect(parts[0]?.words).toEqual([
      { text: 'Hello', start: 0, end: 600 },
      { text: 'there.', start: 600, end: 900 },
    ])
    expect(end).toBe('done at 200')
    expect(tts.requests[0]).toMatchObject({ text: 'Hello there.', made: 900, outcome: 'done' })
  })

  test('makes words as fast as it is told, sentence by sentence', async () => {
    const clock = new VirtualClock()
    const tts = scriptedTTS({ clock, firstByte: 150, perWord: 400, speed: 10 })
    const { parts } = await speak(clock, tts, pieces('One two. ', 'Three.'))
    expect(parts.map(({ at, ms, text }) => [at, ms, text])).toEqual([
      [150, 400, 'One '],
      [190, 400, 'two. '],
      [340, 400, 'Three.'],
    ])
  })

  test('tells the text of its sound only, or nothing, where it is told so', async () => {
    const clock = new VirtualClock()
    const [text, nothing] = (['text', 'nothing'] as const).map((aligned) => scriptedTTS({ clock, aligned }))
    expect(Object.keys((await speak(clock, text!, pieces('Hi.'))).parts[0]!)).toEqual(['audio', 'text', 'at', 'ms'])
    expect(Object.keys((await speak(clock, nothing!, pieces('Hi.'))).parts[0]!)).toEqual(['audio', 'at', 'ms'])
  })

  test('finds the length of a text by its beginning, by a function, or by its words', async () => {
    const clock = new VirtualClock()
    const long = async (duration: Parameters<typeof scriptedTTS>[0]['duration']) =>
      (await speak(clock, scriptedTTS({ clock, duration: duration! }), pieces('One two three.'))).parts[0]?.ms
    expect(await long({ 'One two': 2_500 })).toBe(2_500)
    expect(await long((text) => text.length * 100)).toBe(1_400)
    expect(await long({ Other: 1 })).toBe(1_200)
  })

  test('fails before any sound, and after some', async () => {
    const clock = new VirtualClock()
    const tts = scriptedTTS({
      clock,
      firstByte: 100,
      takes: [
        { times: 1, error: 'no voice', firstByte: 800 },
        { when: 'Two', error: 'hoarse', errorAfter: 1 },
      ],
    })
    expect(await speak(clock, tts, pieces('One.'))).toMatchObject({ parts: [], end: 'no voice at 800' })
    const second = await speak(clock, tts, pieces('Two three.'))
    expect(second.parts.map(({ text }) => text)).toEqual(['Two '])
    expect(second.end).toMatch(/^hoarse/)
    expect(tts.requests.map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
  })

  test('goes silent until it is told to stop', async () => {
    const clock = new VirtualClock()
    const controller = new AbortController()
    clock.at(3_000, () => controller.abort(new Error('enough')))
    const tts = scriptedTTS({ clock, takes: [{ stall: true }] })
    expect(await speak(clock, tts, pieces('One.'), controller.signal)).toEqual({ parts: [], end: 'enough at 3000' })
    expect(tts.requests[0]?.outcome).toBe('aborted')
  })

  test('goes on after it was told to stop, where it is told so', async () => {
    const clock = new VirtualClock()
    const controller = new AbortController()
    clock.at(10, () => controller.abort())
    const tts = scriptedTTS({ clock, speed: 1, takes: [{ ignoresSignal: true }] })
    expect((await speak(clock, tts, pieces('One two three.'), controller.signal)).parts).toHaveLength(3)
  })
})
