import type { TurnEnd } from '../../src/conversation/protocol.js'
import { countWords } from '../../src/conversation/words.js'
import type { SpeechFact } from './facts.js'
import type { Ledger, StepFact } from './ledger.js'
import { moment, must } from './must.js'

/** Who speaks is heard out; and what may be guessed is. */
export class TurnCheck {
  /** Somebody has said that the turn is over. */
  #ended = false
  /** What was heard of the agent when the input came in. */
  #heard: SpeechFact | undefined
  /** Words that took something from whoever had the conversation then. */
  #enough = 0

  before(ledger: Ledger, { input }: StepFact): void {
    if (input.type === 'turn-commit') this.#ended = true
    const { audible } = ledger
    this.#heard = audible?.sound === 'clearing' || ledger.isProtected(audible?.reply ?? null) ? undefined : audible
  }

  after(ledger: Ledger, step: StepFact): void {
    for (const command of step.commands) {
      if (command.type === 'emit' && command.event.type === 'user-turn-end') this.#ends(ledger, command.event, step)
    }
    openTurnHasAnEnd(ledger)
    endsInTime(ledger)
    modelTakesTurns(ledger, step)
    guessIsMade(ledger)
    this.#enough = ledger.interruption.minWords
  }

  /** Too few words take nothing from an agent that speaks. */
  #ends(ledger: Ledger, { reason, text }: { reason: TurnEnd; text: string | null }, step: StepFact): void {
    const ended = this.#ended
    this.#ended = false
    const { input, commands } = step
    const { type } = input
    const byItself = type === 'tick' || (type.startsWith('user-') && type !== 'user-text') || type.startsWith('turn-')
    const putIn = commands.some((each) => each.type === 'emit' && each.event.type === 'user-turn-exceeded')
    if (ended || putIn || !byItself || reason !== 'committed' || ledger.settings.turns !== 'voice') return
    const heard = this.#heard !== undefined && this.#heard.end === null && !ledger.overdue(this.#heard)
    const enough = countWords(text ?? '') >= Math.min(this.#enough, ledger.interruption.minWords)
    must(enough || !heard, 'too few words take nothing from an agent that speaks')
  }

  atRest(ledger: Ledger): void {
    const { turn } = ledger.state.user
    must(turn === null || ledger.settings.turns !== 'voice', 'a turn that nobody goes on with ends')
  }
}

function openTurnHasAnEnd(ledger: Ledger): void {
  const { turn } = ledger.state.user
  if (turn === null || ledger.userSpeaks || ledger.settings.turns !== 'voice' || !ledger.open) return
  must(ledger.wake !== null, 'an open turn in silence has a time at which it ends')
}

/** The timer may come late by so much. */
const lateness = 150

/** From the last sound, not from the report of its end, so long passes and no longer. */
function endsInTime(ledger: Ledger): void {
  const { settings, state, user } = ledger
  const { turn } = state.user
  const { mode, minDelay } = ledger.endpointing
  if (turn === null || turn.text === '' || turn.interim !== '' || ledger.userSpeaks || !ledger.open) return
  if (settings.turns !== 'voice' || settings.voice === 'none' || settings.predicts || mode !== 'fixed') return
  if (turn.commit !== null) return
  const { audible } = ledger
  const refused = audible !== undefined && countWords(turn.text) < ledger.interruption.minWords
  const late = ledger.now - user.lastSound > minDelay + lateness
  must(refused || !late, 'a turn ends when the pause behind its last sound is long enough')
}

/** Where the model takes the turns, it alone answers, except what was typed: that it has not heard. */
function modelTakesTurns(ledger: Ledger, { commands }: StepFact): void {
  if (ledger.settings.turns !== 'model') return
  const owes = ledger.state.frames.some((frame) => frame.owes.answer)
  const answers = commands.some(
    (each) => each.type === 'emit' && each.event.type === 'reply-start' && each.event.source === 'answer',
  )
  must(ledger.typed || (!owes && !answers), 'where the model takes the turns nobody else answers')
}

function guessIsMade(ledger: Ledger): void {
  const { settings, state } = ledger
  const { turn } = state.user
  const guesses = settings.speculation.enabled && settings.turns === 'voice'
  if (!guesses) {
    must(
      ![...ledger.live.generations].some((each) => each.guess !== null && each.guess !== ''),
      'nobody guesses who was not asked to',
    )
    return
  }
  if (turn === null || ledger.phase !== 'open' || turn.text === '' || turn.interim !== '') return
  if (turn.overlaps || turn.commit !== null || turn.guesses >= settings.speculation.maxGuesses) return
  const work = [state.replies, state.speeches, state.generations, state.requests, state.committed]
  const frame = state.frames.at(-1)!
  const busy = work.some((each) => each.length > 0) || frame.waiting.length > 0
  const soon = ledger.wake !== null && ledger.wake - ledger.now <= moment
  must(busy || soon || frame.leaving !== null || frame.result !== null, 'a guess that may be made is made')
}
