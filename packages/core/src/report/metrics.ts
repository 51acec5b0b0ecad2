import type { MessageMetrics } from '../api/report.js'
import { Answers } from './assistant-metrics.js'
import type { Seen } from './seen.js'
import { UserTurns } from './user-metrics.js'

/** How long each message took: those of the caller, and those of the agent. */
export class Metrics {
  readonly all: MessageMetrics[] = []
  readonly #turns = new UserTurns()
  readonly #answers = new Answers()
  /** Nobody is to answer the turn that is about to be recorded. */
  #unanswered = false

  /** @returns the metrics of the messages that were finished in this step. */
  see(seen: Seen): MessageMetrics[] {
    const { input } = seen
    if (input.type === 'turn-pass' || input.type === 'turn-commit') this.#unanswered = !input.reply
    const turns = this.#turns.see(seen)
    for (const { stoppedSpeakingAt } of turns) {
      this.#answers.callerStopped(this.#unanswered ? undefined : stoppedSpeakingAt)
      this.#unanswered = false
    }
    const found = [...turns, ...this.#answers.see(seen)]
    this.all.push(...found)
    return found
  }
}
