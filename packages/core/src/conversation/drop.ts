import { owe } from './debts.js'
import { stopGeneration } from './generations.js'
import type { Step } from './step.js'
import type { Generation } from './work.js'

export const guessOf = (step: Step): Generation | undefined =>
  step.state.generations.find((generation) => generation.guess !== null)

/** What was guessed is not meant: it is stopped, and what it was to settle is owed as before. */
export function dropGuess(step: Step): void {
  const generation = guessOf(step)
  if (!generation) return
  const { guess, debts, frame } = generation
  stopGeneration(step, generation)
  owe(step, frame, {
    opening: debts.opening && guess?.task === null,
    answer: guess?.owed ?? false,
    result: debts.result,
  })
}
