import { openCall } from './calls.js'
import { appendText, flushText } from './speeches.js'
import type { Step } from './step.js'
import type { Generation, Held } from './work.js'

/** What a model says is spoken, what it calls is done. */
export function pass(step: Step, generation: Generation, part: Held): void {
  if ('call' in part) openCall(step, generation, part)
  else if ('flush' in part) flushText(step, generation.id)
  else appendText(step, { reply: generation.reply, generation: generation.id, debts: generation.debts }, part.text)
}
