import { Conversation } from '../src/conversation/conversation.js'
import { defaults } from '../src/conversation/settings.js'
import { Exchange } from './exchange.js'

const root = { id: 'host', name: 'host', greet: true, hooks: [], turnHandling: null }

export interface LongSession {
  /** µs per input, in each block of inputs from the first to the last. */
  readonly costs: readonly number[]
  /** How much later inputs cost than early ones. */
  readonly ratio: number
  /** Items of history in the end. */
  readonly items: number
}

/** What an input costs the machine, and whether it costs more when the conversation has grown long. */
export function measure(blocks: number, blockSize: number, sessions: number): LongSession {
  play(blocks, blockSize)
  const runs = Array.from({ length: sessions }, () => play(blocks, blockSize))
  // The least disturbed run of each block: other programs can only make it slower.
  const costs = Array.from({ length: blocks }, (_, block) => Math.min(...runs.map((run) => run.costs[block]!)))
  return { costs, ratio: costs[blocks - 1]! / costs[0]!, items: runs[0]!.items }
}

function play(blocks: number, blockSize: number): { readonly costs: number[]; readonly items: number } {
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
