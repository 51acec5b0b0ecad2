import { describe, test } from 'vitest'
import { type Course, expectAllIsWell, full, only, timeout } from './fuzz.js'
import { moments } from './moments.js'
import { each, nameOf, type Point, pairsAround, planOf, triplesAround } from './points.js'

// All points of the grid are played with FUZZ=full, otherwise one in so many: the same ones each time.

const all = full || only !== undefined

function* courses(points: Iterable<Point>): Generator<Course> {
  for (const point of points) yield { name: nameOf(point), plan: planOf(point) }
}

describe('a tool awaits a task beside speech, and a voice talks over it: whatever comes first, all is well', () => {
  test.each(moments.slice(0, -1))('two at once, "%s" and another', { timeout }, (anchor) =>
    expectAllIsWell(courses(each(all ? 1 : 263, pairsAround(anchor)))),
  )

  test.each(moments.slice(0, -2))('three at once, "%s" and two others', { timeout }, (anchor) =>
    expectAllIsWell(courses(each(all ? 1 : 239, triplesAround(anchor)))),
  )
})
