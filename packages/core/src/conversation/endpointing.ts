import { delayOf } from './pace.js'
import type { Id } from './protocol.js'
import type { Step } from './step.js'

// When a turn is over: so long after the last sound, unless a model thinks that the user goes on.

/** When the open turn is over. null: that is not known yet. */
export function endOfTurn(step: Step): number | null {
  const { user, settings } = step.state
  const { turn } = user
  if (!turn) return null
  if (turn.commit) return turn.commit.deadline
  if (settings.turns !== 'voice' || user.speaking) return null
  const { maxDelay, threshold, transcriptTimeout } = step.endpointing
  if (turn.text === '' || turn.interim !== '') {
    return settings.transcribes && !turn.wordless
      ? Math.max(user.lastSound, turn.heardAt) + transcriptTimeout
      : user.lastSound + delayOf(step)
  }
  const { prediction } = turn
  if (prediction && !prediction.answered && step.now < prediction.deadline) return prediction.deadline
  const goesOn = prediction?.text === turn.text && prediction.probability !== null && prediction.probability < threshold
  return user.lastSound + (goesOn ? maxDelay : delayOf(step))
}

export function askTurnEnd(step: Step): boolean {
  const { user, settings } = step.state
  const turn = user.turn
  if (!settings.predicts || settings.turns !== 'voice' || !turn || turn.text === '' || user.speaking || !step.open)
    return false
  if (turn.prediction?.text === turn.text) return false
  const id = step.id('p')
  const deadline = step.now + step.endpointing.predictionTimeout
  turn.prediction = { id, text: turn.text, deadline, probability: null, answered: false }
  step.do({ type: 'predict-turn-end', prediction: id, text: turn.text })
  return true
}

export function turnEndPredicted(step: Step, id: Id, probability: number | null): void {
  const prediction = step.state.user.turn?.prediction
  if (prediction?.id !== id || prediction.answered) return
  prediction.probability = probability
  prediction.answered = true
}
