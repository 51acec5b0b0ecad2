import { parseArgs } from 'node:util'
import { regressions } from './regressions.js'
import { detailOf, Failures, readable } from './report.js'
import { type Outcome, type Scenario, simulate } from './simulate.js'

/**
 * Plays conversations in unreliable worlds and checks what must be true of all of them.
 *
 * --seeds N          N new scenarios (default 2,000), from a random seed that is printed
 * --from N --count M those from N on
 * --replay SEED      one of them, with its log; --tail N: only the last N inputs of it
 * --events N         how much happens in each (default: drawn from the seed)
 * --runtime          with the real runtime, on a virtual clock, instead of the bare machine
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string' },
    count: { type: 'string' },
    events: { type: 'string' },
    replay: { type: 'string' },
    tail: { type: 'string' },
    runtime: { type: 'boolean', default: false },
  },
})

const scenarioOf = (seed: number): Scenario => ({
  seed,
  events: values.events === undefined ? 5 + (seed % 20) : Number(values.events),
})

const passed = values.replay === undefined ? await explore() : await replay(Number(values.replay))
process.exitCode = passed ? 0 : 1

function tail<T>(log: readonly T[]): readonly T[] {
  return values.tail === undefined ? log : log.slice(-Number(values.tail))
}

async function replay(seed: number): Promise<boolean> {
  const { failure, lines } = values.runtime ? await replayRuntime(seed) : replayMachine(seed)
  for (const line of lines) console.log(line)
  console.log(failure === null ? 'all is well' : `${detailOf(failure)} ${failure.stack}`)
  return failure === null
}

function replayMachine(seed: number): { failure: Error | null; lines: readonly string[] } {
  const { failure, settings, log, conversation } = simulate(scenarioOf(seed), true)
  const { history, settings: _, ...open } = conversation.state
  const end = [JSON.stringify(open), JSON.stringify(history.slice(-12))]
  return { failure, lines: [JSON.stringify(settings), ...readable(tail(log)), ...end] }
}

async function replayRuntime(seed: number): Promise<{ failure: Error | null; lines: readonly string[] }> {
  const { simulateRuntime } = await import('./runtime/run.js')
  const { failure, observed, log } = await simulateRuntime(scenarioOf(seed))
  const course = observed === null ? [] : [observed.toString()]
  return { failure, lines: [...course, ...readable(tail(log))] }
}

async function explore(): Promise<boolean> {
  const play: (scenario: Scenario) => Outcome | Promise<Outcome> = values.runtime
    ? (await import('./runtime/run.js')).simulateRuntime
    : simulate
  const first = values.from === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.from)
  const count = Number(values.count ?? values.seeds)
  const scenarios = Array.from({ length: count }, (_, index) => scenarioOf(first + index))
  const all = values.runtime ? scenarios : [...regressions, ...scenarios]
  const failures = new Failures()
  const began = performance.now()
  let inputs = 0
  let duration = 0
  console.log(`seeds ${first} to ${first + count - 1}`)
  for (const scenario of all) {
    const run = await play(scenario)
    inputs += run.inputs
    duration += run.duration / 1_000
    failures.add(run)
  }
  const seconds = (performance.now() - began) / 1_000
  const pace = `${Math.round(inputs / seconds)} inputs/s, ${Math.round(duration / seconds)} × real time`
  console.log(`${all.length} conversations, ${inputs} inputs, ${seconds.toFixed(1)} s, ${pace}`)
  for (const line of failures.lines()) console.log(line)
  console.log(failures.count === 0 ? 'no violations' : `${failures.count} violations`)
  return failures.count === 0
}
