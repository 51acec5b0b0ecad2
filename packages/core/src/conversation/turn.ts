import { type Cut, cutReplies } from './cut.js'
import { adopt, fittingGuess } from './guess.js'
import { startHook } from './hooks.js'
import type { Id, TurnEnd, UserInput } from './protocol.js'
import { isProtected } from './replies.js'
import type { Turn } from './state.js'
import type { Step } from './step.js'
import { countWords, isBackchannel, join } from './words.js'

// ── what the user does ─────────────────────────────────────────────────────────────────────────

export function userSpeechStarted(step: Step, at: number): void {
  const { user, settings } = step.state
  user.speaking = true
  user.onset = Math.min(at, step.now)
  user.voiced = 0
  user.verdict = null
  user.inferred = false
  user.taken = null
  user.away = false
  user.lastSound = step.now
  openTurn(step)
  if (settings.turns === 'model') cutReplies(step, byUser(step))
}

export function userSpeechProgressed(step: Step, voiced: number): void {
  const { user } = step.state
  if (!user.speaking) return
  user.voiced = Math.max(user.voiced, voiced)
  user.lastSound = step.now
}

export function userSpeechEnded(step: Step, silence: number): void {
  const { user } = step.state
  if (!user.speaking) return
  user.speaking = false
  user.lastSound = Math.max(user.onset ?? 0, step.now - Math.max(0, silence))
  user.quietSince = step.now
}

export function userTranscribed(step: Step, input: Extract<UserInput, { type: 'user-transcript' }>): void {
  const { user } = step.state
  const text = input.text.trim()
  if (text === '') {
    if (input.final && user.turn) user.turn.interim = ''
    return
  }
  if (user.taken !== null) {
    if (input.final) user.taken = null
    return
  }
  step.emit({ type: 'user-transcript', text, final: input.final })
  user.away = false
  step.state.idleSince = null
  const turn = openTurn(step)
  if (input.final) turn.text = join(turn.text, text)
  turn.interim = input.final ? '' : text
  if (input.final || step.interruption.words === 'interim') turn.lastWords = step.now
  if (input.final && turn.commit) turn.commit = { ...turn.commit, deadline: step.now }
  if (user.inferred) Object.assign(user, { verdict: null, inferred: false })
}

export function userOverlapJudged(step: Step, verdict: 'backchannel' | 'interruption'): void {
  Object.assign(step.state.user, { verdict, inferred: false })
}

export function turnEndPredicted(step: Step, id: Id, probability: number | null): void {
  const prediction = step.state.user.turn?.prediction
  if (prediction?.id !== id || prediction.answered) return
  prediction.probability = probability
  prediction.answered = true
}

export function userTyped(step: Step, text: string, interrupt: boolean): void {
  step.state.user.away = false
  if (text.trim() === '') return
  if (interrupt) cutReplies(step, { by: 'user', before: step.now, force: false })
  record(step, text, true)
}

/** Somebody says that the turn is over. Words that are still on their way are waited for. */
export function turnCommitted(step: Step, text: string | null, reply: boolean): void {
  const { settings, user } = step.state
  const turn = openTurn(step)
  if (text !== null) Object.assign(turn, { text, interim: '' })
  const pending = text === null && settings.transcribes && (turn.text === '' || turn.interim !== '' || user.speaking)
  const { transcriptTimeout } = step.endpointing
  turn.commit = { reply, deadline: pending ? step.now + transcriptTimeout : step.now }
  if (pending) step.do({ type: 'flush-transcript' })
}

export function turnCleared(step: Step): void {
  const { turn } = step.state.user
  if (turn) letGo(step, turn, 'cleared')
}

// ── what follows ───────────────────────────────────────────────────────────────────────────────

/** Words that only say "go on", said over the agent, take nothing from it and are nobody's turn. */
export function ignoreBackchannel(step: Step): boolean {
  const { user, settings } = step.state
  const turn = user.turn
  if (!turn || settings.turns !== 'voice' || turn.commit) return false
  if (step.audible === undefined || step.clearing) return false
  const said = join(turn.text, turn.interim)
  const judged = user.verdict === 'backchannel' && said !== ''
  const known =
    turn.text !== '' && turn.interim === '' && user.verdict === null && isBackchannel(turn.text, step.interruption)
  if (!judged && !known) return false
  if (known) Object.assign(user, { verdict: 'backchannel', inferred: true })
  letGo(step, turn, 'backchannel')
  return true
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

/** A turn whose time has come is committed; one without words is let go. */
export function finishTurn(step: Step): boolean {
  const { user, settings } = step.state
  const turn = user.turn
  if (!turn || !step.open) return false
  const end = endOfTurn(step)
  if (end === null || step.now < end || refused(step, turn)) return false
  const text = join(turn.text, turn.interim)
  if (text === '' && (settings.transcribes || turn.commit === null)) {
    letGo(step, turn, 'no-words')
    return true
  }
  if (turn.interim !== '') user.taken = turn.interim
  commit(step, turn, text, turn.commit?.reply ?? true)
  return true
}

/** When the open turn is over. null: that is not known yet. */
export function endOfTurn(step: Step): number | null {
  const { user, settings } = step.state
  const { turn } = user
  if (!turn) return null
  if (turn.commit) return turn.commit.deadline
  if (settings.turns !== 'voice' || user.speaking) return null
  const { minDelay, maxDelay, threshold, transcriptTimeout } = step.endpointing
  if (turn.text === '' || turn.interim !== '') {
    return settings.transcribes
      ? Math.max(user.lastSound, turn.lastWords ?? 0) + transcriptTimeout
      : user.lastSound + minDelay
  }
  const { prediction } = turn
  if (prediction && !prediction.answered && step.now < prediction.deadline) return prediction.deadline
  const goesOn = prediction?.text === turn.text && prediction.probability !== null && prediction.probability < threshold
  return user.lastSound + (goesOn ? maxDelay : minDelay)
}

/** Too few words to take the floor from an agent that speaks: they are kept until there are more, or it has ended. */
function refused(step: Step, turn: Turn): boolean {
  const { minWords } = step.interruption
  const { audible } = step
  if (turn.commit || audible === undefined || audible.sound === 'clearing' || isProtected(step, audible.reply))
    return false
  return countWords(turn.text) < minWords
}

// ── parts ──────────────────────────────────────────────────────────────────────────────────────

/** What the user's words cut: everything that had begun when they were last heard. */
export function byUser(step: Step): Cut {
  return { by: 'user', before: step.state.user.turn?.lastWords ?? step.now, force: false }
}

function openTurn(step: Step): Turn {
  const { user } = step.state
  if (user.turn) return user.turn
  user.turn = {
    id: step.id('t'),
    since: step.now,
    text: '',
    interim: '',
    prediction: null,
    guesses: 0,
    lastWords: null,
    overlaps: false,
    commit: null,
  }
  step.emit({ type: 'user-turn-start', turn: user.turn.id })
  return user.turn
}

function commit(step: Step, turn: Turn, text: string, reply: boolean): void {
  step.emit({ type: 'user-turn-end', turn: turn.id, text, reason: 'committed' })
  const cut = byUser(step)
  step.state.user.turn = null
  if (reply && step.state.settings.turns !== 'model') cutReplies(step, cut)
  if (reply && step.top.agent.hooks.includes('turn')) {
    const call = startHook(step, step.top, 'turn', text)
    step.state.hooked.push({ turn: turn.id, call: call.id, text, reply })
    return
  }
  record(step, text, reply)
}

/** The hook lets a turn pass. */
export function turnPassed(step: Step, call: Id, text: string, reply: boolean): void {
  const { hooked } = step.state
  const index = hooked.findIndex((turn) => turn.call === call)
  if (index < 0) return
  hooked.splice(index, 1)
  record(step, text, reply)
}

/** A hook that takes too long is not waited for: the turn passes as it was heard. */
export function giveUpTurnHook(step: Step): boolean {
  const { calls } = step.state
  const call = calls.find((each) => each.kind === 'turn' && each.since !== null && step.now >= each.since + each.left)
  const turn = step.state.hooked.find((each) => each.call === call?.id)
  if (!call || !turn) return false
  calls.splice(calls.indexOf(call), 1)
  step.do({ type: 'call-abort', call: call.id, reason: 'it took too long', because: 'timeout' })
  turnPassed(step, call.id, turn.text, turn.reply)
  return true
}

/** The words are part of the history, and whoever has the conversation owes an answer. */
export function record(step: Step, text: string, reply: boolean): void {
  const guess = reply ? fittingGuess(step, text) : undefined
  const item = { type: 'user', id: step.id('u'), at: step.now, text } as const
  if (text.trim() !== '') {
    step.note(item)
    step.emit({ type: 'history-item', item })
  }
  if (guess) adopt(step, guess)
  else if (reply && step.state.settings.turns !== 'model' && step.state.phase === 'open') step.top.owes.answer = true
}

/** The turn ends without being anybody's to answer. Its words stay on record. */
function letGo(step: Step, turn: Turn, reason: Extract<TurnEnd, 'no-words' | 'backchannel' | 'cleared'>): void {
  const text = join(turn.text, turn.interim)
  step.state.user.turn = null
  step.emit({ type: 'user-turn-end', turn: turn.id, text: null, reason })
  if (text === '' || reason === 'no-words') return
  step.state.history.push({ type: 'overheard', id: step.id('o'), at: step.now, text, reason })
}

/** At the end whatever was said is recorded, and nobody answers. */
export function closeTurn(step: Step): void {
  const { user, hooked } = step.state
  for (const { text } of hooked.splice(0)) record(step, text, false)
  const { turn } = user
  if (!turn) return
  const text = join(turn.text, turn.interim)
  user.turn = null
  step.emit({ type: 'user-turn-end', turn: turn.id, text: text === '' ? null : text, reason: 'closing' })
  if (text !== '') record(step, text, false)
}
