import type { AgentRef, Command, Input } from '../../src/conversation/protocol.js'
import type { Settings } from '../../src/conversation/settings.js'
import type { State } from '../../src/conversation/state.js'
import { AnswerCheck } from './answers.js'
import { EventCheck } from './events.js'
import { floor } from './floor.js'
import { FormCheck } from './form.js'
import { Guesses } from './guesses.js'
import { HistoryCheck } from './history.js'
import { holds } from './holds.js'
import { KeptCheck } from './kept.js'
import { Ledger, type StepFact } from './ledger.js'
import { LifecycleCheck } from './lifecycle.js'
import { obey } from './obey.js'
import { PatienceCheck } from './patience.js'
import { record } from './record.js'
import { ReplyCheck } from './replies.js'
import { TakeoverCheck } from './takeover.js'
import { TurnCheck } from './turns.js'
import { view } from './view.js'
import { WorkCheck } from './work.js'

/** One theme: looks at a step before it is taken down, at each command before it is obeyed, and at the whole of it. */
interface Theme {
  before?(ledger: Ledger, step: StepFact): void
  command?(ledger: Ledger, command: Command, step: StepFact): void
  after?(ledger: Ledger, step: StepFact): void
  /** Nothing would happen any more by itself. */
  atRest?(ledger: Ledger): void
  atEnd?(ledger: Ledger): void
}

/** Holds every step of a conversation against what must be true of all conversations. */
export class Checker {
  readonly #ledger: Ledger
  readonly #guesses = new Guesses()
  readonly #history = new HistoryCheck()
  readonly #themes: readonly Theme[]
  #steps = 0

  constructor(settings: Settings, root: AgentRef, state: State) {
    this.#ledger = new Ledger(settings, root, state)
    const others = [
      new KeptCheck(),
      new TakeoverCheck(),
      new PatienceCheck(),
      new WorkCheck(),
      new ReplyCheck(),
      new LifecycleCheck(),
      new FormCheck(),
      new EventCheck(),
    ]
    this.#themes = [floor, this.#history, holds, view, new TurnCheck(), new AnswerCheck(), ...others]
  }

  check(input: Input, commands: readonly Command[], now: number): void {
    const ledger = this.#ledger
    const due = ledger.wake !== null && ledger.wake <= now
    const step: StepFact = { input, commands, before: ledger.phase, due }
    for (const theme of this.#themes) theme.before?.(ledger, step)
    record(ledger, step, now)
    this.#guesses.before(ledger)
    for (const command of commands) {
      for (const theme of this.#themes) theme.command?.(ledger, command, step)
      obey(ledger, command)
      this.#guesses.command(ledger, command)
    }
    this.#guesses.after()
    for (const theme of this.#themes) theme.after?.(ledger, step)
    this.#steps += 1
    if (this.#steps % 16 === 0) this.#history.whole(ledger)
  }

  atRest(): void {
    for (const theme of this.#themes) theme.atRest?.(this.#ledger)
  }

  atEnd(): void {
    for (const theme of this.#themes) theme.atEnd?.(this.#ledger)
  }
}
