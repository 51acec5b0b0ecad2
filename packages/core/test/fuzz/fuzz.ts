import { expect } from 'vitest'
import { type Observed, play } from '../../src/testing/index.js'
import { wrongs } from './judge.js'
import type { Plan } from './moments.js'
import { sceneOf } from './scene.js'

/** `FUZZ=full`: all there is; `FUZZ='<name of a course>'`: only that one, and it is told. */
const wanted = process.env['FUZZ']
export const full = wanted === 'full'
export const only = full ? undefined : wanted

/** ms for a test that plays so much. */
export const timeout = full ? 4 * 3_600_000 : 60_000

export interface Course {
  readonly name: string
  readonly plan: Plan
}

/** Plays all of them, and fails with what went wrong, and with how to see it again. */
export async function expectAllIsWell(courses: Iterable<Course>): Promise<void> {
  const failures: string[] = []
  for (const { name, plan } of courses) {
    if (only !== undefined && only !== name) continue
    const seen = await play(sceneOf(plan))
    if (only !== undefined) tell(plan, seen)
    const wrong = wrongs(plan, seen)
    if (wrong.length > 0)
      failures.push([`FUZZ='${name}' npx vitest run packages/core/test/fuzz`, ...wrong].join('\n  - '))
  }
  expect(failures.length, `${failures.length} went wrong:\n${failures.slice(0, 10).join('\n')}`).toBe(0)
}

const tell = (plan: Plan, seen: Observed): void => console.log(`${JSON.stringify(plan)}\n${seen}\n${seen.transcript}`)
