import { cutReplies } from './cut.js'
import { dropGuess } from './drop.js'
import { lastStraw } from './failures.js'
import { startExit } from './hooks.js'
import { clearSpeech, dropSpeech } from './playout.js'
import type { CloseReason, Failure } from './protocol.js'
import type { Closing } from './state.js'
import type { Step } from './step.js'
import { enter } from './tasks.js'
import { closeTurn } from './turn.js'
import { abortCall, rejectWaiting, unwindTo } from './unwind.js'
import { wordsPending } from './user.js'
import { nothing } from './work.js'

export function start(step: Step): void {
  const { state, top } = step
  if (state.phase !== 'new') return
  state.phase = 'open'
  state.idleSince = step.now
  step.note({ type: 'agent', id: step.id('a'), at: step.now, agent: top.agent.name, cause: 'start' })
  step.emit({ type: 'agent-change', from: null, to: top.agent.name, cause: 'start', depth: 1 })
  enter(step, top)
}

/** What is said is heard out and what runs may end; then the conversation closes. */
export function drain(step: Step, reason: CloseReason): void {
  const { state } = step
  if (state.phase === 'new') return close(step, reason, null)
  if (state.phase !== 'open') return
  state.phase = 'draining'
  state.drain = { reason, deadline: step.now + state.settings.limits.drain }
}

export function finishDraining(step: Step): boolean {
  const { state } = step
  if (state.phase !== 'draining' || !state.drain) return false
  if (step.now < state.drain.deadline && !isDrained(step)) return false
  close(step, state.drain.reason, null)
  return true
}

function isDrained(step: Step): boolean {
  const { state } = step
  const { opening, answer, result } = step.top.owes
  const { speeches, generations, requests, user } = state
  if (speeches.length + generations.length + requests.length > 0 || user.turn || user.speaking) return false
  if (opening || answer || result || state.committed.length > 0 || step.top.leaving || step.top.waiting.length > 0)
    return false
  const waits = (call: string | null): boolean => state.frames.some((frame) => frame.task?.call === call)
  return state.calls.every(
    ({ id, kind, status, joins }) => kind === 'enter' || status === 'handing' || waits(joins ?? id),
  )
}

// ── close: bounded phases, none of which user code can hold up ─────────────────────────────────

export function close(step: Step, reason: CloseReason, error: Failure | null): void {
  const { state } = step
  if (state.phase === 'closing' || state.phase === 'closed') return
  const begun = state.phase !== 'new'
  state.phase = 'closing'
  state.drain = null
  step.emit({ type: 'closing', reason })
  dropGuess(step)
  for (const frame of state.frames) frame.owes = nothing()
  cutReplies(step, { by: 'end', before: step.now, force: true })
  const until = error === null ? wordsDue(step) : step.now
  const { turn } = state.user
  if (turn) turn.commit = { reply: false, deadline: until }
  state.closing = { reason, error, phase: begun ? 'transcript' : 'output', deadline: until }
  if (until > step.now) step.do({ type: 'flush-transcript' })
}

/** A service that fails again and again ends the session: the caller is not left in silence. */
export function endBroken(step: Step): boolean {
  const error = lastStraw(step)
  if (!error || !step.open) return false
  close(step, 'error', error)
  return true
}

/** Until when words that were spoken may still become text. */
function wordsDue(step: Step): number {
  const { user, settings } = step.state
  const { turn } = user
  if (!turn || !settings.transcribes || settings.turns === 'model') return step.now
  if (wordsPending(step, turn)) return step.now + settings.limits.closeTranscript
  const due = turn.text === '' ? Math.max(step.now, user.lastSound + step.endpointing.minDelay) : step.now
  return Math.min(due, step.now + settings.limits.closeTranscript)
}

/** Applies what a phase of the close asks for, and goes on to the next when it is over or given up. */
export function closeOn(step: Step): boolean {
  const { closing } = step.state
  if (step.state.phase !== 'closing' || !closing) return false
  if (recordLateWords(step, closing)) return true
  const late = step.now >= closing.deadline
  switch (closing.phase) {
    case 'transcript':
      return step.now >= (step.state.user.turn?.commit?.deadline ?? 0) && settleWork(step, closing)
    case 'tools':
      return workOn(step, closing, late)
    case 'exit':
      return exited(step, late) && stopOutput(step, closing)
    case 'output':
      return step.state.speeches.length === 0 && end(step)
  }
}

/** Words that come when they are not waited for any more are recorded all the same. */
function recordLateWords(step: Step, { phase }: Closing): boolean {
  if (phase === 'transcript' || !step.state.user.turn?.text) return false
  closeTurn(step)
  return true
}

function settleWork(step: Step, closing: Closing): true {
  const { state } = step
  closeTurn(step)
  enterPhase(step, closing, 'tools', state.settings.limits.closeTools)
  for (const frame of state.frames) {
    for (const { id } of [...frame.waiting]) rejectWaiting(step, id, 'closing', 'the session closed')
  }
  if (state.frames.length > 1) unwindTo(step, 1, 'closing', 'the session closed')
  for (const call of [...state.calls]) {
    if (call.traits.cancellable || call.status === 'waiting' || call.kind === 'enter' || call.kind === 'turn') {
      abortCall(step, call, 'closing', 'the session closed')
    }
  }
  return true
}

/** Running tools may end; when their time is up they are told to stop, and written off if they do not. */
function workOn(step: Step, closing: Closing, late: boolean): boolean {
  const { calls } = step.state
  const left = calls.filter((call) => call.status !== 'aborting')
  if (calls.length === 0) return sayFarewell(step, closing)
  if (!late || left.length === 0) return false
  for (const call of left) abortCall(step, call, 'closing', 'the session closed')
  return true
}

function sayFarewell(step: Step, closing: Closing): true {
  const { top } = step
  enterPhase(step, closing, 'exit', step.state.settings.limits.closeOutput)
  startExit(step, top)
  return true
}

function exited(step: Step, late: boolean): boolean {
  const { calls, speeches, generations, replies } = step.state
  if (!late)
    return (
      calls.every((call) => call.kind !== 'exit') &&
      speeches.length === 0 &&
      generations.length === 0 &&
      replies.length === 0
    )
  for (const call of [...calls]) abortCall(step, call, 'closing', 'the session closed')
  return true
}

function stopOutput(step: Step, closing: Closing): true {
  cutReplies(step, { by: 'end', before: step.now, force: true })
  for (const speech of [...step.state.speeches]) {
    if (speech.sound === 'queued') dropSpeech(step, speech)
    else clearSpeech(step, speech)
  }
  enterPhase(step, closing, 'output', step.state.settings.limits.line)
  return true
}

function end(step: Step): true {
  const { state } = step
  state.calls = []
  closeTurn(step)
  state.phase = 'closed'
  return true
}

function enterPhase(step: Step, closing: Closing, phase: Closing['phase'], limit: number): void {
  step.state.closing = { ...closing, phase, deadline: step.now + limit }
}
