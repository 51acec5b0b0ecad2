import { describe, expect, it } from 'vitest'
import type { Detection } from '../../src/api/models.js'
import { VoiceDetector, type VoiceEvent } from '../../src/hearing/vad.js'

/** Frames of 10 ms: probability and how many ms of it, one after another. */
function hear(
  sound: readonly (readonly [probability: number, ms: number])[],
  detection: Partial<Detection> = {},
): VoiceEvent[] {
  const detector = new VoiceDetector()
  detector.tune(detection)
  const events: VoiceEvent[] = []
  let at = 0
  for (const [probability, ms] of sound) {
    for (const end = at + ms; at < end; at += 10) events.push(...detector.hear(probability, at, 10))
  }
  return events
}

const edges = (events: readonly VoiceEvent[]) => events.filter(({ type }) => type !== 'progress')
const voiced = (events: readonly VoiceEvent[]) =>
  Math.max(...events.map((event) => (event.type === 'progress' ? event.voiced : 0)))

const [voice, doubt, quiet] = [0.9, 0.4, 0.1]

describe('VoiceDetector', () => {
  it('finds a voice, dated back to its onset, and its end, dated back to the last sound', () => {
    const events = hear([
      [quiet, 200],
      [voice, 1_000],
      [quiet, 1_000],
    ])
    expect(edges(events)).toEqual([
      { type: 'start', at: 200 },
      { type: 'end', at: 1_200 },
    ])
    expect(voiced(events)).toBe(1_000)
  })

  it('takes no click for a voice, nor clicks now and then', () => {
    const click = [
      [voice, 60],
      [quiet, 150],
    ] as const
    expect(hear([...click, ...click, ...click, ...click])).toEqual([])
  })

  it('takes syllables close together for one', () => {
    const events = hear([
      [voice, 50],
      [quiet, 40],
      [voice, 60],
    ])
    expect(edges(events)).toEqual([{ type: 'start', at: 0 }])
  })

  it('counts only what is voiced: a cough never becomes long', () => {
    expect(
      voiced(
        hear([
          [voice, 150],
          [quiet, 380],
          [doubt, 5_000],
        ]),
      ),
    ).toBe(150)
  })

  it('is not ended by a short silence, nor by sounds that it doubts', () => {
    const events = hear([
      [voice, 200],
      [quiet, 390],
      [voice, 100],
      [doubt, 2_000],
      [quiet, 390],
    ])
    expect(edges(events)).toEqual([{ type: 'start', at: 0 }])
  })

  it('can be tuned', () => {
    const events = hear(
      [
        [0.3, 60],
        [0.15, 100],
        [0.05, 100],
      ],
      { on: 0.3, off: 0.1, start: 50, silence: 100 },
    )
    expect(edges(events)).toEqual([
      { type: 'start', at: 0 },
      { type: 'end', at: 160 },
    ])
  })

  it('ends a voice when the sound is over', () => {
    const detector = new VoiceDetector()
    expect(detector.finish()).toEqual([])
    detector.hear(voice, 500, 100)
    expect(detector.finish()).toEqual([{ type: 'end', at: 600 }])
    expect(detector.finish()).toEqual([])
  })
})
