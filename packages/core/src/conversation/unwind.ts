import { cutReply } from './cut.js'
import { dropGuess } from './drop.js'
import { endCall } from './groups.js'
import { startExit } from './hooks.js'
import type { Id } from './protocol.js'
import { unprotect } from './replies.js'
import type { Frame } from './state.js'
import type { Step } from './step.js'
import type { Call } from './work.js'

type Because = 'cancelled' | 'closing'

/** The call's signal aborts. How it ends is still listened to, for a while. */
export function abortCall(step: Step, call: Call, because: Because, reason: string): void {
  if (call.status === 'aborting') return
  const told = call.aborted !== null
  call.aborted = because
  cancelTasksOf(step, call, because, reason)
  if (call.kind !== 'tool') {
    step.state.calls.splice(step.state.calls.indexOf(call), 1)
    step.do({ type: 'call-abort', call: call.id, reason, because })
  } else if (call.status === 'running') {
    call.status = 'aborting'
    call.since = step.now
    call.left = step.state.settings.limits.abort
    if (!told) step.do({ type: 'call-abort', call: call.id, reason, because })
  } else endCall(step, call, 'cancelled', outputOf(because))
}

export const outputOf = (because: Because): string =>
  because === 'closing' ? 'Cancelled: the session closed.' : 'Cancelled.'

/** Nobody awaits the tasks of a call any longer: those that wait are refused, those that hold the conversation are left. */
export function cancelTasksOf(step: Step, call: Call, because: Because, reason: string): void {
  const index = step.state.frames.findIndex((frame) => frame.task?.call === call.id)
  if (index > 0) unwindTo(step, index, because, reason)
  const frame = step.frame(call.frame)
  for (const { id } of frame?.waiting.filter((task) => task.call === call.id) ?? [])
    rejectWaiting(step, id, because, reason)
}

/** A task that waits to take the conversation will not have it. */
export function rejectWaiting(step: Step, task: Id, because: Because, reason: string): boolean {
  const frame = step.state.frames.find((each) => each.waiting.some(({ id }) => id === task))
  if (!frame) return false
  const asked = frame.waiting.find(({ id }) => id === task)
  frame.waiting = frame.waiting.filter((each) => each !== asked)
  if (asked) goOn(step, asked.call)
  unprotect(step, task)
  step.do({ type: 'task-reject', task, reason, because })
  return true
}

/** Leaves every frame from `index` up, innermost first. */
export function unwindTo(step: Step, index: number, because: Because, reason: string): void {
  for (let frame = step.top; step.state.frames.length > index; frame = step.top) unwind(step, frame, because, reason)
}

function unwind(step: Step, frame: Frame, because: Because, reason: string): void {
  const { state } = step
  startExit(step, frame)
  for (const { id } of [...frame.waiting]) rejectWaiting(step, id, because, reason)
  dropGuess(step)
  const requested = (id: Id): boolean => state.requests.some((request) => request.reply === id)
  for (const reply of state.replies.filter((each) => each.frame === frame.id && !requested(each.id)))
    cutReply(step, reply, 'unwinding')
  state.frames.pop()
  for (const call of state.calls.filter(
    (each) => each.frame === frame.id && (each.kind === 'tool' || each.kind === 'enter'),
  )) {
    abortCall(step, call, because, reason)
  }
  comeBack(step, frame)
  if (frame.task) step.do({ type: 'task-reject', task: frame.task.id, reason, because })
  step.emit({ type: 'task-end', task: frame.task?.id ?? '', agent: frame.agent.name, outcome: 'cancelled' })
}

/** A call that no longer waits for a task works by itself: its time runs again. */
function goOn(step: Step, id: Id): void {
  const call = step.call(id)
  const waits = step.state.frames.some(
    (frame) => frame.task?.call === id || frame.waiting.some((task) => task.call === id),
  )
  if (call?.status === 'running' && !waits) Object.assign(call, { since: step.now, backAt: step.now })
}

/** The conversation is back with the agent that asked for the task; what nobody has answered yet is that agent's to answer. */
export function comeBack(step: Step, left: Frame): void {
  const { top } = step
  if (left.owes.answer) top.owes.answer = true
  for (const speech of step.state.speeches) {
    // what the application says is nobody's task
    if (speech.frame === left.id && (speech.generation ?? speech.reply) === speech.reply) speech.frame = top.id
  }
  if (left.task) {
    unprotect(step, left.task.id)
    goOn(step, left.task.call)
  }
  step.note({ type: 'agent', id: step.id('a'), at: step.now, agent: top.agent.name, cause: 'return' })
  step.emit({
    type: 'agent-change',
    from: left.agent.name,
    to: top.agent.name,
    cause: 'return',
    depth: step.state.frames.length,
  })
}
