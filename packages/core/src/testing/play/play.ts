import { transcriptOf } from '../transcript.js'
import { endOf } from './acts.js'
import { audibleOf, tasksOf, timelinesOf, toolsOf } from './collect.js'
import type { Observed } from './observed.js'
import type { SceneMaker } from './scene.js'
import { tell } from './tell.js'
import { World } from './world.js'

/**
 * Plays a conversation on a virtual clock, through the public API only, and tells what could be observed of it.
 *
 * ```ts
 * const observed = await play((stage) => {
 *   const slow = tool({ description: 'Works.', execute: async (_, run) => { await stage.sleep(4_000, run.signal); return 'done' } })
 *   return {
 *     bench: 'scenario',
 *     agent: agent({ name: 'A', instructions: 'You are A.', tools: { slow }, greet: false }),
 *     timeline: [user(500, 2_500, 'book me'), noise(4_000, 4_800), at(9_000, (session) => session.close(), 'close')],
 *     llm: [['Let me check.', toolCall('slow')], 'Here it is.'],
 *     tts: { duration: { 'Let me check.': 1_000 } },
 *   }
 * })
 * expect(observed.audible[0]).toMatchObject({ text: 'Let me check.', from: 3_200, to: 4_200, end: 'whole' })
 * assertLaws(observed.session)
 * ```
 *
 * @throws {UsageError} when the scene has a field that cannot be; it names the field.
 */
export async function play(scene: SceneMaker): Promise<Observed> {
  const world = new World(scene)
  const { timeline = [], until, close = true } = world.scene
  const uncaught: unknown[] = []
  const note = (reason: unknown) => uncaught.push(reason)
  process.on('unhandledRejection', note)
  try {
    world.open()
    await world.clock.advanceTo(until ?? Math.max(0, ...timeline.map(endOf)) + 10_000)
    if (until === undefined) await world.rest()
    const seen = observe(world)
    if (close) await world.close()
    return { ...seen, open: world.leftovers(), problems: problemsOf(world, uncaught) }
  } finally {
    process.off('unhandledRejection', note)
    world.dispose()
  }
}

/** What can be seen at this moment. */
function observe(world: World): Omit<Observed, 'open' | 'problems'> {
  const { session, clock, line, equipment } = world
  const events = [...world.events]
  const history = structuredClone(session.history)
  const seen = {
    session,
    clock,
    line,
    events,
    audible: audibleOf(line.sounds, events),
    history,
    transcript: transcriptOf(history),
    requests: equipment.models
      .flatMap(({ requests }) => requests.map((request) => ({ ...request, agent: equipment.cast.nameOf(request) })))
      .sort((a, b) => a.at - b.at),
    voices: equipment.voices
      .flatMap(({ requests }) => requests.map((request) => ({ ...request })))
      .sort((a, b) => a.at - b.at),
    tools: toolsOf(events, world.executions),
    tasks: tasksOf(events),
    ...timelinesOf(events),
    acts: world.acts.map((act) => ({ ...act })),
    marks: [...world.marks],
  }
  return { ...seen, toString: () => tell({ ...seen, timeline: world.scene.timeline ?? [] }) }
}

const problemsOf = ({ equipment: { models } }: World, uncaught: readonly unknown[]): string[] => [
  ...models.flatMap(({ problems }) => problems),
  ...uncaught.map((reason) => `a promise was rejected, and nobody caught it: ${String(reason)}`),
]
