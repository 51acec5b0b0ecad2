import { owe } from './debts.js'
import { stopGeneration } from './generations.js'
import { clearSpeech, dropSpeech } from './playout.js'
import type { Id } from './protocol.js'
import { isProtected } from './replies.js'
import type { Step } from './step.js'
import { nothing, type Reply } from './work.js'

/** Who takes the word from the agent, and from which of its replies. */
export interface Cut {
  readonly by: 'user' | 'application' | 'unwinding' | 'end'
  /** Only what had begun by then. */
  readonly before: number
  /** What is protected too. */
  readonly force: boolean
}

export function cutReplies(step: Step, cut: Cut): void {
  for (const reply of [...step.state.replies]) {
    if (reply.since <= cut.before && (cut.force || !isProtected(step, reply.id))) cutReply(step, reply, cut.by)
  }
}

/** Takes the word from a reply. Its calls are not its children: they run on. */
export function cutReply(step: Step, reply: Reply, by: Cut['by']): void {
  const { state } = step
  const requests = state.requests.filter((request) => request.reply === reply.id)
  const generations = state.generations.filter(
    (generation) => generation.reply === reply.id && generation.guess === null,
  )
  const speeches = state.speeches.filter((speech) => speech.reply === reply.id && speech.sound !== 'clearing')
  if (requests.length + generations.length + speeches.length === 0) return
  reply.interrupted = true
  state.version += 1
  state.requests = state.requests.filter((request) => request.reply !== reply.id)
  if (by === 'user' || by === 'application') interruptCalls(step, reply.id)
  // what the application stops it does not want to hear; what anyone else stops is owed until it was heard
  const settled = by === 'application' || by === 'end'
  for (const generation of generations) {
    stopGeneration(step, generation)
    const spoken = state.speeches.some((speech) => speech.generation === generation.id)
    if (!settled && !spoken) owe(step, reply.frame, generation.debts)
  }
  for (const speech of speeches) {
    speech.textEnded = true
    if (settled) speech.debts = nothing()
    if (speech.sound === 'queued') dropSpeech(step, speech)
    else clearSpeech(step, speech)
  }
}

function interruptCalls(step: Step, reply: Id): void {
  for (const call of step.state.calls) {
    if (call.reply !== reply || call.kind !== 'tool' || call.released) continue
    call.interrupted = true
    if (call.traits.onInterrupt !== 'cancel' || call.held || call.status !== 'running') continue
    call.aborted = 'interrupted'
    step.do({ type: 'call-abort', call: call.id, reason: 'the caller interrupted', because: 'interrupted' })
  }
}

/** The application stops what is said and made: all of it, up to the first that is protected. */
export function interrupt(step: Step, id: Id | null, force: boolean): void {
  const { state } = step
  const { audible } = step
  const target = id ?? (audible?.sound === 'clearing' ? undefined : audible?.reply)
  if (target !== undefined && !force && isProtected(step, target)) {
    step.do({
      type: 'refuse',
      request: id ?? 'interrupt',
      reason: 'the speech is protected: interrupt it with { force: true }',
      because: 'protected',
    })
    return
  }
  const order = [...state.replies].sort((a, b) => rank(step, a) - rank(step, b))
  for (const reply of id === null ? order : order.filter((each) => each.id === id)) {
    if (!force && isProtected(step, reply.id)) return
    cutReply(step, reply, 'application')
  }
}

/** Place in the order of the sound; what has no sound yet comes last. */
function rank(step: Step, reply: Reply): number {
  const index = step.state.speeches.findIndex((speech) => speech.reply === reply.id)
  return index < 0 ? step.state.speeches.length : index
}
