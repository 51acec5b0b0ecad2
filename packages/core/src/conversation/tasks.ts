import { dropGuess, guessOf } from './drop.js'
import { adopt } from './guess.js'
import { startHook } from './hooks.js'
import { leave } from './leave.js'
import type { Command, Id, WorkInput } from './protocol.js'
import { type Frame, frameOf, type WaitingTask } from './state.js'
import type { Step } from './step.js'
import { rejectWaiting, unwindTo } from './unwind.js'
import type { Call, Generation } from './work.js'

// ── a task is asked for ────────────────────────────────────────────────────────────────────────

export function taskStarted(step: Step, input: Extract<WorkInput, { type: 'task-start' }>): void {
  const { task, agent, speech } = input
  const call = step.call(input.call)
  const frame = call && step.frame(call.frame)
  const refusal = refuse(step, call, frame)
  if (refusal || !call || !frame) {
    step.do({
      type: 'task-reject',
      task,
      ...(refusal ?? { reason: 'the call that asks for it has ended', because: 'refused' }),
    })
    return
  }
  if (speech === 'finish') step.reply(call.reply)?.protectors.push(task)
  const unanswered = step.unsettled || frame.owes.answer
  frame.waiting.push({ id: task, call: call.id, agent, speech, after: call.interrupted && unanswered, guessed: false })
  rest(step, call)
}

type Refusal = Pick<Extract<Command, { type: 'task-reject' }>, 'reason' | 'because'>

function refuse(step: Step, call: Call | undefined, frame: Frame | undefined): Refusal | null {
  if (!step.open) return { reason: 'the session is closing', because: 'closing' }
  if (!call || !frame || call.status !== 'running')
    return { reason: 'the call that asks for it has ended', because: 'refused' }
  if (call.kind === 'exit' || call.kind === 'turn') {
    return { reason: 'a task can be awaited in tools and in enter hooks, not in other hooks', because: 'refused' }
  }
  if (call.interrupted && call.traits.onInterrupt === 'cancel' && !call.held) {
    return { reason: 'the caller interrupted before the task could begin', because: 'interrupted' }
  }
  if (frame.leaving) return { reason: 'the agent has handed the conversation over', because: 'cancelled' }
  return null
}

/** While a task of it waits or has the conversation, the time of a call stands still. */
function rest(step: Step, call: Call): void {
  if (call.since === null) return
  call.left -= step.now - call.since
  call.since = null
}

// ── a task ends ────────────────────────────────────────────────────────────────────────────────

export function taskFinished(step: Step, task: Id, error: string | null): void {
  const frame = step.state.frames.find((each) => each.task?.id === task)
  if (frame) frame.result ??= { error }
}

export function taskCancelled(step: Step, task: Id, reason: string): void {
  const index = step.state.frames.findIndex((frame) => frame.task?.id === task)
  if (index > 0) unwindTo(step, index, 'cancelled', reason)
  else rejectWaiting(step, task, 'cancelled', reason)
}

/** A task with a result returns as soon as nobody works for it, and what tells its last results was heard. */
export function returnFromTask(step: Step): boolean {
  const { top } = step
  const { state } = step
  if (!top.task || !top.result || top.leaving || top.owes.result) return false
  if (state.calls.some((call) => call.frame === top.id && call.kind !== 'enter')) return false
  if (state.groups.some((group) => group.frame === top.id && group.announce)) return false
  const telling = (debts: Frame['owes']): boolean => debts.result !== null
  if (state.generations.some((each) => each.frame === top.id && telling(each.debts))) return false
  if (state.speeches.some((each) => each.frame === top.id && telling(each.debts))) return false
  leave(step, top, null)
  return true
}

// ── a task begins ──────────────────────────────────────────────────────────────────────────────

/** The first task that waits takes the conversation when nothing more is to be heard of the agent that asked for it. */
export function pushTask(step: Step): boolean {
  const { top, state } = step
  const task = top.waiting[0]
  if (!task || !mayBegin(step, top, task)) return false
  top.waiting.shift()
  const call = step.call(task.call)
  if (call) call.held = true
  const frame = frameOf(step.id('f'), step.id('h'), task.agent, { id: task.id, call: task.call })
  const prepared = preparedFor(step, task.id)
  if (!prepared) dropGuess(step)
  inherit(frame, top)
  state.frames.push(frame)
  announce(step, top.agent.name, frame)
  step.emit({ type: 'task-start', task: task.id, call: task.call, agent: task.agent.name })
  if (prepared) {
    prepared.frame = frame.id
    adopt(step, prepared)
  } else enter(step, frame)
  return true
}

function preparedFor(step: Step, task: Id): Generation | undefined {
  const prepared = guessOf(step)
  return prepared?.guess?.task === task && prepared.guess.version === step.state.version ? prepared : undefined
}

function mayBegin(step: Step, top: Frame, task: WaitingTask): boolean {
  const { state } = step
  if (!step.open || top.leaving) return false
  if (state.generations.some((each) => each.frame === top.id && each.guess === null)) return false
  if (state.speeches.some((speech) => speech.frame === top.id)) return false
  if (!task.after) return true
  return !step.unsettled && !top.owes.answer
}

/** An answer that is owed moves with the conversation. */
function inherit(to: Frame, from: Frame): void {
  to.owes = { opening: false, answer: from.owes.answer, result: null }
  to.inherited = from.owes.answer
  from.owes.answer = false
}

/** Whoever takes the conversation speaks first, unless its hook does, or it wants to be silent. */
export function enter(step: Step, frame: Frame): void {
  const hook = frame.agent.hooks.includes('enter')
  frame.owes.opening = frame.agent.greet && !hook
  if (hook) startHook(step, frame, 'enter')
}

function announce(step: Step, from: string, frame: Frame): void {
  const { agent } = frame
  step.note({ type: 'agent', id: step.id('a'), at: step.now, agent: agent.name, cause: 'task' })
  step.emit({ type: 'agent-change', from, to: agent.name, cause: 'task', depth: step.state.frames.length })
}
