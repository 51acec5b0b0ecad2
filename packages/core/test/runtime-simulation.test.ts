import { describe, expect, test } from 'vitest'
import { faults, Met } from '../sim/runtime/faults.js'
import { simulateRuntime } from '../sim/runtime/run.js'

// The same few scenes each time; `npm run sim -- --runtime` plays new ones, as many as are wanted.

const perTest = 10
const met = new Met()

describe('with the real runtime in an unreliable world the laws hold', () => {
  test.each(Array.from({ length: 6 }, (_, index) => index * perTest))('ten seeds from %i', async (first) => {
    const failures: string[] = []
    for (let seed = first; seed < first + perTest; seed++) {
      const events = 5 + (seed % 20)
      const { failure, met: those } = await simulateRuntime({ seed, events })
      for (const fault of those) met.add(fault)
      if (failure) failures.push(`npm run sim -- --runtime --replay ${seed} --events ${events}: ${failure.message}`)
    }
    expect(failures).toEqual([])
  })

  test('every kind of fault was met among them', () => {
    expect([...met].sort()).toEqual(Object.keys(faults).sort())
  })
})
