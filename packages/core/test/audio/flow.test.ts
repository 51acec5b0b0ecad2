import { describe, expect, it } from 'vitest'
import { abortable, Channel, unlessAborted } from '../../src/audio/flow.js'

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

const never = () => new Promise<never>(() => {})

describe('Channel', () => {
  it('gives what was pushed, in order, before and after it is read, and ends', async () => {
    const channel = new Channel<number>()
    channel.push(1)
    const reading = all(channel)
    await Promise.resolve()
    channel.push(2)
    channel.push(3)
    channel.end()
    channel.push(4)
    expect(await reading).toEqual([1, 2, 3])
  })

  it('keeps nothing for a reader who has left', async () => {
    const channel = new Channel<number>()
    channel.push(1)
    for await (const _ of channel) break
    channel.push(2)
    expect(await all(channel)).toEqual([])
  })
})

describe('abortable', () => {
  it('passes a source through to its end', async () => {
    async function* source() {
      yield* [1, 2]
    }
    expect(await all(abortable(source(), new AbortController().signal))).toEqual([1, 2])
  })

  it('ends at the abort although the source hangs, and asks it to return', async () => {
    const controller = new AbortController()
    let returned = false
    const source: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: never,
        return: () => {
          returned = true
          return Promise.resolve({ done: true, value: undefined })
        },
      }),
    }
    const reading = all(abortable(source, controller.signal))
    controller.abort()
    expect(await reading).toEqual([])
    expect(returned).toBe(true)
  })

  it('throws what the source throws, but not after the abort', async () => {
    async function* broken(signal?: AbortSignal): AsyncGenerator<number> {
      if (signal) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw new Error('broken')
    }
    await expect(all(abortable(broken(), new AbortController().signal))).rejects.toThrow('broken')
    const controller = new AbortController()
    const reading = all(abortable(broken(controller.signal), controller.signal))
    await Promise.resolve()
    controller.abort()
    expect(await reading).toEqual([])
  })
})

describe('unlessAborted', () => {
  it('is undefined as soon as the signal aborts, and at once when it has', async () => {
    const controller = new AbortController()
    const waiting = unlessAborted(never(), controller.signal)
    controller.abort()
    expect(await waiting).toBeUndefined()
    expect(await unlessAborted(never(), controller.signal)).toBeUndefined()
  })
})
