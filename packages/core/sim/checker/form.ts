import type { Ledger, StepFact } from './ledger.js'
import { must } from './must.js'

/** What can be said of the machine as a machine. */
export class FormCheck {
  #now = 0

  after(ledger: Ledger, { commands, before }: StepFact): void {
    const { state } = ledger
    must(before === 'closed' || state.now === ledger.now, 'the time in the state is the time of the last input')
    must(state.now >= this.#now, 'time does not run backwards')
    this.#now = state.now
    must(commands.length < 200, 'one input has bounded consequences')
    const wishes = commands.filter((each) => each.type === 'wake')
    must(wishes.length <= 1, 'one wish for a timer at a time')
    must(state.announced.wake === ledger.wake, 'the state knows its timer')
    const most = Math.max(state.replies.length, state.speeches.length, state.calls.length, state.generations.length)
    const below = state.frames.slice(0, -1)
    must(!below.some((frame) => frame.owes.answer), 'only whoever has the conversation owes an answer')
    must(most <= 64 && state.committed.length <= 32 && state.frames.length <= 32, 'what is open is bounded')
  }

  atEnd({ state }: Ledger): void {
    must(
      JSON.stringify(JSON.parse(JSON.stringify(state))) === JSON.stringify(structuredClone(state)),
      'the state is plain data',
    )
  }
}
