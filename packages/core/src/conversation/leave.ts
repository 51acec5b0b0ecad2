import { owe } from './debts.js'
import { dropGuess } from './drop.js'
import { stopGeneration } from './generations.js'
import type { AgentRef } from './protocol.js'
import type { Frame } from './state.js'
import type { Step } from './step.js'

/**
 * The holder of a frame is to leave: for another agent, or, with `to` null, because its task is over. It thinks no further;
 * what it has begun to say is heard to the end.
 */
export function leave(step: Step, frame: Frame, to: AgentRef | null): void {
  if (frame.leaving && (to === null || frame.leaving.to === null)) return
  const holder = frame.leaving?.holder ?? step.id('h')
  frame.leaving = { to, cause: to ? 'handoff' : 'return', holder }
  // what was already said for whoever follows is said by whoever does follow
  if (to) for (const speech of step.state.speeches) if (speech.holder === holder) speech.agent = to
  dropGuess(step)
  for (const generation of step.state.generations.filter((each) => each.frame === frame.id && !each.said)) {
    stopGeneration(step, generation)
    owe(step, frame.id, generation.debts)
  }
}
