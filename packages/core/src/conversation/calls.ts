import { endCall, groupOf, putBehind, settle, tell, worthTelling } from './groups.js'
import type { AgentRef, CallOutcome, Id, ToolTraits } from './protocol.js'
import type { Step } from './step.js'
import { abortCall, cancelTasksOf, outputOf } from './unwind.js'
import type { Call, Generation } from './work.js'

// ── a call begins ──────────────────────────────────────────────────────────────────────────────

export interface ModelCall {
  readonly call: Id
  readonly name: string
  readonly args: string
  readonly traits: ToolTraits
}

export function openCall(step: Step, generation: Generation, { call: id, name, args, traits }: ModelCall): void {
  const frame = step.frame(generation.frame)
  if (!frame || step.call(id) || generation.tools === 'none') return
  const equal = step.state.calls.find(
    (each) => each.frame === frame.id && each.traits.key === traits.key && each.status === 'running',
  )
  const call: Call = {
    id,
    kind: 'tool',
    name,
    args,
    frame: frame.id,
    holder: frame.holder,
    reply: generation.reply,
    group: generation.id,
    step: generation.step,
    traits,
    status: 'waiting',
    joins: equal && traits.duplicates === 'join' ? equal.id : null,
    aborted: null,
    interrupted: false,
    held: false,
    backAt: null,
    released: false,
    quiet: false,
    left: traits.timeout,
    since: null,
    filler: null,
  }
  step.state.calls.push(call)
  const group = groupOf(step, generation, frame)
  group.calls.push(id)
  group.open.push(id)
  putBehind(step, call, { type: 'call', id, at: step.now, frame: frame.id, group: generation.id, name, args })
  step.emit({ type: 'call-start', call: id, name, args, reply: generation.reply })
  if (equal && traits.duplicates === 'reject') {
    return void endCall(
      step,
      call,
      'error',
      `An equal call of ${name} is still running; its result will come by itself.`,
    )
  }
  if (equal && traits.duplicates === 'replace') abortCall(step, equal, 'cancelled', 'replaced by a new call')
  if (call.joins !== null) call.status = 'joined'
}

/** A call that waits begins: at once, or, where it cannot be undone, as soon as the turn that caused it is sure. */
export function startCall(step: Step): boolean {
  const { calls, user } = step.state
  const unsure = user.speaking || step.unsettled
  const call = calls.find((each) => each.status === 'waiting' && !(each.traits.effect === 'irreversible' && unsure))
  if (!call || !step.open) return false
  const agent = step.frame(call.frame)?.agent
  if (!agent) {
    endCall(step, call, 'cancelled', outputOf('cancelled'))
    return true
  }
  call.status = 'running'
  call.since = step.now
  step.do({ type: 'call', call: call.id, reply: call.reply, agent: agent.id, name: call.name, args: call.args })
  return true
}

/** What cannot be undone and has not begun is not begun when the caller has said more: the answer decides anew. */
export function withdrawCalls(step: Step): void {
  for (const call of step.state.calls.filter((each) => each.status === 'waiting')) {
    endCall(step, call, 'cancelled', 'Not begun: the caller went on speaking.')
  }
}

// ── a call goes on ─────────────────────────────────────────────────────────────────────────────

/** News of a call: the model is answered for now, and nobody waits for the end. */
export function callUpdated(step: Step, id: Id, text: string): void {
  const call = step.call(id)
  if (call?.kind !== 'tool' || call.status !== 'running') return
  putBehind(step, call, {
    type: 'output',
    id: step.id('o'),
    at: step.now,
    call: id,
    text,
    error: false,
    progress: true,
  })
  step.emit({ type: 'call-update', call: id, text })
  const first = !call.released
  call.released = true
  const group = step.state.groups.find((each) => each.id === call.group)
  if (!first || !group) return tell(step, call, true)
  settle(group, call, worthTelling(call))
}

/** Somebody wants a call to stop. Only those that say that they can be stopped are. */
export function callCancelled(step: Step, id: Id, reason: string): void {
  const call = step.call(id)
  if (!call || call.status === 'aborting') return
  if (!call.traits.cancellable) {
    return step.do({ type: 'refuse', request: id, reason: `${call.name} cannot be cancelled`, because: 'invalid' })
  }
  abortCall(step, call, 'cancelled', reason)
}

/** Work that takes too long is given up, and told so; what it still returns finds nobody. */
export function giveUpCall(step: Step): boolean {
  const call = step.state.calls.find(
    (each) =>
      (each.kind === 'tool' || each.kind === 'exit') && each.since !== null && step.now >= each.since + each.left,
  )
  if (!call) return false
  if (call.status === 'aborting') {
    endCall(step, call, 'cancelled', outputOf(call.aborted === 'closing' ? 'closing' : 'cancelled'))
    return true
  }
  if (call.aborted === null)
    step.do({ type: 'call-abort', call: call.id, reason: 'it took too long', because: 'timeout' })
  cancelTasksOf(step, call, 'cancelled', 'the call that awaited it took too long')
  if (call.kind === 'tool') endCall(step, call, 'timeout', 'It took too long and was given up.')
  else step.state.calls.splice(step.state.calls.indexOf(call), 1)
  return true
}

// ── a call ends ────────────────────────────────────────────────────────────────────────────────

export function callEnded(step: Step, id: Id, outcome: CallOutcome): void {
  const call = step.call(id)
  if (call?.kind !== 'tool') return
  cancelTasksOf(step, call, 'cancelled', 'the call that awaited it has ended')
  if (call.aborted === 'cancelled' || call.aborted === 'closing')
    return endCall(step, call, 'cancelled', outputOf(call.aborted))
  if (outcome.handoff) return endWithHandoff(step, call, outcome.handoff, outcome.output)
  const text = outcome.output ?? ''
  endCall(step, call, outcome.error ? 'error' : 'done', text, outcome.silent)
}

function endWithHandoff(step: Step, call: Call, agent: AgentRef, output: string | null): void {
  const group = step.state.groups.find((each) => each.id === call.group)
  const stale = call.interrupted && call.traits.onInterrupt === 'cancel'
  if (stale) return endCall(step, call, 'error', 'The hand-off was interrupted and did not happen.')
  if (!group || call.released) return endCall(step, call, 'error', 'Too late to hand the conversation over.')
  group.handoffs.push({ call: call.id, agent, output })
  call.status = 'handing'
  call.since = null
}
