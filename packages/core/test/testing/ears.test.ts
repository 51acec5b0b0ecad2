import { describe, expect, test } from 'vitest'
import type { Transcript } from '../../src/index.js'
import { scriptedSTT, scriptedVAD, VirtualClock } from '../../src/testing/index.js'

async function* never() {
  await new Promise(() => {})
}

describe('scriptedSTT', () => {
  test('hears its script from when it was opened, and what it is told to hear', async () => {
    const clock = new VirtualClock()
    await clock.advance(1_000)
    const stt = scriptedSTT({ clock, script: [{ at: 500, type: 'transcript', text: 'book me', final: true }] })
    const controller = new AbortController()
    const heard: [number, Transcript][] = []
    let open = true
    void (async () => {
      const running = { signal: controller.signal, segments: never() }
      for await (const each of stt.transcribe(never(), running)) heard.push([clock.now(), each])
      open = false
    })()
    clock.at(1_700, () => stt.hear({ type: 'speech-start' }))
    await clock.advance(2_000)
    expect(heard).toEqual([
      [1_500, { type: 'transcript', text: 'book me', final: true }],
      [1_700, { type: 'speech-start' }],
    ])
    expect(stt.open).toBe(1)
    controller.abort()
    await clock.settle()
    expect([open, stt.open]).toEqual([false, 0])
  })

  test('fails when it is told to, and hears on in its next stream', async () => {
    const clock = new VirtualClock()
    const stt = scriptedSTT({ clock })
    const listen = async () => {
      const heard: Transcript[] = []
      const running = { signal: new AbortController().signal, segments: never() }
      try {
        for await (const each of stt.transcribe(never(), running)) heard.push(each)
      } catch (error) {
        return [heard, (error as Error).message]
      }
      return [heard]
    }
    const first = listen()
    await clock.settle()
    stt.fail(new Error('connection lost'))
    expect(await first).toEqual([[], 'connection lost'])
    stt.hear({ type: 'transcript', text: 'again', final: true })
    void listen()
    await clock.settle()
    expect(stt.open).toBe(1)
  })
})

describe('scriptedVAD', () => {
  test('takes whatever is not silence for a voice, and says when it is sure', async () => {
    const vad = scriptedVAD({ start: 60, end: 500 })
    const stream = await vad.open()
    expect(vad.detection).toEqual({ start: 60, silence: 500 })
    expect(stream.frameSize).toBe(160)
    expect(await stream.process(new Int16Array(160))).toBeLessThan(0.35)
    expect(await stream.process(new Int16Array(160).fill(5))).toBeGreaterThan(0.5)
  })
})
