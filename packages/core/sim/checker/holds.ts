import type { Command } from '../../src/conversation/protocol.js'
import type { SpeechFact } from './facts.js'
import type { Ledger } from './ledger.js'
import { must } from './must.js'

/** The timer may come late by so much. */
const lateness = 150

/** Speech that is held for a voice goes on, or is cut, in time; and never over the user. */
export const holds = {
  command(ledger: Ledger, command: Command): void {
    if (command.type !== 'resume' && command.type !== 'unduck') return
    const speech = ledger.speeches.get(command.speech)
    if (speech === undefined || !ledger.userHolds) return
    const waited = ledger.isProtected(speech.reply) && ledger.now - (speech.held ?? 0) >= ledger.interruption.maxHold
    must(waited, 'the agent does not go on over the user')
  },

  after(ledger: Ledger): void {
    if (!ledger.open) return
    for (const speech of ledger.live.speeches) {
      if (speech.sound !== 'paused' && speech.sound !== 'ducked') continue
      const since = ledger.now - (speech.held ?? 0)
      must(ledger.userSpeaks || ledger.wake !== null, 'speech that is held always has something that wakes it')
      if (ledger.isProtected(speech.reply)) {
        const judged = ledger.user.judged && ledger.user.backchannel
        const waits = ledger.userSpeaks && !judged && since <= ledger.interruption.maxHold + lateness
        must(waits, 'held speech that has become protected goes on in silence, and in time')
      } else if (!ledger.userSpeaks) goesOn(ledger, speech)
    }
  },
}

function goesOn(ledger: Ledger, speech: SpeechFact): void {
  const { falseInterruptionTimeout, minWords } = ledger.interruption
  const turn = ledger.state.user.turn
  const words = turn !== null && (turn.text !== '' || turn.interim !== '')
  const since = ledger.now - Math.max(ledger.user.quietSince, speech.held ?? 0)
  const settled = words && minWords <= 1
  must(
    settled || since <= (falseInterruptionTimeout ?? 0) + lateness,
    'speech that is held for a noise goes on in time',
  )
}
