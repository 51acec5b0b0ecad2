import { describe, expect, test } from 'vitest'
import type { Audio, TrackEnd } from '../../src/index.js'
import { TestLine, type TestLineOptions, VirtualClock } from '../../src/testing/index.js'
import { layOut, soundOf } from '../../src/testing/sound.js'

const sampleRate = 8_000

/** Sound of `text`, `perWord` ms a word. */
function sound(text: string, perWord = 100): Int16Array {
  const words = layOut(text, text.split(' ').length * perWord, 'words')
  return Int16Array.from(
    words.flatMap((word) => [...soundOf(word.text, ((word.end - word.start) * sampleRate) / 1_000)]),
  )
}

function open(options: Omit<TestLineOptions, 'clock'> = {}) {
  const clock = new VirtualClock()
  const line = new TestLine({ clock, ...options })
  const ends: (TrackEnd & { at: number })[] = []
  const track = line.open({ speech: 's1', sampleRate, ended: (end) => ends.push({ ...end, at: clock.now() }) })
  return { clock, line, track, ends }
}

describe('TestLine', () => {
  test('plays in virtual time, and reports the end', async () => {
    const { clock, line, track, ends } = open({ startDelay: 20 })
    void track.write(sound('one two three'))
    track.end()
    await clock.advance(50)
    expect(line.sounds[0]).toMatchObject({ from: null, end: 'open', text: '' })
    track.play()
    await clock.advance(220)
    expect(track.position).toBe(200)
    expect(line.sounds[0]).toMatchObject({ from: 70, to: null, text: 'one two' })
    await clock.advance(1_000)
    expect(ends).toEqual([{ position: 300, cleared: false, at: 370 }])
    expect(line.sounds[0]).toMatchObject({
      from: 70,
      to: 370,
      end: 'whole',
      text: 'one two three',
      position: 300,
      reported: 300,
    })
    expect(line.openTracks).toBe(0)
  })

  test('holds and goes on at the same sample', async () => {
    const { clock, line, track } = open()
    void track.write(sound('one two three'))
    track.end()
    track.play()
    await clock.advance(150)
    track.pause()
    await clock.advance(500)
    expect(track.position).toBe(150)
    track.resume()
    await clock.advance(1_000)
    expect(line.sounds[0]).toMatchObject({
      to: 800,
      end: 'whole',
      pauses: [{ at: 150, position: 150, until: 650 }],
      stretches: [
        { from: 0, to: 150, start: 0, end: 150 },
        { from: 650, to: 800, start: 150, end: 300 },
      ],
    })
  })

  test('keeps only the words that were heard whole when it is cut', async () => {
    const { clock, line, track, ends } = open({ clearDelay: 20 })
    void track.write(sound('one two three'))
    track.play()
    await clock.advance(250)
    track.clear()
    expect(ends).toEqual([])
    await clock.advance(100)
    expect(ends).toEqual([{ position: 250, cleared: true, at: 270 }])
    expect(line.sounds[0]).toMatchObject({ to: 250, end: 'cut', text: 'one two', late: 0 })
    void track.write(sound('four'))
    expect(line.sounds[0]?.late).toBe(1)
  })

  test('sounds on for a while after a clear, where it is told so', async () => {
    const { clock, line, track, ends } = open({ stopDelay: 100 })
    void track.write(sound('one two three'))
    track.play()
    await clock.advance(150)
    track.clear()
    await clock.advance(500)
    expect(ends).toEqual([{ position: 250, cleared: true, at: 250 }])
    expect(line.sounds[0]?.text).toBe('one two')
  })

  test('loses the report of a clear, or of an end', async () => {
    const lost = open({ losesClears: true })
    void lost.track.write(sound('one'))
    lost.track.play()
    await lost.clock.advance(50)
    lost.track.clear()
    await lost.clock.advance(1_000)
    expect(lost.ends).toEqual([])
    expect(lost.line.sounds[0]).toMatchObject({ end: 'cut', reported: null })
    const { clock, line, track, ends } = open({ losesEnds: 1 })
    void track.write(sound('one'))
    track.end()
    track.play()
    await clock.advance(1_000)
    expect([ends, line.sounds[0]?.end]).toEqual([[], 'whole'])
  })

  test('gives up what was never played', () => {
    const { line, track } = open()
    void track.write(sound('one'))
    track.clear()
    expect(line.sounds[0]).toMatchObject({ end: 'unheard', from: null, text: '' })
  })

  test('waits for sound that comes late, and goes on where it stopped', async () => {
    const { clock, line, track } = open()
    track.play()
    void track.write(sound('one'))
    await clock.advance(300)
    expect(track.position).toBe(100)
    void track.write(sound('two'))
    track.end()
    await clock.advance(300)
    expect(line.sounds[0]).toMatchObject({
      to: 400,
      text: 'one' + 'two',
      stretches: [
        { from: 0, to: 100, start: 0, end: 100 },
        { from: 300, to: 400, start: 100, end: 200 },
      ],
    })
  })

  test('holds back whoever writes more than it has room for', async () => {
    const { clock, track } = open({ buffer: 150 })
    const room: number[] = []
    expect(track.write(sound('one'))).toBeUndefined()
    void Promise.resolve(track.write(sound('two'))).then(() => room.push(clock.now()))
    await clock.advance(100)
    expect(room).toEqual([])
    track.play()
    await clock.advance(100)
    expect(room).toEqual([150])
    void Promise.resolve(track.write(sound('three four five'))).then(() => room.push(clock.now()))
    track.clear()
    await clock.settle()
    expect(room).toEqual([150, 200])
  })

  test('becomes quieter without stopping', async () => {
    const { clock, line, track } = open({ canDuck: true })
    void track.write(sound('one two'))
    track.play()
    await clock.advance(50)
    track.duck?.(true)
    await clock.advance(50)
    track.duck?.(false)
    expect(line.sounds[0]?.ducks).toEqual([{ at: 50, until: 100 }])
  })

  test('lets a caller be heard, who is silent otherwise, and who may leave', async () => {
    const clock = new VirtualClock()
    const line = new TestLine({ clock, frame: 50 })
    line.say(100, 175)
    const frames: Audio[] = []
    let left = false
    void (async () => {
      for await (const frame of line.incoming) frames.push(frame)
      left = true
    })()
    await clock.advance(250)
    const voiced = frames.map(({ samples, rate }) => (samples.filter((sample) => sample !== 0).length * 1_000) / rate)
    expect(voiced).toEqual([0, 0, 50, 25, 0])
    line.hangUp()
    await clock.settle()
    expect([left, clock.openTimers]).toEqual([true, 0])
  })

  test('leaves nothing behind when it is closed', async () => {
    const { clock, line, track } = open()
    void line.incoming[Symbol.asyncIterator]().next()
    void track.write(sound('one'))
    track.end()
    track.play()
    line.close()
    expect([clock.openTimers, line.openTracks, line.closed]).toEqual([0, 0, true])
  })
})
