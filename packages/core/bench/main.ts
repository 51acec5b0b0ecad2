import { Conversation } from '../src/conversation/conversation.js'
import { defaults } from '../src/conversation/settings.js'
import { Exchange } from './exchange.js'

/** What an input costs the machine, and whether it costs more when the conversation has grown long. */

const blocks = 10
const blockSize = 1_000
const sessions = 7
const allowedRatio = 1.5

const root = { id: 'host', name: 'host', greet: true, hooks: [], turnHandling: null }

/** µs per input in each block of one session. */
function session(): { readonly costs: number[]; readonly items: number } {
  const conversation = new Conversation(defaults, root)
  const world = new Exchange()
  const costs: number[] = []
  for (let block = 0; block < blocks; block += 1) {
    let spent = 0
    for (let index = 0; index < blockSize; index += 1) {
      const { now, input } = world.next()
      const from = performance.now()
      const commands = conversation.receive(input, now)
      spent += performance.now() - from
      world.perform(commands)
    }
    costs.push((spent / blockSize) * 1_000)
  }
  return { costs, items: conversation.state.history.length }
}

session()
const runs = Array.from({ length: sessions }, session)
// The least disturbed run of each block: other programs can only make it slower.
const costs = Array.from({ length: blocks }, (_, block) => Math.min(...runs.map((run) => run.costs[block]!)))
const mean = costs.reduce((sum, cost) => sum + cost, 0) / blocks
const ratio = costs[blocks - 1]! / costs[0]!

costs.forEach((cost, block) =>
  console.log(`inputs ${String((block + 1) * blockSize).padStart(6)}  ${cost.toFixed(1).padStart(6)} µs each`),
)
console.log(
  `${Math.round(1e6 / mean).toLocaleString('en')} inputs a second; ${runs[0]!.items} items of history in the end`,
)
console.log(
  `an input late in the session costs ${ratio.toFixed(2)} times an early one (at most ${allowedRatio} allowed)`,
)
if (ratio > allowedRatio) process.exitCode = 1
