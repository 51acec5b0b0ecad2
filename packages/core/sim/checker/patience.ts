import type { Command, Id } from '../../src/conversation/protocol.js'
import type { Ledger, StepFact } from './ledger.js'
import { must, rounding } from './must.js'

/** The timer may come late by so much. */
const lateness = 150

/** How long each call has worked by itself: while a task of it waits or has the conversation, its time stands still. */
export class PatienceCheck {
  readonly #spent = new Map<Id, { worked: number; since: number | null }>()

  command(ledger: Ledger, command: Command): void {
    if (command.type === 'call') this.#spent.set(command.call, { worked: 0, since: ledger.now })
    if (command.type !== 'call-abort' || command.because !== 'timeout') return
    const call = ledger.calls.get(command.call)
    if (call?.traits == null) return
    const worked = this.#worked(ledger, command.call)
    must(worked > call.traits.timeout - rounding, 'a call has the time that its tool was given', call.id)
  }

  after(ledger: Ledger, _: StepFact): void {
    for (const [id, spent] of this.#spent) {
      const call = ledger.calls.get(id)!
      if (call.state !== 'running' || !ledger.live.calls.has(call)) {
        this.#spent.delete(id)
        continue
      }
      const asks = [...ledger.live.tasks].some((task) => task.call === id)
      if (asks && spent.since !== null) Object.assign(spent, { worked: this.#worked(ledger, id), since: null })
      if (!asks && spent.since === null) spent.since = ledger.now
      if (!ledger.open || call.traits === null) continue
      must(this.#worked(ledger, id) <= call.traits.timeout + lateness, 'a call that takes too long is given up', id)
    }
  }

  #worked({ now }: Ledger, id: Id): number {
    const spent = this.#spent.get(id)
    if (spent === undefined) return Number.POSITIVE_INFINITY
    return spent.worked + (spent.since === null ? 0 : now - spent.since)
  }
}
