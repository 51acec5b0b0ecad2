import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/index.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

test('the clock of the system never rings early', () => {
  const rung: number[] = []
  systemClock.at(systemClock.now() + 10.4, () => rung.push(systemClock.now()))
  vi.advanceTimersByTime(10)
  expect(rung).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rung).toHaveLength(1)
})

test('it can wait longer than a timer of the system', () => {
  const month = 31 * 24 * 3_600_000
  let rung = false
  const timer = systemClock.at(systemClock.now() + month, () => {
    rung = true
  })
  vi.advanceTimersByTime(month - 1)
  expect(rung).toBe(false)
  vi.advanceTimersByTime(1)
  expect(rung).toBe(true)
  timer[Symbol.dispose]()
})

test('what was called off does not ring', () => {
  const ring = vi.fn()
  systemClock.at(systemClock.now() + 5, ring)[Symbol.dispose]()
  vi.advanceTimersByTime(10)
  expect(ring).not.toHaveBeenCalled()
})
