import type { Id, ToolChoice } from './protocol.js'
import { endText } from './speeches.js'
import type { Frame } from './state.js'
import type { Step } from './step.js'
import { viewOf } from './view.js'
import { type Debts, type Generation, type Guess, nothing, type Request } from './work.js'

export interface NewGeneration {
  readonly reply: Id
  readonly step: number
  readonly debts: Debts
  readonly request?: Request | null
  readonly guess?: Guess | null
  /** The frame that owed it, where that is not the one that speaks. */
  readonly owner?: Id
}

/** Asks a model for the next words of `frame`. */
export function generate(step: Step, frame: Frame, made: NewGeneration): Generation {
  const { settings, phase } = step.state
  const { reply, debts, request = null, guess = null, owner = frame.id } = made
  const spent = made.step > settings.maxToolSteps + 1 || phase === 'draining'
  const tools: ToolChoice = spent ? 'none' : (request?.tools ?? 'auto')
  const generation: Generation = {
    id: step.id('g'),
    reply,
    frame: owner,
    step: made.step,
    tools,
    debts,
    request,
    guess,
    ended: false,
    said: false,
    since: step.now,
    behind: [],
  }
  step.state.generations.push(generation)
  step.do({
    type: 'generate',
    generation: generation.id,
    reply,
    agent: frame.agent.id,
    view: viewOf(step.state, frame, guess?.text ?? null),
    tools,
    opening: !frame.opened && debts.opening,
    instructions: request?.instructions ?? null,
  })
  return generation
}

/** Takes all that a frame owes; whoever takes it settles it. */
export function takeDebts(frame: Frame): Debts {
  const debts = frame.owes
  frame.owes = nothing()
  frame.inherited = false
  return debts
}

export function endGeneration(step: Step, generation: Generation): void {
  generation.ended = true
  if (generation.guess) return
  removeGeneration(step, generation)
  endText(step, generation.id)
}

/** The model is told to stop; whatever it still says finds nobody. */
export function stopGeneration(step: Step, generation: Generation): void {
  removeGeneration(step, generation)
  endText(step, generation.id)
  if (!generation.ended) step.do({ type: 'generate-cancel', generation: generation.id })
}

/** Until when a model may be silent. */
export function patienceWith(step: Step, { said, since }: Generation): number {
  const { modelStart, modelGap } = step.state.settings.limits
  return since + (said ? modelGap : modelStart)
}

export function removeGeneration(step: Step, generation: Generation): void {
  const { generations } = step.state
  const index = generations.indexOf(generation)
  if (index >= 0) generations.splice(index, 1)
  for (const item of generation.behind.splice(0)) step.note(item)
}
