import { withdrawCalls } from './calls.js'
import { cutReplies } from './cut.js'
import { endOfTurn } from './endpointing.js'
import { adopt, fittingGuess } from './guess.js'
import { startHook } from './hooks.js'
import { forgetPause } from './pace.js'
import type { Id } from './protocol.js'
import { isProtected } from './replies.js'
import type { CommittedTurn, Turn } from './state.js'
import type { Step } from './step.js'
import { byUser, letGo, openTurn, take } from './user.js'
import { countWords, isBackchannel, join } from './words.js'
import type { Call } from './work.js'

/** Words that only say "go on", said over the agent, take nothing from it and are nobody's turn. */
export function ignoreBackchannel(step: Step): boolean {
  const { user, settings } = step.state
  const turn = user.turn
  if (!turn || settings.turns !== 'voice' || turn.commit) return false
  if (step.audible === undefined || step.clearing) return false
  const end = endOfTurn(step)
  const settled = turn.interim === '' || (end !== null && step.now >= end)
  if (!settled || join(turn.text, turn.interim) === '') return false
  const judged = user.verdict === 'backchannel'
  const known = user.verdict === null && isBackchannel(turn.text, step.interruption)
  if (!judged && !known) return false
  if (known) Object.assign(user, { verdict: 'backchannel', inferred: true })
  forgetPause(step)
  letGo(step, turn, 'backchannel')
  return true
}

/** Somebody who talks on and on is answered in between: what was said so far is a turn of its own. */
export function cutIn(step: Step): boolean {
  const { user, settings, speeches, requests } = step.state
  const { turn } = user
  const at = cutInAt(step)
  if (settings.turns !== 'voice' || !turn || turn.text === '' || at === null || step.now < at || !step.open)
    return false
  if (speeches.length + requests.length > 0 || step.generating) return false
  step.emit({ type: 'user-turn-exceeded', turn: turn.id, text: turn.text })
  user.tally = { words: 0, since: null }
  const { text, interim, heardAt } = turn
  Object.assign(turn, { interim: '' })
  commit(step, turn, text, true, true)
  if (interim !== '') Object.assign(openTurn(step), { interim, heardAt })
  return true
}

/** When the user will have said more than is wanted. null: there is no limit, or nothing was said. */
export function cutInAt(step: Step): number | null {
  const { user, settings } = step.state
  const { maxWords, maxDuration } = settings.userTurnLimit ?? { maxWords: null, maxDuration: null }
  if (maxWords !== null && user.tally.words > maxWords) return step.now
  return maxDuration !== null && user.tally.since !== null ? user.tally.since + maxDuration : null
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
  if (turn.interim !== '') take(step, turn.interim)
  commit(step, turn, text, turn.commit?.reply ?? true)
  return true
}

/** Too few words to take the floor from an agent that speaks: they are kept until there are more, or it has ended. */
function refused(step: Step, turn: Turn): boolean {
  const { minWords } = step.interruption
  const { audible } = step
  if (turn.commit || audible === undefined || audible.sound === 'clearing' || isProtected(step, audible.reply))
    return false
  return countWords(join(turn.text, turn.interim)) < minWords
}

function commit(step: Step, turn: Turn, text: string, reply: boolean, cutsIn = false): void {
  step.emit({ type: 'user-turn-end', turn: turn.id, text, reason: 'committed' })
  const cut = byUser(step)
  Object.assign(step.state.user, { turn: null, verdict: null, inferred: false })
  if (reply && step.state.settings.turns !== 'model') cutReplies(step, cut)
  queue(step, { turn: turn.id, text, reply, asks: step.state.settings.turns !== 'model', cutsIn })
}

/** Typed words are a turn that needs no ear. */
export function userTyped(step: Step, text: string, interrupt: boolean): void {
  step.state.user.away = false
  if (text.trim() === '') return
  if (interrupt) cutReplies(step, { by: 'user', before: step.now, force: false })
  queue(step, { turn: step.id('t'), text: text.trim(), reply: true, asks: true, cutsIn: false })
}

/** A committed turn is recorded when its hook has seen it, and what it talked over has fallen silent. */
function queue(step: Step, turn: Omit<CommittedTurn, 'hook'>): void {
  const { top } = step
  const hook = turn.reply && top.agent.hooks.includes('turn') ? startHook(step, top, 'turn', turn.text).id : null
  step.state.committed.push({ ...turn, hook })
}

/** The hook has seen a turn and lets it pass. */
export function turnPassed(step: Step, hook: Id, text: string, reply: boolean): void {
  step.state.calls = step.state.calls.filter((call) => call.id !== hook)
  const turn = step.state.committed.find((each) => each.hook === hook)
  if (turn) Object.assign(turn, { hook: null, text, reply })
}

/** A hook that takes too long is not waited for: the turn passes as it was heard. */
export function giveUpTurnHook(step: Step): boolean {
  const late = (call: Call): boolean =>
    call.kind === 'turn' && call.since !== null && step.now >= call.since + call.left
  const hook = step.state.calls.find(late)
  if (!hook) return false
  step.do({ type: 'call-abort', call: hook.id, reason: 'it took too long', because: 'timeout' })
  const turn = step.state.committed.find((each) => each.hook === hook.id)
  turnPassed(step, hook.id, turn?.text ?? '', turn?.reply ?? false)
  return true
}

/** The words take their place in the history, and whoever has the conversation owes an answer. */
export function recordTurn(step: Step): boolean {
  const { committed } = step.state
  const [turn] = committed
  if (!turn || turn.hook !== null || step.clearing || !step.open) return false
  committed.shift()
  step.state.cutIn = turn.cutsIn
  record(step, turn.text, turn.reply && turn.asks)
  return true
}

export function record(step: Step, text: string, reply: boolean): void {
  if (text.trim() !== '') withdrawCalls(step)
  // words that wait behind these are answered with them
  const guess = reply && step.state.committed.length === 0 ? fittingGuess(step, text) : undefined
  const item = { type: 'user', id: step.id('u'), at: step.now, text } as const
  if (text.trim() !== '') {
    step.note(item)
    step.emit({ type: 'history-item', item })
  }
  if (guess) adopt(step, guess)
  else if (reply && step.state.phase === 'open') step.top.owes.answer = true
}

/** At the end whatever was said is recorded, and nobody answers. */
export function closeTurn(step: Step): void {
  const { user, committed } = step.state
  for (const { text } of committed.splice(0)) record(step, text, false)
  const { turn } = user
  if (!turn) return
  const text = join(turn.text, turn.interim)
  if (turn.interim !== '') take(step, turn.interim)
  user.turn = null
  step.emit({ type: 'user-turn-end', turn: turn.id, text: text === '' ? null : text, reason: 'closing' })
  if (text !== '') record(step, text, false)
}
