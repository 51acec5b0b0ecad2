import { describe, expect, it } from 'vitest'
import { ProviderError, UsageError } from '../../src/api/errors.js'
import type { Audio } from '../../src/api/models.js'
import { Bench, loudness, Scribe } from './bench.js'

const never = () => new Promise<never>(() => {})

describe('a voice', () => {
  it('is told with its onset, and with the silence that ended it', async () => {
    const bench = new Bench({ vad: loudness() }).start()
    await bench.quiet(1_000)
    await bench.voice(2_000)
    await bench.quiet(3_000)
    expect(bench.edges).toEqual([
      [1_060, 'start', 1_000],
      [2_500, 'end', 500],
    ])
    expect(bench.clock.openTimers).toBe(0)
  })

  it('is told of as it goes on: from the length that is worth telling, and not too often', async () => {
    const bench = new Bench({ vad: loudness() }).start()
    bench.worthTelling = 500
    await bench.voice(400)
    await bench.quiet(600)
    await bench.voice(900)
    expect(bench.progress[0]).toEqual([700, 500])
    expect(bench.progress).toHaveLength(4)
    const gaps = bench.progress.slice(1).map(([at], i) => at - bench.progress[i]![0])
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50)
  })

  it('that is a cough never reaches the limit', async () => {
    const bench = new Bench({ vad: loudness() }).start()
    bench.worthTelling = 500
    await bench.voice(150)
    await bench.quiet(2_000)
    expect(bench.progress).toEqual([])
  })

  it('has an end although the sound stops coming in the middle of it', async () => {
    const bench = new Bench({ vad: loudness() }).start()
    await bench.voice(500)
    await bench.clock.advanceTo(3_000)
    expect(bench.edges).toEqual([
      [60, 'start', 0],
      [1_500, 'end', 0],
    ])
    await bench.voice(3_500)
    expect(bench.edges.at(-1)).toEqual([3_060, 'start', 3_000])
  })

  it('has an end when the line ends', async () => {
    const bench = new Bench({ vad: loudness() }).start()
    await bench.voice(500)
    bench.incoming.end()
    await bench.hearing.ended
    expect(bench.edges.at(-1)).toEqual([500, 'end', 0])
    expect(bench.clock.openTimers).toBe(0)
  })

  it('is heard on lines of any rate, which may change', async () => {
    const bench = new Bench({ vad: loudness({ sampleRate: 16_000 }) }).start()
    const tone = (rate: number) => ({
      samples: new Int16Array(rate / 50).map((_, i) => (i % 20 < 10 ? 9_000 : -9_000)),
      rate,
    })
    for (const rate of [48_000, 48_000, 44_100, 44_100, 16_000, 16_000]) {
      await bench.clock.advance(20)
      bench.incoming.push(tone(rate))
      await bench.clock.settle()
    }
    expect(bench.edges[0]![2]).toBe(0)
  })
})

describe('words', () => {
  it('are told as they come; that there are none is told when it is final', async () => {
    const stt = new Scribe()
    const bench = new Bench({ vad: loudness(), stt }).start()
    await bench.quiet(100)
    stt.say(' I want ', false)
    stt.say('', false)
    stt.say('  ', true)
    stt.say('I want a pizza')
    stt.tell({ type: 'usage', audioSeconds: 1.5 })
    await bench.clock.settle()
    expect(bench.edges).toEqual([
      [100, 'interim', 'I want'],
      [100, 'final', ''],
      [100, 'final', 'I want a pizza'],
    ])
    expect(bench.usage).toEqual([1.5])
  })

  it('come from a recogniser that also says where speech begins and ends, without a VAD (E-16)', async () => {
    const stt = new Scribe()
    const bench = new Bench({ stt }).start()
    await bench.quiet(600)
    stt.tell({ type: 'speech-start' })
    stt.tell({ type: 'speech-start' })
    await bench.quiet(2_600)
    stt.say('Hi')
    await bench.quiet(2_700)
    stt.tell({ type: 'speech-end' })
    stt.tell({ type: 'speech-end' })
    await bench.clock.settle()
    expect(bench.edges).toEqual([
      [600, 'start', 600],
      [2_600, 'final', 'Hi'],
      [2_700, 'end', 0],
    ])
  })

  it('come from one whose beginnings and ends do not count beside a VAD (E-17)', async () => {
    const stt = new Scribe()
    const bench = new Bench({ vad: loudness(), stt }).start()
    await bench.quiet(500)
    await bench.voice(600)
    stt.tell({ type: 'speech-start' })
    await bench.voice(2_500)
    await bench.quiet(2_600)
    stt.say('Hi')
    await bench.quiet(2_700)
    stt.tell({ type: 'speech-end' })
    await bench.quiet(3_500)
    expect(bench.edges).toEqual([
      [560, 'start', 500],
      [2_600, 'final', 'Hi'],
      [3_000, 'end', 500],
    ])
  })

  it('are recognised from what the line hears, at the rate that is wanted, with the places of voices', async () => {
    const stt = new Scribe(16_000)
    const bench = new Bench({ vad: loudness(), stt }).start()
    await bench.quiet(1_000)
    await bench.voice(2_000)
    await bench.quiet(3_000)
    bench.hearing.flush()
    bench.incoming.end()
    await bench.hearing.ended
    await bench.clock.settle()
    expect(stt.stream.values).toHaveLength(150)
    expect(stt.stream.values.filter((value) => value > 4_000)).toHaveLength(50)
    expect(stt.stream.segments).toEqual([
      { type: 'start', at: 1_000 },
      { type: 'end', at: 2_000 },
      { type: 'flush', at: 3_000 },
    ])
    expect(stt.stream.audioEnded).toBe(true)
    expect(bench.failures).toEqual([])
  })

  it('may still come when the line has ended', async () => {
    const stt = new Scribe()
    const bench = new Bench({ stt }).start()
    await bench.voice(500)
    bench.incoming.end()
    stt.say('goodbye')
    await bench.hearing.ended
    await bench.clock.settle()
    expect(bench.edges).toEqual([[500, 'final', 'goodbye']])
  })

  it('that were cleared do not come any more', async () => {
    const stt = new Scribe()
    const bench = new Bench({ vad: loudness(), stt }).start()
    await bench.voice(500, 2_000)
    bench.hearing.clear()
    stt.say('too late')
    await bench.voice(1_000, 3_000)
    stt.say('in time')
    await bench.clock.settle()
    expect(bench.edges).toEqual([
      [60, 'start', 0],
      [1_000, 'final', 'in time'],
    ])
    expect(stt.streams[0]!.aborted).toBe(true)
    expect(stt.stream.values.every((value) => value === 3_000)).toBe(true)
    expect(stt.stream.segments).toEqual([{ type: 'start', at: 0 }])
  })
})

describe('a recogniser that fails', () => {
  it('is opened again, and hears again what it has not made final words of', async () => {
    const stt = new Scribe()
    const bench = new Bench({ vad: loudness(), stt }).start()
    await bench.voice(1_000, 1_100)
    stt.say('settled')
    await bench.voice(2_000, 2_000)
    stt.say('half', false)
    stt.fail(new ProviderError('gone', { retryable: true }))
    await bench.voice(2_400, 3_000)
    expect(stt.streams).toHaveLength(1)
    await bench.voice(2_600, 4_000)
    expect(stt.streams).toHaveLength(2)
    stt.say('half of it is here')
    await bench.clock.settle()
    expect(bench.failures).toEqual([[2_000, 'stt', 'gone']])
    expect(new Set(stt.stream.values)).toEqual(new Set([2_000, 3_000, 4_000]))
    expect(stt.stream.values).toHaveLength(80)
    expect(stt.stream.segments).toEqual([{ type: 'start', at: 0 }])
    expect(bench.edges.slice(1)).toEqual([
      [1_000, 'final', 'settled'],
      [2_000, 'interim', 'half'],
      [2_600, 'final', 'half of it is here'],
    ])
  })

  it('is tried again later and later, until it says something', async () => {
    const stt = new Scribe()
    const bench = new Bench({ stt }).start()
    const opened: number[] = []
    for (let time = 0; time < 40_000; time += 20) {
      await bench.quiet(time)
      if (stt.streams.length > opened.length) {
        opened.push(time)
        stt.fail(new Error('no'))
      }
    }
    expect(opened).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 23_500, 31_500, 39_500])
    await bench.quiet(48_000)
    stt.say('Hi')
    stt.fail(new Error('no'))
    await bench.quiet(48_600)
    expect(stt.streams).toHaveLength(11)
  })

  it('is given no more than the last 10 s', async () => {
    const stt = new Scribe()
    const bench = new Bench({ stt }).start()
    await bench.voice(15_000, 2_000)
    stt.fail(new Error('no'))
    await bench.voice(15_500, 3_000)
    await bench.clock.settle()
    // And a frame that came with its opening.
    expect(stt.stream.values).toHaveLength(501)
    expect(bench.failures).toHaveLength(1)
  })

  it('is not opened again when it is used in a way that cannot work', async () => {
    const stt = new Scribe()
    const bench = new Bench({ stt }).start()
    await bench.quiet(100)
    stt.fail(new UsageError('no key'))
    await bench.quiet(20_000)
    expect(stt.streams).toHaveLength(1)
    expect(bench.failures).toEqual([[100, 'stt', 'no key']])
  })

  it('has failed, too, when it leaves although the line goes on', async () => {
    const stt = new Scribe()
    const bench = new Bench({ stt }).start()
    await bench.quiet(100)
    stt.leave()
    await bench.quiet(700)
    expect(bench.failures).toEqual([[100, 'stt', 'The recogniser scribe ended although the line goes on.']])
    expect(stt.streams).toHaveLength(2)
  })

  it('leaves no voice open that only it has told of', async () => {
    const stt = new Scribe()
    const bench = new Bench({ stt }).start()
    await bench.quiet(100)
    stt.tell({ type: 'speech-start' })
    stt.fail(new Error('no'))
    await bench.clock.settle()
    expect(bench.edges).toEqual([
      [100, 'start', 100],
      [100, 'end', 0],
    ])
  })

  it('or does not keep up, holds up nobody: the oldest sound is dropped, which is told once', async () => {
    const stt = { ...new Scribe(), transcribe: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) }
    const bench = new Bench({ vad: loudness(), stt }).start()
    await bench.quiet(11_000)
    await bench.voice(12_000)
    expect(bench.failures).toEqual([
      [10_020, 'stt', 'scribe is more than 10 s behind the line: the oldest sound is dropped.'],
    ])
    expect(bench.edges).toEqual([[11_060, 'start', 11_000]])
  })
})

describe('a VAD that fails', () => {
  it.each([
    ['when it is opened', loudness({ open: () => Promise.reject(new Error('no model')) })],
    [
      'when it is asked',
      loudness({
        open: () => ({
          frameSize: 80,
          process: () => {
            throw new Error('no model')
          },
        }),
      }),
    ],
  ])('%s leaves the recogniser to say where speech begins and ends, and is told once', async (_, vad) => {
    const stt = new Scribe()
    const bench = new Bench({ vad, stt }).start()
    await bench.voice(500)
    bench.hearing.rewire()
    stt.tell({ type: 'speech-start' })
    await bench.voice(600)
    stt.tell({ type: 'speech-end' })
    await bench.clock.settle()
    expect(bench.failures.map(([, ...rest]) => rest)).toEqual([['vad', 'no model']])
    expect(bench.edges).toEqual([
      [500, 'start', 500],
      [600, 'end', 0],
    ])
  })

  it('in the middle of a voice ends it', async () => {
    let frames = 0
    const process = () => {
      if (++frames > 50) throw new Error('lost')
      return 0.9
    }
    const bench = new Bench({ vad: loudness({ open: () => ({ frameSize: 80, process }) }) }).start()
    await bench.voice(1_000)
    expect(bench.edges).toEqual([
      [60, 'start', 0],
      [520, 'end', 20],
    ])
  })

  it('by hanging ends the voice and holds up neither the line nor its end', async () => {
    let frames = 0
    const process = () => (++frames > 50 ? never() : 0.9)
    const stt = new Scribe()
    const bench = new Bench({ vad: loudness({ open: () => ({ frameSize: 80, process }) }), stt }).start()
    await bench.voice(12_000)
    expect(bench.edges.at(-1)![1]).toBe('end')
    expect(bench.edges.at(-1)![0]).toBeLessThanOrEqual(1_600)
    expect(stt.stream.values).toHaveLength(600)
    expect(bench.failures).toHaveLength(1)
    bench.incoming.end()
    await bench.clock.settle()
    await bench.clock.advance(500)
    await bench.hearing.ended
  })
})

describe('rewire', () => {
  it('leaves ears alone that stay the same', async () => {
    const stt = new Scribe()
    let opened = 0
    const vad = loudness()
    const open = () => {
      opened++
      return vad.open()
    }
    const bench = new Bench({ vad: { ...vad, open }, stt }).start()
    await bench.voice(500)
    bench.hearing.rewire()
    await bench.voice(1_000)
    expect([opened, stt.streams.length, stt.stream.aborted]).toEqual([1, 1, false])
  })

  it('gives a new recogniser what the old one has not made final words of, and the voice goes on', async () => {
    const [first, second] = [new Scribe(), new Scribe()]
    const bench = new Bench({ vad: loudness(), stt: first }).start()
    await bench.voice(500, 2_000)
    first.say('settled')
    await bench.voice(1_000, 3_000)
    bench.ear = { vad: loudness(), stt: second }
    bench.hearing.rewire()
    first.say('too late')
    await bench.voice(1_500, 4_000)
    await bench.quiet(2_200)
    second.say('both')
    await bench.clock.settle()
    expect(new Set(second.stream.values)).toEqual(new Set([3_000, 4_000, 0]))
    expect(bench.edges).toEqual([
      [60, 'start', 0],
      [500, 'final', 'settled'],
      [2_000, 'end', 500],
      [2_200, 'final', 'both'],
    ])
    expect(first.stream.aborted).toBe(true)
  })

  it('ends the voice when the new ears have no VAD', async () => {
    const bench = new Bench({ vad: loudness() }).start()
    await bench.voice(500)
    bench.ear = { vad: undefined, stt: undefined }
    bench.hearing.rewire()
    await bench.voice(1_000)
    expect(bench.edges).toEqual([
      [60, 'start', 0],
      [500, 'end', 0],
    ])
    bench.ear = { vad: loudness(), stt: undefined }
    bench.hearing.rewire()
    await bench.voice(1_500)
    expect(bench.edges.at(-1)).toEqual([1_060, 'start', 1_000])
  })
})

describe('the line', () => {
  it('that breaks is told of, and has ended', async () => {
    async function* broken(): AsyncGenerator<Audio> {
      yield* []
      throw new Error('unplugged')
    }
    const bench = new Bench({ vad: loudness() }).start({ incoming: broken() })
    await bench.hearing.ended
    expect(bench.failures).toEqual([[0, 'line', 'unplugged']])
  })

  it('may give empty audio, or a lot at once; what is no sound is refused, and told once', async () => {
    const stt = new Scribe()
    const bench = new Bench({ stt }).start()
    const give = async (samples: Int16Array, rate: number) => {
      bench.incoming.push({ samples, rate })
      await bench.clock.settle()
    }
    await give(new Int16Array(0), 8_000)
    await give(new Int16Array(8_000 * 15), 8_000)
    await give(new Int16Array(100), 1)
    await give(new Int16Array(100), 1)
    expect(bench.failures).toHaveLength(1)
    expect(bench.failures[0]![2]).toContain('8000 to 192000')
    await give(new Int16Array(160), 8_000)
    expect(stt.stream.values.length).toBeGreaterThanOrEqual(501)
    await give(new Uint8Array(3) as unknown as Int16Array, 8_000)
    expect(bench.failures).toHaveLength(2)
  })

  it('is heard by nobody when there are no ears', async () => {
    const bench = new Bench({}).start()
    await bench.voice(500)
    bench.hearing.flush()
    bench.hearing.clear()
    bench.incoming.end()
    await bench.hearing.ended
    expect([bench.told, bench.failures]).toEqual([[], []])
  })
})

describe('after the abort', () => {
  it('nothing is told, no timer runs, and everything is told to stop', async () => {
    const stt = new Scribe()
    let closed = 0
    const vad = loudness()
    const open = async () => ({ ...(await vad.open()), close: () => void closed++ })
    const bench = new Bench({ vad: { ...vad, open }, stt }).start()
    await bench.voice(500)
    const before = bench.told.length
    bench.abort.abort()
    await bench.hearing.ended
    stt.say('too late')
    stt.fail(new Error('aborted'))
    bench.hearing.rewire()
    bench.hearing.flush()
    bench.hearing.clear()
    await bench.voice(3_000)
    expect(bench.told).toHaveLength(before)
    expect(bench.failures).toEqual([])
    expect([stt.stream.aborted, closed, bench.clock.openTimers]).toEqual([true, 1, 0])
  })

  it('it has ended although the line, the VAD and the recogniser hang', async () => {
    const incoming = { [Symbol.asyncIterator]: () => ({ next: never }) }
    const stt = { ...new Scribe(), transcribe: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) }
    const bench = new Bench({ vad: loudness({ open: never }), stt }).start({ incoming })
    await bench.clock.settle()
    bench.abort.abort()
    await bench.hearing.ended
  })

  it('no timer runs although the line had just ended and the VAD hangs', async () => {
    const bench = new Bench({ vad: loudness({ open: () => ({ frameSize: 80, process: never }) }) }).start()
    await bench.voice(100)
    bench.incoming.end()
    await bench.clock.settle()
    expect(bench.clock.openTimers).toBe(1)
    bench.abort.abort()
    await bench.hearing.ended
    expect(bench.clock.openTimers).toBe(0)
  })

  it('a VAD that was being opened is closed all the same', async () => {
    let closed = 0
    let give = () => {}
    const open = async () => {
      await new Promise<void>((resolve) => {
        give = resolve
      })
      return { frameSize: 80, process: () => 0, close: () => void closed++ }
    }
    const bench = new Bench({ vad: loudness({ open }) }).start()
    await bench.clock.settle()
    bench.abort.abort()
    give()
    await bench.clock.settle()
    expect(closed).toBe(1)
  })

  it('that came before it began, nothing begins', async () => {
    const stt = new Scribe()
    const bench = new Bench({ vad: loudness(), stt })
    bench.abort.abort()
    bench.start()
    await bench.hearing.ended
    await bench.voice(500)
    expect([bench.told, stt.streams, bench.clock.openTimers]).toEqual([[], [], 0])
  })
})
