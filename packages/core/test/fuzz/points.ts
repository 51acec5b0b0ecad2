import { around, canMove, type Moment, type Move, moments, type Plan, plans } from './moments.js'

/** Moments that are put around another. */
export interface Point {
  readonly anchor: Moment
  readonly moved: readonly Move[]
  readonly plan: Plan
}

/** ms. */
const fine = Array.from({ length: 13 }, (_, index) => -300 + 50 * index)
const coarse = fine.filter((by) => by % 100 === 0)

/** Each later moment of the list around `anchor`, in all plans. */
export function* pairsAround(anchor: Moment): Generator<Point> {
  for (const moment of after(anchor)) for (const by of fine) yield* inPlans(plans, anchor, [[moment, by]])
}

/** Each two later moments around `anchor`, in plans that change from one to the next. */
export function* triplesAround(anchor: Moment): Generator<Point> {
  let turn = 0
  for (const one of after(anchor)) {
    for (const other of after(one)) {
      for (const by of coarse) {
        for (const more of coarse) {
          const some = plans.filter((_, index) => index % 61 === turn % 61)
          yield* inPlans(some, anchor, [
            [one, by],
            [other, more],
          ])
          turn++
        }
      }
    }
  }
}

/** Every so many-th. */
export function* each<Of>(step: number, of: Iterable<Of>): Generator<Of> {
  let index = 0
  for (const one of of) if (index++ % step === 0) yield one
}

export const planOf = ({ anchor, moved, plan }: Point): Plan => ({ ...plan, at: around(plan.at, anchor, moved) })

/** What a point is called, and asked for. */
export const nameOf = ({ anchor, moved, plan }: Point): string =>
  [
    anchor,
    ...moved.map(([moment, by]) => `${moment}${by < 0 ? by : `+${by}`}`),
    plan.place,
    plan.voice,
    plan.speech,
    plan.onInterrupt,
    plan.canPause ? 'pausable' : 'unpausable',
    plan.eager ? 'eager' : 'patient',
  ].join(' ')

const after = (moment: Moment): readonly Moment[] => moments.slice(moments.indexOf(moment) + 1)

function* inPlans(some: readonly Plan[], anchor: Moment, moved: readonly Move[]): Generator<Point> {
  for (const plan of some) {
    if (canMove(plan, anchor) && moved.every(([moment]) => canMove(plan, moment))) yield { anchor, moved, plan }
  }
}
