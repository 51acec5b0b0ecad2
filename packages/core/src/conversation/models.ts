import { dropGuess } from './drop.js'
import { endGeneration, patienceWith, removeGeneration, stopGeneration, takeDebts } from './generations.js'
import { pass } from './parts.js'
import type { Failure, Id, ModelInput } from './protocol.js'
import { fail, openReply } from './replies.js'
import { endText } from './speeches.js'
import type { Step } from './step.js'
import type { Generation, Held } from './work.js'

/** A model that takes turns by itself has begun to answer. */
export function modelStarted(step: Step, id: Id): void {
  const { top } = step
  if (!step.open || step.generating || top.leaving !== null || step.generation(id)) {
    step.do({ type: 'generate-cancel', generation: id })
    return
  }
  const reply = openReply(step, { id: step.id('r'), source: 'model' })
  step.state.generations.push({
    id,
    reply: reply.id,
    frame: top.id,
    step: 1,
    tools: 'auto',
    debts: takeDebts(top),
    request: null,
    guess: null,
    ended: false,
    said: false,
    since: step.now,
    behind: [],
  })
}

export function modelSaid(step: Step, id: Id, part: Held): void {
  const generation = step.generation(id)
  if (!generation || generation.ended) return // a late word of a generation that was stopped
  generation.since = step.now
  generation.said ||= 'call' in part || ('text' in part && part.text.trim() !== '')
  if (generation.guess) generation.guess.held.push(part)
  else pass(step, generation, part)
}

export function modelEnded(step: Step, input: Extract<ModelInput, { type: 'model-end' }>): void {
  const generation = step.generation(input.generation)
  if (!generation || generation.ended) return
  if (input.error) failed(step, generation, input.error)
  else endGeneration(step, generation)
}

/** A model that has been silent for too long has failed. */
export function giveUpModels(step: Step): boolean {
  const generation = step.state.generations.find((each) => !each.ended && step.now >= patienceWith(step, each))
  if (!generation) return false
  const message = generation.said
    ? 'the model fell silent in the middle of its answer'
    : 'the model did not answer in time'
  step.do({ type: 'generate-cancel', generation: generation.id })
  failed(step, generation, { blame: 'provider', message, retryable: true })
  return true
}

/** Words that nobody can speak need no more words. */
export function stopFailed(step: Step): boolean {
  const generation = step.state.generations.find((each) => each.guess === null && step.reply(each.reply)?.error)
  if (!generation) return false
  stopGeneration(step, generation)
  return true
}

function failed(step: Step, generation: Generation, error: Failure): void {
  generation.ended = true
  if (generation.guess) return giveUpGuessing(step)
  fail(step, generation.reply, step.state.settings.voice === 'model' ? 'realtime' : 'llm', error)
  removeGeneration(step, generation)
  endText(step, generation.id)
}

/** Nobody was promised a guess: it goes without a word, and these words are not guessed at again. */
function giveUpGuessing(step: Step): void {
  const { turn } = step.state.user
  if (turn) turn.guesses = step.state.settings.speculation.maxGuesses
  dropGuess(step)
}
