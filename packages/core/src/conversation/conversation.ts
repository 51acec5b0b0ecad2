import { requestReply, say, think } from './agenda.js'
import { callCancelled, callEnded, callUpdated, giveUpCall, startCall } from './calls.js'
import { interrupt } from './cut.js'
import { announce, announceEnd, announceUser, goAway } from './derived.js'
import { askTurnEnd, turnEndPredicted } from './endpointing.js'
import { providerFailed } from './failures.js'
import { fill, fillerAsked } from './fillers.js'
import { admitFalseCut, hold, release, yieldToUser } from './floor.js'
import { agentUpdated, exitLeaving, finishLeaving, leaveTasks } from './frames.js'
import { closeGroup } from './groups.js'
import { guessAnswer, guessOpening, reviseGuess } from './guess.js'
import { hookEnded } from './hooks.js'
import { close, closeOn, drain, endBroken, finishDraining, start } from './lifecycle.js'
import { giveUpModels, modelEnded, modelSaid, modelStarted, stopFailed } from './models.js'
import { playoutEnded, voiceReported } from './playout.js'
import type { AgentRef, Command, Input, UserInput, WorkInput } from './protocol.js'
import { finishReply, protectReply } from './replies.js'
import type { Settings } from './settings.js'
import { askVoice, finishText, giveUpSpeeches, startSpeech } from './sounding.js'
import { initialState, type State } from './state.js'
import { Step } from './step.js'
import { pushTask, returnFromTask, taskCancelled, taskFinished, taskStarted } from './tasks.js'
import { cutIn, finishTurn, giveUpTurnHook, ignoreBackchannel, recordTurn, turnPassed, userTyped } from './turn.js'
import {
  turnCleared,
  turnCommitted,
  userClaimed,
  userOverlapJudged,
  userSpeechEnded,
  userSpeechProgressed,
  userSpeechStarted,
  userTranscribed,
} from './user.js'

/**
 * A full-duplex conversation, without the world.
 *
 * `receive` is synchronous and total. It works in two halves: first the input is *recorded*, which only states what has
 * happened; then the rules are *advanced* until none applies, which only looks at what is the case. No rule knows which input
 * woke it, so none can be forgotten.
 */
export class Conversation {
  readonly state: State

  constructor(settings: Settings, root: AgentRef, state?: State) {
    this.state = state ?? initialState(settings, root)
  }

  /** @returns what to do, in order. `now` never runs backwards: an earlier one counts as the latest seen. */
  receive(input: Input, now: number): Command[] {
    const step = new Step(this.state)
    const ended = step.state.phase === 'closed'
    step.state.now = Math.max(now, step.state.now)
    if (admitted(step, input)) record(step, input)
    announceUser(step)
    for (let turns = 0; rules.some((rule) => rule(step)); turns++) {
      if (turns > 1_000) throw new Error('the rules do not come to rest')
    }
    announce(step)
    if (!ended) announceEnd(step)
    return step.commands
  }
}

/** What follows from what is the case. Read aloud in their order, they are the specification. */
const rules: readonly ((step: Step) => boolean)[] = [
  // the world has kept somebody waiting for too long
  giveUpModels,
  giveUpSpeeches,
  stopFailed,
  giveUpCall,
  giveUpTurnHook,
  closeGroup,
  // the end
  endBroken,
  closeOn,
  // the user
  ignoreBackchannel,
  yieldToUser,
  askTurnEnd,
  cutIn,
  finishTurn,
  recordTurn,
  hold,
  release,
  admitFalseCut,
  goAway,
  // guesses
  reviseGuess,
  guessAnswer,
  // who has the conversation
  finishReply,
  startCall,
  returnFromTask,
  leaveTasks,
  exitLeaving,
  finishLeaving,
  pushTask,
  // what is said
  think,
  guessOpening,
  fill,
  finishText,
  askVoice,
  startSpeech,
  finishDraining,
]

/** At the end only what is still owed is taken in, and whoever asks for more is told no. */
function admitted(step: Step, input: Input): boolean {
  const { phase } = step.state
  if (phase === 'new') return input.type === 'start' || input.type === 'close' || input.type === 'drain'
  if (phase === 'open' || phase === 'draining') return true
  switch (input.type) {
    case 'model-start':
    case 'task-start':
    case 'say':
    case 'reply':
    case 'agent-update':
      return true // each is refused where it is recorded
    case 'user-transcript':
    case 'user-speech-end':
    case 'model-text':
    case 'model-flush':
    case 'model-end':
    case 'voice-start':
    case 'voice-mark':
    case 'voice-end':
    case 'playout-position':
    case 'playout-end':
    case 'call-end':
    case 'turn-pass':
      return phase === 'closing'
    default:
      return false
  }
}

function record(step: Step, input: Input): void {
  switch (input.type) {
    case 'tick':
      return
    case 'start':
      return start(step)
    case 'model-start':
      return modelStarted(step, input.generation)
    case 'model-text':
      return modelSaid(step, input.generation, { text: input.text })
    case 'model-flush':
      return modelSaid(step, input.generation, { flush: true })
    case 'model-call':
      return modelSaid(step, input.generation, {
        call: input.call,
        name: input.name,
        args: input.args,
        traits: input.traits,
      })
    case 'model-end':
      return modelEnded(step, input)
    case 'voice-start':
    case 'voice-mark':
    case 'voice-end':
    case 'playout-position':
      return voiceReported(step, input)
    case 'playout-end':
      return playoutEnded(step, input)
    case 'say':
      return say(step, input)
    case 'reply':
      return requestReply(step, input)
    case 'interrupt':
      return interrupt(step, input.reply, input.force)
    case 'reply-protect':
      return protectReply(step, input.reply, input.interruptible)
    case 'agent-update':
      return agentUpdated(step, input.agent)
    case 'provider-error':
      return providerFailed(step, input)
    case 'drain':
      return drain(step, input.reason)
    case 'close':
      return close(step, input.reason, input.error ?? null)
    default:
      return recordWorkOrUser(step, input)
  }
}

function recordWorkOrUser(step: Step, input: UserInput | WorkInput): void {
  switch (input.type) {
    case 'user-speech-start':
      return userSpeechStarted(step, input.at)
    case 'user-speech-progress':
      return userSpeechProgressed(step, input.voiced)
    case 'user-speech-end':
      return userSpeechEnded(step, input.silence)
    case 'user-transcript':
      return userTranscribed(step, input)
    case 'user-overlap':
      return userOverlapJudged(step, input.verdict)
    case 'turn-prediction':
      return turnEndPredicted(step, input.prediction, input.probability)
    case 'user-text':
      return userTyped(step, input.text, input.interrupt)
    case 'turn-commit':
      return turnCommitted(step, input.text, input.reply)
    case 'turn-clear':
      return turnCleared(step)
    case 'user-claim':
      return userClaimed(step, input.on)
    case 'turn-pass':
      return turnPassed(step, input.call, input.text, input.reply)
    case 'call-end':
      return workEnded(step, input)
    case 'call-update':
      return callUpdated(step, input.call, input.text)
    case 'call-filler':
      return fillerAsked(step, input)
    case 'call-cancel':
      return callCancelled(step, input.call, input.reason)
    case 'task-start':
      return taskStarted(step, input)
    case 'task-finish':
      return taskFinished(step, input.task, input.error)
    case 'task-cancel':
      return taskCancelled(step, input.task, input.reason)
  }
}

/** A hook is a call that no model made. A turn that its hook stopped, or broke over, is recorded and not answered. */
function workEnded(step: Step, input: Extract<WorkInput, { type: 'call-end' }>): void {
  const hook = hookEnded(step, input.call)
  if (!hook) return callEnded(step, input.call, input.outcome)
  const stopped = step.state.committed.find((turn) => turn.hook === hook.id)
  if (stopped) turnPassed(step, hook.id, stopped.text, false)
}
