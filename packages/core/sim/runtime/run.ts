import { Conversation } from '../../src/conversation/conversation.js'
import { evidenceOf, laws, type Observed, play, violations } from '../../src/testing/index.js'
import { Checker } from '../checker/checker.js'
import { must } from '../checker/must.js'
import { Random } from '../random.js'
import type { LogEntry, Outcome, Scenario } from '../simulate.js'
import { type Fault, Met } from './faults.js'
import { type Drawn, drawScene } from './scene.js'

export interface RuntimeRun extends Outcome {
  /** What the machine was told and did, as far as it was checked. */
  readonly log: readonly LogEntry[]
  readonly observed: Observed | null
  /** What went wrong around the session. */
  readonly met: ReadonlySet<Fault>
}

/** Plays one scene with the real runtime, on a virtual clock, and holds it against the laws. */
export async function simulateRuntime({ seed, events }: Scenario): Promise<RuntimeRun> {
  const random = new Random(seed)
  const stray: unknown[] = []
  const log: LogEntry[] = []
  const strays = (reason: unknown): void => void stray.push(reason)
  process.on('unhandledRejection', strays)
  let observed: Observed | null = null
  let met: ReadonlySet<Fault> = new Met()
  const ended = (failure: Error | null): RuntimeRun => {
    const entries = observed?.session.log ?? []
    return { seed, events, inputs: entries.length, duration: entries.at(-1)?.at ?? 0, failure, observed, log, met }
  }
  try {
    let drawn!: Drawn
    observed = await play((stage) => {
      drawn = drawScene(random, events, stage)
      met = drawn.met
      return drawn.scene
    })
    await new Promise((resolve) => setImmediate(resolve))
    await check(observed, drawn)
    asRecorded(observed, log)
    must(stray.length === 0, 'no promise is rejected that nobody holds', String(stray[0]))
    return ended(null)
  } catch (error) {
    return ended(error as Error)
  } finally {
    process.off('unhandledRejection', strays)
  }
}

async function check(observed: Observed, { people, agents }: Drawn): Promise<void> {
  must(observed.open.closing !== null, 'every session ends')
  const [broken] = violations(evidenceOf(observed.session))
  must(!broken, broken ? `${broken.law}: ${laws[broken.law].says}` : 'the laws hold', broken?.seen)
  const { timers, tracks, requests, voices, ears, lineClosed } = observed.open
  must(timers === 0, 'no timer outlives the session', `${timers}`)
  must(tracks === 0 && requests === 0 && voices === 0 && ears === 0, 'nothing that was opened outlives the session')
  must(lineClosed, 'the line is closed at the end')
  must(observed.problems.length === 0, 'nothing goes wrong behind the scene', observed.problems[0] ?? '')
  must(
    observed.line.sounds.every((sound) => sound.late === 0),
    'no sound reaches a line that has said that it is done',
  )
  must(agents.wrong.length === 0, 'a task resolves only with what its schema accepts', JSON.stringify(agents.wrong[0]))
  const settled = await Promise.race([Promise.allSettled(people.promises), soon()])
  must(settled !== undefined, 'whatever is awaited settles')
}

const soon = (): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), 20))

/** What the runtime tells the machine, and does for it, is what the checker of the bare machine expects of any world. */
function asRecorded({ session }: Observed, log: LogEntry[]): void {
  const { settings, agent, entries } = session.recording
  const conversation = new Conversation(settings, agent)
  const checker = new Checker(settings, agent, conversation.state)
  for (const { at, input } of entries) {
    const commands = conversation.receive(input, at)
    log.push({ at, input, commands })
    checker.check(input, commands, at)
  }
  checker.atEnd()
  const heard = conversation.state.history.filter((item) => item.type !== 'assistant' || item.text !== '')
  must(heard.length === session.history.length, 'the recording leads to the same history')
}
