import { describe, expect, it } from 'vitest'
import { gain, mix, saturate } from '../../src/audio/mix.js'

describe('mix', () => {
  it('adds sounds, as long as the longest', () => {
    expect([...mix(Int16Array.of(1, 2, 3), Int16Array.of(10))]).toEqual([11, 2, 3])
    expect([...mix()]).toEqual([])
  })

  it('cuts off at the peak instead of turning over', () => {
    expect([...mix(Int16Array.of(30_000, -30_000), Int16Array.of(30_000, -30_000))]).toEqual([32_767, -32_768])
  })
})

describe('gain', () => {
  it('makes louder up to the peak, and quieter', () => {
    expect([...gain(Int16Array.of(100, -20_000), 2)]).toEqual([200, -32_768])
    expect([...gain(Int16Array.of(100, -100), 0.25)]).toEqual([25, -25])
    expect(saturate(0.6)).toBe(1)
  })
})
