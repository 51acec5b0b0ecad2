import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../src/testing/index.js'

describe('VirtualClock', () => {
  test('stands still until it is told to go on', async () => {
    const clock = new VirtualClock()
    const run: number[] = []
    clock.at(100, () => run.push(clock.now()))
    await clock.settle()
    expect(run).toEqual([])
    await clock.advance(99)
    expect([clock.now(), run]).toEqual([99, []])
    await clock.advance(1)
    expect([clock.now(), run]).toEqual([100, [100]])
  })

  test('runs timers by time, and those of one time in the order in which they were asked for', async () => {
    const clock = new VirtualClock()
    const run: string[] = []
    clock.at(20, () => run.push('late'))
    clock.at(10, () => run.push('first'))
    clock.at(10, () => run.push('second'))
    clock.at(-5, () => run.push('overdue'))
    await clock.advanceTo(50)
    expect(run).toEqual(['overdue', 'first', 'second', 'late'])
  })

  test('wakes up late after it was suspended, and runs then what fell due meanwhile', async () => {
    const clock = new VirtualClock()
    const run: string[] = []
    clock.at(10, () => clock.suspend(500))
    clock.at(20, () => run.push(`due at 20, run at ${clock.now()}`))
    clock.at(600, () => run.push(`due at 600, run at ${clock.now()}`))
    await clock.advanceTo(700)
    expect(run).toEqual(['due at 20, run at 510', 'due at 600, run at 600'])
  })

  test('lets promises settle between two ticks, however many steps they take', async () => {
    const clock = new VirtualClock()
    const seen: string[] = []
    clock.at(10, () => {
      void (async () => {
        for (let step = 0; step < 50; step++) await new Promise<void>((resolve) => queueMicrotask(resolve))
        seen.push(`settled at ${clock.now()}`)
        clock.at(clock.now(), () => seen.push(`followed at ${clock.now()}`))
      })()
    })
    clock.at(11, () => seen.push('next'))
    await clock.advance(20)
    expect(seen).toEqual(['settled at 10', 'followed at 10', 'next'])
  })

  test('waits through work that hops over turns of the event loop as long as it asks for timers', async () => {
    const clock = new VirtualClock()
    const seen: number[] = []
    void (async () => {
      for (let step = 0; step < 10; step++) {
        await new Promise((resolve) => setImmediate(resolve))
        const timer = clock.at(1_000, () => {})
        timer[Symbol.dispose]()
        seen.push(step)
      }
    })()
    await clock.settle()
    expect(seen.length).toBe(10)
  })

  test('sleeps in virtual time, and not after the signal aborts', async () => {
    const clock = new VirtualClock()
    const controller = new AbortController()
    const outcomes: string[] = []
    void clock.sleep(1_000).then(() => outcomes.push('slept'))
    clock.sleep(2_000, controller.signal).catch((error: Error) => outcomes.push(error.message))
    expect(clock.openTimers).toBe(2)
    await clock.advance(1_000)
    controller.abort(new Error('stopped'))
    await clock.settle()
    expect(outcomes).toEqual(['slept', 'stopped'])
    expect(clock.openTimers).toBe(0)
    await expect(clock.sleep(10, controller.signal)).rejects.toThrow('stopped')
  })

  test('counts the timers that are open', () => {
    const clock = new VirtualClock()
    const timer = clock.at(10, () => {})
    clock.at(Number.POSITIVE_INFINITY, () => {})
    expect(clock.openTimers).toBe(2)
    timer[Symbol.dispose]()
    timer[Symbol.dispose]()
    expect(clock.openTimers).toBe(1)
  })

  test('cannot be advanced by two at once, and says what to do instead', async () => {
    const clock = new VirtualClock()
    const first = clock.advance(10)
    await expect(clock.advance(10)).rejects.toThrow('clock.sleep(ms)')
    await first
  })

  test('refuses times that are none', async () => {
    const clock = new VirtualClock()
    expect(() => clock.at(Number.NaN, () => {})).toThrow('NaN')
    await expect(clock.advanceTo(Number.POSITIVE_INFINITY)).rejects.toThrow('Infinity')
  })

  test('passes on what a timer throws, and goes on afterwards', async () => {
    const clock = new VirtualClock()
    const run: number[] = []
    clock.at(10, () => {
      throw new Error('broken timer')
    })
    clock.at(20, () => run.push(20))
    await expect(clock.advance(30)).rejects.toThrow('broken timer')
    await clock.advance(30)
    expect(run).toEqual([20])
  })

  test('notices when time stands still', async () => {
    const clock = new VirtualClock()
    const again = () => void clock.at(clock.now(), again)
    again()
    await expect(clock.advance(10)).rejects.toThrow('time stands still')
  })
})
