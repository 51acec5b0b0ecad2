import { parseArgs } from 'node:util'
import { regressions } from './regressions.js'
import { Failures, readable } from './report.js'
import { isViolation, type Scenario, simulate } from './simulate.js'

/**
 * Plays conversations in unreliable worlds and checks what must be true of all of them.
 *
 * --seeds N          N new scenarios (default 2,000), from a random seed that is printed
 * --from N --count M those from N on
 * --replay SEED      one of them, with its log; --tail N: only the last N inputs of it
 * --events N         how much happens in each (default: drawn from the seed)
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string' },
    count: { type: 'string' },
    events: { type: 'string' },
    replay: { type: 'string' },
    tail: { type: 'string' },
  },
})

const eventsOf = (seed: number): number => (values.events === undefined ? 5 + (seed % 20) : Number(values.events))

if (values.replay !== undefined) replay(Number(values.replay))
else explore()

function replay(seed: number): void {
  const run = simulate({ seed, events: eventsOf(seed) }, true)
  console.log(JSON.stringify(run.settings))
  const log = values.tail === undefined ? run.log : run.log.slice(-Number(values.tail))
  for (const line of readable(log)) console.log(line)
  const { history, settings, ...open } = run.conversation.state
  console.log(JSON.stringify(open))
  console.log(JSON.stringify(history.slice(-12)))
  console.log(
    run.failure === null ? 'all is well' : `${isViolation(run.failure) ? run.failure.detail : ''} ${run.failure.stack}`,
  )
  process.exitCode = run.failure === null ? 0 : 1
}

function explore(): void {
  const first = values.from === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.from)
  const count = Number(values.count ?? values.seeds)
  const failures = new Failures()
  const began = performance.now()
  let inputs = 0
  const play = (scenario: Scenario): void => {
    const run = simulate(scenario)
    inputs += run.inputs
    failures.add(run)
  }
  for (const scenario of regressions) play(scenario)
  console.log(`seeds ${first} to ${first + count - 1}`)
  for (let seed = first; seed < first + count; seed++) play({ seed, events: eventsOf(seed) })
  const seconds = (performance.now() - began) / 1_000
  const rate = Math.round(inputs / seconds)
  console.log(
    `${count + regressions.length} conversations, ${inputs} inputs, ${seconds.toFixed(1)} s, ${rate} inputs/s`,
  )
  for (const line of failures.lines()) console.log(line)
  console.log(failures.count === 0 ? 'no violations' : `${failures.count} violations`)
  process.exitCode = failures.count === 0 ? 0 : 1
}
