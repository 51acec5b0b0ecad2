import { measure } from './long-session.js'

const blockSize = 1_000
const allowedRatio = 1.5

const { costs, ratio, items } = measure(10, blockSize, 7)
const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length

costs.forEach((cost, block) =>
  console.log(`inputs ${String((block + 1) * blockSize).padStart(6)}  ${cost.toFixed(1).padStart(6)} µs each`),
)
console.log(`${Math.round(1e6 / mean).toLocaleString('en')} inputs a second; ${items} items of history in the end`)
console.log(
  `an input late in the session costs ${ratio.toFixed(2)} times an early one (at most ${allowedRatio} allowed)`,
)
if (ratio > allowedRatio) process.exitCode = 1
