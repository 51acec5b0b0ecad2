import { noteFailure } from './failures.js'
import type { Failure, Id, Priority, ReplySource } from './protocol.js'
import type { Step } from './step.js'
import type { Reply } from './work.js'

/** How urgent what is said is. */
export const rank: Record<Priority, number> = { low: 0, normal: 1, high: 2 }

/** Nobody but a force may stop it. */
export function isProtected(step: Step, id: Id): boolean {
  const reply = step.reply(id)
  return reply !== undefined && (!reply.interruptible || reply.protectors.length > 0)
}

export interface NewReply {
  readonly id: Id
  readonly source: ReplySource
  readonly interruptible?: boolean
  readonly priority?: Priority
  readonly record?: boolean
}

export function openReply(
  step: Step,
  { id, source, interruptible = true, priority = 'normal', record = true }: NewReply,
): Reply {
  const { top } = step
  const reply: Reply = {
    id,
    frame: top.id,
    priority,
    since: step.now,
    step: 1,
    interruptible,
    protectors: [],
    interrupted: false,
    error: null,
    heard: '',
    unheard: '',
    record,
  }
  step.state.replies.push(reply)
  step.emit({ type: 'reply-start', reply: id, agent: top.agent.name, source })
  return reply
}

/** A reply is over when it is made and heard and none of its tools will make it go on. */
export function finishReply(step: Step): boolean {
  const { replies } = step.state
  const reply = replies.find((each) => isOver(step, each))
  if (!reply) return false
  replies.splice(replies.indexOf(reply), 1)
  const { id, error, interrupted, heard, unheard } = reply
  const outcome = error ? 'failed' : interrupted ? 'interrupted' : 'done'
  step.emit({ type: 'reply-end', reply: id, outcome, heard, unheard, error })
  return true
}

function isOver(step: Step, reply: Reply): boolean {
  const { generations, speeches, requests, groups } = step.state
  if (speeches.some((speech) => speech.reply === reply.id)) return false
  if (generations.some((generation) => generation.reply === reply.id)) return false
  if (requests.some((request) => request.reply === reply.id)) return false
  if (reply.interrupted || reply.error) return true
  if (step.frame(reply.frame)?.owes.result?.reply === reply.id) return false
  return !groups.some((group) => group.reply === reply.id)
}

export function protectReply(step: Step, id: Id, interruptible: boolean): void {
  const reply = step.reply(id)
  if (!reply || reply.interrupted) {
    step.do({ type: 'refuse', request: id, reason: 'the speech is over or was interrupted', because: 'interrupted' })
    return
  }
  reply.interruptible = interruptible
}

/** The task protects its speech no longer. */
export function unprotect(step: Step, task: Id): void {
  for (const reply of step.state.replies) reply.protectors = reply.protectors.filter((each) => each !== task)
}

export function fail(step: Step, id: Id, source: 'llm' | 'tts' | 'realtime' | 'line', error: Failure): void {
  const reply = step.reply(id)
  if (reply) reply.error ??= error
  noteFailure(step, source, error)
}
