import { Random } from '../../sim/random.js'
import { around, canMove, type Moments, moments, type Plan, plans } from './moments.js'

/** Nothing is quite on time, and some things happen around one of them, in the same millisecond or near it. */
export function jittered(seed: number): Plan {
  const random = new Random(seed)
  const plan = random.pick(plans)
  const movable = moments.filter((moment) => canMove(plan, moment))
  const near = () => (random.chance(0.5) ? random.int(-3, 3) : random.int(-300, 300))
  const late = Object.entries(plan.at).map(([moment, at]) => [moment, at === null ? null : at + random.int(-25, 25)])
  const anchor = random.pick(movable)
  const others = movable.filter((moment) => moment !== anchor && random.chance(0.2))
  const moved = others.map((moment) => [moment, near()] as const)
  return { ...plan, at: around(Object.fromEntries(late) as Moments, anchor, moved) }
}
