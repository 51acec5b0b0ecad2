import { describe, expect, test } from 'vitest'
import { regressions } from '../sim/regressions.js'
import { type Scenario, simulate } from '../sim/simulate.js'

// The same few hundred conversations each time, so that `npm test` and mutation testing know at once what breaks the machine.
// `npm run sim` plays new ones, as many as are wanted.

const perTest = 25

const failures = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap((scenario) => {
    const { failure } = simulate(scenario)
    return failure ? [`npm run sim -- --replay ${scenario.seed} --events ${scenario.events}: ${failure.message}`] : []
  })

describe('in an unreliable world everything that must be true of a conversation is true', () => {
  test.each(Array.from({ length: 16 }, (_, index) => index * perTest))('twenty-five seeds from %i', (first) => {
    const scenarios = Array.from({ length: perTest }, (_, index) => ({ seed: first + index, events: 5 + (index % 20) }))
    expect(failures(scenarios)).toEqual([])
  })

  test('what once failed fails no more', () => {
    expect(failures(regressions)).toEqual([])
  })
})
