import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Audio, readWav, type TrackEnd, writeWav } from 'antiphon'
import { VirtualClock } from 'antiphon/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RecordedLineOptions, recordedLine } from '../src/index.js'

const RATE = 16_000

/** So many ms of sound that is as loud as `level`. */
const tone = (duration: number, level: number): Audio => ({
  rate: RATE,
  samples: new Int16Array((duration * RATE) / 1_000).fill(level),
})

let clock: VirtualClock
beforeEach(() => {
  clock = new VirtualClock()
})

/** A call on the virtual clock: what was heard of the caller, and the tracks of the agent. */
function call(caller: RecordedLineOptions['caller']) {
  const line = recordedLine({ caller, clock })
  const frames: { readonly at: number; readonly level: number; readonly length: number }[] = []
  let left: number | null = null
  const listen = async () => {
    for await (const { samples } of line.incoming) {
      frames.push({ at: clock.now(), level: samples.at(-1)!, length: samples.length })
    }
    left = clock.now()
  }
  const listening = listen()
  const say = (duration: number, level: number) => {
    const ends: TrackEnd[] = []
    const track = line.open({ speech: 's1', sampleRate: RATE, ended: (end) => ends.push(end) })
    void track.write(tone(duration, level).samples)
    return { track, ends }
  }
  return { line, frames, say, listening, left: () => left }
}

/** Where a channel is not silent: ms from and to, and how loud. */
function stretches(samples: Int16Array): [number, number, number][] {
  const found: [number, number, number][] = []
  for (const [index, level] of samples.entries()) {
    const last = found.at(-1)
    const at = (index * 1_000) / RATE
    if (level === 0) continue
    if (last && last[1] === at && last[2] === level) last[1] = at + 1_000 / RATE
    else found.push([at, at + 1_000 / RATE, level])
  }
  return found
}

describe('what the caller says', () => {
  test('comes in frames of 20 ms, in the time of the clock', async () => {
    const { frames } = call(tone(100, 7))
    await clock.advance(200)
    expect(frames.every(({ length }) => length === 320)).toBe(true)
    expect(frames.map(({ at }) => at)).toEqual([20, 40, 60, 80, 100, 120, 140, 160, 180, 200])
    expect(frames.map(({ level }) => level)).toEqual([7, 7, 7, 7, 7, 0, 0, 0, 0, 0])
  })

  test('is said on its cue: over the agent, or when it has spoken', async () => {
    const { line, say } = call([
      { sound: tone(500, 1), cue: { when: 'agent-rests', after: 300 } },
      { sound: tone(500, 2), cue: { when: 'agent-speaks', after: 700 } },
    ])
    await clock.advance(1_000)
    const opening = say(1_000, 50)
    opening.track.end()
    opening.track.play()
    await clock.advance(2_000)
    const answer = say(2_000, 60)
    answer.track.play()
    await clock.advance(3_000)
    expect(line.said.map(({ from }) => from)).toEqual([2_300, 3_700])
  })

  test('does not take speech that goes on after a pause for a new one', async () => {
    const { line, say } = call([
      { sound: tone(200, 1) },
      { sound: tone(200, 2), cue: { when: 'agent-speaks', after: 100 } },
    ])
    const { track } = say(5_000, 50)
    track.play()
    await clock.advance(100)
    track.pause()
    await clock.advance(400)
    track.resume()
    await clock.advance(1_000)
    expect(line.said).toHaveLength(1)
  })

  test('ends when the answer to the last of it was heard out', async () => {
    const { say, left } = call(tone(200, 1))
    await clock.advance(500)
    const { track } = say(1_000, 50)
    track.end()
    track.play()
    await clock.advance(2_900)
    expect(left()).toBeNull()
    await clock.advance(200)
    expect(left()).toBe(3_520)
  })

  test('ends when a cue does not come', async () => {
    const { left } = call([{ sound: tone(200, 1), cue: { when: 'agent-speaks', after: 0 } }])
    await clock.advance(29_000)
    expect(left()).toBeNull()
    await clock.advance(1_100)
    expect(left()).not.toBeNull()
  })
})

describe('what the agent says', () => {
  test('waits until it is played, and knows to the sample how far it was heard', async () => {
    const { line, say } = call(tone(100, 1))
    const { track, ends } = say(1_000, 50)
    await clock.advance(105)
    expect(track.position).toBe(0)
    track.play()
    await clock.advance(333)
    expect(track.position).toBe(333)
    track.clear()
    expect(ends).toEqual([{ position: 333, cleared: true }])
    await clock.advance(500)
    expect(stretches(line.recording.channels[1]!)).toEqual([[105, 438, 50]])
  })

  test('stops at a pause and goes on from the same sample', async () => {
    const { line, say } = call(tone(100, 1))
    const { track, ends } = say(400, 50)
    track.end()
    track.play()
    await clock.advance(150)
    track.pause()
    await clock.advance(200)
    expect(track.position).toBe(150)
    track.resume()
    await clock.advance(300)
    expect(ends).toEqual([{ position: 400, cleared: false }])
    expect(stretches(line.recording.channels[1]!)).toEqual([
      [0, 150, 50],
      [350, 600, 50],
    ])
  })

  test('becomes quieter without stopping', async () => {
    const { line, say } = call(tone(100, 1))
    const { track } = say(400, 80)
    track.play()
    await clock.advance(100)
    track.duck?.(true)
    await clock.advance(100)
    track.duck?.(false)
    await clock.advance(300)
    expect(stretches(line.recording.channels[1]!)).toEqual([
      [0, 100, 80],
      [100, 200, 20],
      [200, 400, 80],
    ])
  })

  test('does not move on while its voice is late', async () => {
    const { say, line } = call(tone(100, 1))
    const { track, ends } = say(100, 50)
    track.play()
    await clock.advance(300)
    expect(track.position).toBe(100)
    void track.write(tone(100, 50).samples)
    track.end()
    await clock.advance(200)
    expect(ends).toEqual([{ position: 200, cleared: false }])
    expect(stretches(line.recording.channels[1]!)).toEqual([
      [0, 100, 50],
      [300, 400, 50],
    ])
  })

  test('of which nothing is there ends as soon as it is played', async () => {
    const { line } = call(tone(100, 1))
    const ends: TrackEnd[] = []
    const track = line.open({ speech: 's1', sampleRate: 24_000, ended: (end) => ends.push(end) })
    track.end()
    track.play()
    expect(ends).toEqual([{ position: 0, cleared: false }])
  })

  test('keeps its length at another sample rate', async () => {
    const { line } = call(tone(100, 1))
    const ends: TrackEnd[] = []
    const track = line.open({ speech: 's1', sampleRate: 24_000, ended: (end) => ends.push(end) })
    void track.write(new Int16Array(24_000).fill(50))
    track.end()
    track.play()
    await clock.advance(1_100)
    expect(ends).toEqual([{ position: 1_000, cleared: false }])
  })

  test('holds its writer back when too much of it waits, and lets go when it is cleared', async () => {
    const { line } = call(tone(100, 1))
    const track = line.open({ speech: 's1', sampleRate: RATE, ended: () => {} })
    expect(track.write(tone(9_000, 1).samples)).toBeUndefined()
    const room = track.write(tone(9_000, 1).samples)
    track.clear()
    await expect(room).resolves.toBeUndefined()
  })
})

describe('the line', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'antiphon-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('reads a caller from a wav file, and writes the call with the caller left and the agent right', async () => {
    const [input, output] = [join(folder, 'caller.wav'), join(folder, 'call.wav')]
    writeFileSync(input, writeWav({ rate: 8_000, channels: [new Int16Array(8_000).fill(500)] }))
    const { line, say } = call(input)
    say(300, 50).track.play()
    await clock.advance(2_000)
    await line.save(output)
    const { rate, channels } = readWav(readFileSync(output))
    expect(rate).toBe(RATE)
    expect(channels.map((channel) => channel.length)).toEqual([32_000, 32_000])
    expect(channels[0]?.[8_000]).toBeCloseTo(500, -1)
    expect(channels[1]?.[0]).toBe(50)
  })

  test('says what is wrong with a recording', () => {
    const path = join(folder, 'text.wav')
    writeFileSync(path, 'this is no sound at all')
    expect(() => recordedLine({ caller: path })).toThrow('WAV file of 16-bit PCM')
    expect(() => recordedLine({ caller: join(folder, 'nothing.wav') })).toThrow('nothing.wav cannot be read')
  })

  test('leaves no timer behind when it is closed', async () => {
    const { line, listening } = call(tone(1_000, 1))
    await clock.advance(500)
    await line.close()
    await listening
    expect(clock.openTimers).toBe(0)
  })
})
