import { stopGeneration } from './generations.js'
import { startExit } from './hooks.js'
import { leave } from './leave.js'
import type { AgentRef, Id } from './protocol.js'
import type { Frame } from './state.js'
import type { Step } from './step.js'
import { enter } from './tasks.js'
import { abortCall, comeBack, rejectWaiting, unwindTo } from './unwind.js'

/** The application wants another agent: tasks are cancelled, and what is being said is heard first. */
export function agentUpdated(step: Step, agent: AgentRef): void {
  const { frames, calls } = step.state
  const [root] = frames
  if (!root || !step.open)
    return step.do({ type: 'refuse', request: 'agent-update', reason: 'the session is closing', because: 'closing' })
  if (frames.slice(0, -1).some((frame) => frame.agent.id === agent.id)) {
    const reason = `agent "${agent.name}" already waits for a task below; it has the conversation again when the task is over`
    return step.do({ type: 'refuse', request: 'agent-update', reason, because: 'invalid' })
  }
  for (const call of calls) call.quiet ||= awaitsTask(step, call.id)
  if (frames.length > 1) unwindTo(step, 1, 'cancelled', 'the agent was replaced')
  leave(step, root, agent)
}

const awaitsTask = (step: Step, call: Id): boolean =>
  step.state.frames.some((frame) => frame.task?.call === call || frame.waiting.some((task) => task.call === call))

/** An agent that takes over in the middle of a task ends the task, and all below it. */
export function leaveTasks(step: Step): boolean {
  const { frames } = step.state
  const leaving = frames.find((frame) => frame.leaving?.to && frame.task)
  const [root] = frames
  if (!leaving?.leaving?.to || !root) return false
  const { to } = leaving.leaving
  unwindTo(step, 1, 'cancelled', `the conversation was handed over to ${to.name}`)
  leave(step, root, to)
  return true
}

/** Before an agent leaves, its exit hook has its say. */
export const exitLeaving = (step: Step): boolean =>
  step.state.frames.some((frame) => frame.leaving !== null && startExit(step, frame))

/** The floor changes hands when what was begun to be said was heard. */
export function finishLeaving(step: Step): boolean {
  const { top } = step
  const { state } = step
  if (!top.leaving || !step.open) return false
  if (state.calls.some((call) => call.id === top.exit)) return false
  const patient = top.leaving.to !== null || top.exit !== null
  if (patient && state.speeches.some((speech) => speech.frame === top.id && speech.holder === top.holder)) return false
  if (patient && state.generations.some((each) => each.frame === top.id && each.guess === null)) return false
  if (top.leaving.to) handOff(step, top, top.leaving.to)
  else comeBackWithResult(step, top)
  return true
}

function handOff(step: Step, frame: Frame, to: AgentRef): void {
  if (!frame.leaving) return
  const from = frame.agent.name
  for (const { id } of [...frame.waiting])
    rejectWaiting(step, id, 'cancelled', 'the agent has handed the conversation over')
  stopEntering(step, frame)
  frame.holder = frame.leaving.holder
  frame.agent = to
  frame.leaving = null
  frame.exit = null
  frame.opened = false
  frame.inherited = frame.owes.answer
  frame.owes.result = null
  step.note({ type: 'agent', id: step.id('a'), at: step.now, agent: to.name, cause: 'handoff' })
  step.emit({ type: 'agent-change', from, to: to.name, cause: 'handoff', depth: step.state.frames.length })
  enter(step, frame)
}

/** An agent that has lost the conversation has nothing more to begin with. */
function stopEntering(step: Step, frame: Frame): void {
  const hooks = step.state.calls.filter((call) => call.kind === 'enter' && call.holder === frame.holder)
  for (const hook of hooks) abortCall(step, hook, 'cancelled', 'the agent has left the conversation')
}

function comeBackWithResult(step: Step, frame: Frame): void {
  const { state } = step
  const { task, result } = frame
  for (const { id } of [...frame.waiting]) rejectWaiting(step, id, 'cancelled', 'the task is over')
  state.frames.pop()
  for (const generation of state.generations.filter((each) => each.frame === frame.id)) {
    stopGeneration(step, generation)
    if (!generation.said && generation.debts.answer) frame.owes.answer = true
  }
  const work = state.calls.filter((each) => each.frame === frame.id && each.kind !== 'turn') // its turn still passes
  for (const call of work) abortCall(step, call, 'cancelled', 'the task is over')
  comeBack(step, frame)
  if (!task || !result) return
  if (result.error === null) step.do({ type: 'task-resolve', task: task.id })
  else step.do({ type: 'task-reject', task: task.id, reason: result.error, because: 'failed' })
  step.emit({
    type: 'task-end',
    task: task.id,
    agent: frame.agent.name,
    outcome: result.error === null ? 'done' : 'failed',
  })
}
