import type { CallItem, OutputItem } from './history.js'
import { leave } from './leave.js'
import type { CallStatus, Id } from './protocol.js'
import type { Frame } from './state.js'
import type { Step } from './step.js'
import type { Call, Generation, Group } from './work.js'

// Calls of one generation are one group: they stand together in the history and are told together, once.

export function groupOf(step: Step, generation: Generation, frame: Frame): Group {
  const { groups } = step.state
  const known = groups.find((group) => group.id === generation.id)
  if (known) return known
  const group: Group = {
    id: generation.id,
    frame: frame.id,
    reply: generation.reply,
    step: generation.step,
    open: [],
    announce: false,
    calls: [],
    outputs: [],
    handoffs: [],
  }
  groups.push(group)
  return group
}

/** The call is over; this is its one output. */
export function endCall(step: Step, call: Call, status: CallStatus, text: string, silent = false): void {
  const { calls, groups } = step.state
  if (!calls.includes(call)) return
  calls.splice(calls.indexOf(call), 1)
  const error = status !== 'done'
  putBehind(step, call, { type: 'output', id: step.id('o'), at: step.now, call: call.id, text, error, progress: false })
  step.emit({ type: 'call-end', call: call.id, name: call.name, status, output: text })
  const group = groups.find((each) => each.id === call.group)
  const told = worthTelling(call) && !silent && status !== 'cancelled'
  group?.outputs.push({ call: call.id, name: call.name, output: text, error })
  if (call.released || !group) tell(step, call, told)
  else settle(group, call, told)
  for (const joined of calls.filter((each) => each.joins === call.id)) endCall(step, joined, status, text, silent)
}

export function worthTelling(call: Call): boolean {
  if (call.quiet || call.traits.announce === 'never') return false
  return call.traits.announce === 'always' || !call.interrupted || call.held
}

/** One of a group needs no more waiting. */
export function settle(group: Group, call: Call, told: boolean): void {
  group.announce ||= told
  group.open = group.open.filter((id) => id !== call.id)
}

/** When nothing of a group is waited for, and its model makes no more calls, it is told. */
export function closeGroup(step: Step): boolean {
  const { groups } = step.state
  const group = groups.find((each) => !step.generation(each.id) && (each.open.length === 0 || hands(step, each)))
  if (!group) return false
  if (group.open.length > 0) settleHandoffs(step, group)
  groups.splice(groups.indexOf(group), 1)
  const frame = step.frame(group.frame)
  const handoff = inOrder(group)[0]
  step.emit({ type: 'tools-end', calls: group.outputs, reply: group.announce && !handoff })
  if (!frame || !step.open) return true
  if (handoff) leave(step, frame, handoff.agent)
  else if (group.announce) oweResult(frame, group, false)
  return true
}

/** A result is to be told, by a step that counts as the next after the one that called. */
function oweResult(
  { owes }: Frame,
  { reply, step }: { readonly reply: Id; readonly step: number },
  late: boolean,
): void {
  const { result } = owes
  owes.result = {
    reply: result?.reply ?? reply,
    step: Math.max(result?.step ?? 0, step + 1),
    late: late && (result?.late ?? true),
  }
}

/** The end of a call for which nobody has waited. */
export function tell(step: Step, call: Call, worth: boolean): void {
  const frame = step.frame(call.frame)
  if (worth && frame && step.open) oweResult(frame, call, true)
}

/** Calls and outputs stand behind the words of their generation, which have no place before they sound. */
export function putBehind(step: Step, call: Call, item: CallItem | OutputItem): void {
  const { generations, speeches } = step.state
  const unplaced =
    speeches.find((speech) => speech.generation === call.group && speech.sound === 'queued') ??
    generations.find(
      (generation) => generation.id === call.group && !speeches.some((speech) => speech.generation === generation.id),
    )
  if (step.frame(call.frame)) step.state.version += 1 // nobody is shown what was done for those who have left
  if (unplaced) unplaced.behind.push(item)
  else step.note(item)
}

/** All that is left to wait for are calls that hand the conversation over. */
function hands(step: Step, { open, handoffs }: Group): boolean {
  const handing = (id: Id | null | undefined): boolean => handoffs.some((handoff) => handoff.call === id)
  return handoffs.length > 0 && open.every((id) => handing(id) || handing(step.call(id)?.joins))
}

const inOrder = ({ calls, handoffs }: Group): Group['handoffs'] =>
  [...handoffs].sort((a, b) => calls.indexOf(a.call) - calls.indexOf(b.call))

/** One agent takes over: the one whose call came first. */
function settleHandoffs(step: Step, group: Group): void {
  const [first, ...others] = inOrder(group)
  for (const { call: id } of others) {
    const call = step.call(id)
    if (call) endCall(step, call, 'error', 'Another call has handed the conversation over.', true)
  }
  const call = first && step.call(first.call)
  if (call) endCall(step, call, 'done', first.output ?? '', true)
}
