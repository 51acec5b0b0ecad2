import { dropGuess, guessOf } from './drop.js'
import { openAnswer } from './floor.js'
import { endGeneration, generate, takeDebts } from './generations.js'
import { pass } from './parts.js'
import type { Frame } from './state.js'
import type { Step } from './step.js'
import { type Debts, type Generation, type Guess, nothing } from './work.js'

/**
 * A guess answers words that the user may still be adding to, or opens a task that is about to begin. Nobody hears it and
 * none of its tools run until it is adopted.
 */
/** A guess that no longer fits is stopped; what it was to settle is owed as before. */
export function reviseGuess(step: Step): boolean {
  const generation = guessOf(step)
  if (!generation?.guess || fits(step, generation)) return false
  dropGuess(step)
  return true
}

function fits(step: Step, { guess, frame }: Generation): boolean {
  const { state, top } = step
  if (!guess || guess.version !== state.version || frame !== top.id || !step.open || top.leaving || top.result)
    return false
  if (guess.task !== null) return top.waiting[0]?.id === guess.task && !step.unsettled
  const words = state.user.turn?.text ?? state.committed[state.committed.length - 1]?.text
  return words === guess.text
}

/** Starts to answer before the turn is over. */
export function guessAnswer(step: Step): boolean {
  const { state, top } = step
  const { turn } = state.user
  const { enabled, maxGuesses } = state.settings.speculation
  if (!enabled || state.settings.turns !== 'voice' || state.phase !== 'open') return false
  if (!turn || turn.text === '' || turn.interim !== '' || turn.overlaps || turn.commit || turn.guesses >= maxGuesses)
    return false
  if (!atLeisure(step) || top.waiting.length > 0 || state.committed.length > 0) return false
  turn.guesses += 1
  const owed = top.owes.answer
  guessAt(step, top, { text: turn.text, task: null, owed }, { ...takeDebts(top), answer: true })
  return true
}

/** Prepares a task's opening while the words beside its call are still heard, so that no silence arises. */
export function guessOpening(step: Step): boolean {
  const { state, top } = step
  const task = top.waiting[0]
  const { enabled, openings } = state.settings.speculation
  if (!enabled || !openings || state.phase !== 'open' || !task || task.after || task.guessed) return false
  if (!task.agent.greet || task.agent.hooks.includes('enter') || step.generating || guessOf(step)) return false
  if (step.unsettled || top.leaving || top.result || state.speeches.some((speech) => speech.sound === 'clearing'))
    return false
  task.guessed = true
  const frame: Frame = { ...top, agent: task.agent, owes: nothing(), opened: false, id: task.id }
  const debts = { opening: true, answer: top.owes.answer, result: null }
  top.owes.answer = false
  guessAt(step, frame, { text: null, task: task.id, owed: debts.answer }, debts, top)
  return true
}

function guessAt(
  step: Step,
  frame: Frame,
  of: Pick<Guess, 'text' | 'task' | 'owed'>,
  debts: Debts,
  owner = frame,
): void {
  const guess = { ...of, version: step.state.version, held: [] }
  generate(step, frame, { reply: step.id('r'), step: 1, debts, guess, owner: owner.id })
}

/** Nothing is said or made that a guess would have to wait for. */
function atLeisure(step: Step): boolean {
  const { speeches, generations, requests } = step.state
  if (speeches.length > 0 || generations.length > 0 || requests.length > 0) return false
  return step.top.leaving === null && step.top.result === null && step.now >= step.backAt
}

/** The guess that answers exactly these words, as things stand. */
export function fittingGuess(step: Step, text: string): Generation | undefined {
  const generation = guessOf(step)
  if (!generation?.guess || generation.guess.text !== text || !step.open) return undefined
  return generation.guess.version === step.state.version && generation.frame === step.top.id ? generation : undefined
}

/** What was guessed is meant. */
export function adopt(step: Step, generation: Generation): void {
  const { guess } = generation
  if (!guess) return
  generation.guess = null
  openAnswer(step, generation.reply, guess.task === null ? 'answer' : 'opening')
  for (const part of guess.held) pass(step, generation, part)
  if (generation.ended) endGeneration(step, generation)
}
