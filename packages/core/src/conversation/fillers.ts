import type { WorkInput } from './protocol.js'
import { openReply } from './replies.js'
import { openSpeech } from './speeches.js'
import type { Step } from './step.js'
import type { Call } from './work.js'

/** A slow call asks that its silence be bridged. */
export function fillerAsked(step: Step, input: Extract<WorkInput, { type: 'call-filler' }>): void {
  const call = step.call(input.call)
  if (call?.kind !== 'tool' || call.status !== 'running' || input.texts.length === 0) return
  const { texts, delay, interval } = input
  call.filler = { texts, delay, interval, since: step.now, said: 0, saidAt: step.now }
}

/** Says the next filler of a call when there has been silence for long enough. */
export function fill(step: Step): boolean {
  if (!step.open) return false
  const call = step.state.calls.find((each) => {
    const at = fillAt(step, each)
    return at !== null && step.now >= at
  })
  const text = call?.filler?.texts[Math.min(call.filler.said, call.filler.texts.length - 1)]
  if (!call?.filler || text === undefined) return false
  call.filler.said += 1
  call.filler.saidAt = step.now
  const reply = openReply(step, { id: step.id('r'), source: 'filler', priority: 'low' })
  const speech = openSpeech(step, { reply: reply.id, generation: null })
  if (speech) Object.assign(speech, { text, textEnded: true })
  return true
}

/** When the silence around a call has lasted too long. null: it is not silent, or there is nothing more to say. */
export function fillAt(step: Step, { filler, status, released, interrupted, frame }: Call): number | null {
  const { state, top } = step
  if (!filler || status !== 'running' || released || interrupted || frame !== top.id) return null
  if (filler.said > 0 && filler.interval === null) return null
  if (
    state.user.speaking ||
    state.user.claims > 0 ||
    step.unsettled ||
    state.speeches.length > 0 ||
    step.generating ||
    state.requests.length > 0
  )
    return null
  const silence = Math.max(filler.since, state.silentSince ?? 0, state.user.quietSince)
  const due = filler.said === 0 ? 0 : filler.saidAt + (filler.interval ?? 0)
  return Math.max(silence, due) + filler.delay
}
