import type { Id } from './protocol.js'
import type { Step } from './step.js'
import type { Debts } from './work.js'

/** What was to be said, and of which nothing was heard, is owed again. */
export function owe(step: Step, frame: Id, debts: Debts): void {
  if (!step.open) return
  if (debts.answer) step.top.owes.answer = true // whoever has the conversation answers, for those who have left it too
  const owner = step.frame(frame)
  if (!owner) return
  if (debts.opening && !owner.opened) owner.owes.opening = true
  owner.owes.result ??= debts.result
}
