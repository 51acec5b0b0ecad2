import { describe, expect, it } from 'vitest'
import { Segments } from '../../src/hearing/segments.js'
import { Tape } from '../../src/hearing/tape.js'

const piece = { samples: new Int16Array(8_000), rate: 8_000 }

/** A tape on which so many seconds were recorded. */
function record(seconds: number, overflow = () => {}): Tape {
  const tape = new Tape(0, 10_000, overflow)
  for (let second = 0; second < seconds; second++) tape.push([piece], second * 1_000)
  return tape
}

async function read(tape: Tape, count: number): Promise<number[]> {
  const places: number[] = []
  for await (const { at } of tape.read(new AbortController().signal)) {
    places.push(at)
    if (places.length === count) break
  }
  return places
}

describe('Tape', () => {
  it('can be read again up to what was settled', async () => {
    const tape = record(5)
    expect(await read(tape, 2)).toEqual([0, 1_000])
    tape.settle()
    expect(await read(tape, 2)).toEqual([2_000, 3_000])
    tape.rewind()
    expect(tape.start).toBe(2_000)
    expect(await read(tape, 3)).toEqual([2_000, 3_000, 4_000])
  })

  it('loses the oldest first, and tells when nobody has read it, once', async () => {
    let told = 0
    const tape = record(15, () => told++)
    expect(told).toBe(1)
    expect(await read(tape, 10)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((second) => second * 1_000))
    tape.push([piece], 15_000)
    expect(told).toBe(1)
    expect(tape.start).toBe(6_000)
  })

  it('keeps what came at once, however much it is, until more comes', async () => {
    const tape = new Tape(0, 10_000, () => {})
    tape.push(new Array(15).fill(piece), 0)
    expect(await read(tape, 2)).toEqual([0, 1_000])
    tape.push([piece], 15_000)
    expect(tape.start).toBe(6_000)
  })

  it('ends when its end was read', async () => {
    const tape = record(1)
    tape.end()
    expect(tape.finished).toBe(false)
    expect(await read(tape, 5)).toEqual([0])
    expect(tape.finished).toBe(true)
  })
})

describe('Segments', () => {
  const start = { type: 'start', at: 1_000 } as const
  const end = { type: 'end', at: 2_000 } as const

  async function from(position: number): Promise<unknown[]> {
    const segments = new Segments()
    segments.push(start)
    segments.push(end)
    segments.push({ type: 'start', at: 4_000 })
    const told: unknown[] = []
    const reader = segments.open(position)
    segments.push({ type: 'flush', at: 6_000 })
    segments.end()
    for await (const { type, at } of reader) told.push([type, at])
    return told
  }

  it('are told to a reader who begins late, with places that he counts from where he begins', async () => {
    expect(await from(0)).toEqual([
      ['start', 1_000],
      ['end', 2_000],
      ['start', 4_000],
      ['flush', 6_000],
    ])
    expect(await from(1_500)).toEqual([
      ['start', 0],
      ['end', 500],
      ['start', 2_500],
      ['flush', 4_500],
    ])
    expect(await from(3_000)).toEqual([
      ['start', 1_000],
      ['flush', 3_000],
    ])
    expect(await from(5_000)).toEqual([
      ['start', 0],
      ['flush', 1_000],
    ])
  })

  it('are told to one reader at a time', async () => {
    const segments = new Segments()
    const first = segments.open(0)
    segments.open(0)
    segments.push(start)
    const told: unknown[] = []
    for await (const segment of first) told.push(segment)
    expect(told).toEqual([])
  })
})
