/** A run of things: where it begins, and how many they are. */
export interface Run {
  readonly from: number
  readonly count: number
}

export interface Paths {
  /** Who takes: in turn, each a run of things. */
  readonly takers: number
  readonly things: number
  /** The most that one takes. */
  readonly most: number
  /** What it costs that `taker` takes `count` things from `from`. Infinity: that cannot be. */
  cost(taker: number, from: number, count: number): number
  /** Whether nobody need take this thing. */
  skip(thing: number): boolean
}

const SKIPPED = -1

/** Which run each taker takes so that all is taken and the sum of the costs is the least; empty if there is no way. */
export function cheapestPath(paths: Paths): Run[] {
  const { takers, things } = paths
  const width = things + 1
  const grid: Grid = {
    width,
    costs: new Float64Array((takers + 1) * width).fill(Number.POSITIVE_INFINITY),
    counts: new Int16Array((takers + 1) * width),
  }
  grid.costs[0] = 0
  for (let taker = 0; taker <= takers; taker++) {
    for (let thing = 0; thing <= things; thing++) leaveCell(grid, paths, taker, thing)
  }
  return walkBack(grid, takers, things)
}

/** For each number of takers served and things given out: the least cost, and the count that was taken last. */
interface Grid {
  readonly width: number
  readonly costs: Float64Array
  readonly counts: Int16Array
}

function leaveCell(grid: Grid, { takers, things, most, cost, skip }: Paths, taker: number, thing: number): void {
  const here = taker * grid.width + thing
  const soFar = grid.costs[here]!
  if (soFar === Number.POSITIVE_INFINITY) return
  if (thing < things && skip(thing)) offer(grid, here + 1, soFar, SKIPPED)
  if (taker === takers) return
  for (let count = 0; count <= Math.min(most, things - thing); count++) {
    offer(grid, here + grid.width + count, soFar + cost(taker, thing, count), count)
  }
}

function offer({ costs, counts }: Grid, cell: number, cost: number, count: number): void {
  if (cost >= costs[cell]!) return
  costs[cell] = cost
  counts[cell] = count
}

function walkBack({ width, costs, counts }: Grid, takers: number, things: number): Run[] {
  if (costs[takers * width + things] === Number.POSITIVE_INFINITY) return []
  const runs: Run[] = []
  let taker = takers
  let thing = things
  while (taker > 0 || thing > 0) {
    const count = counts[taker * width + thing]!
    if (count === SKIPPED) {
      thing -= 1
      continue
    }
    taker -= 1
    thing -= count
    runs.unshift({ from: thing, count })
  }
  return runs
}
