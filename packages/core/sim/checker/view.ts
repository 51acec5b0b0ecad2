import type { Message } from '../../src/conversation/history.js'
import type { Command, Id } from '../../src/conversation/protocol.js'
import type { Ledger } from './ledger.js'
import { must, rounding } from './must.js'

/** What a model is shown. */
export const view = {
  command(ledger: Ledger, command: Command): void {
    if (command.type !== 'generate') return
    pairs(command.view)
    for (const message of command.view) {
      if (message.role === 'user' || message.role === 'assistant') {
        must(message.text.trim() !== '', 'no empty message is shown to a model')
      }
    }
    for (const speech of ledger.live.speeches) {
      const known = speech.sound !== 'clearing' || ledger.now - speech.cleared! > ledger.settings.limits.line - rounding
      must(known, 'no model is asked before it is known what was heard of the words that were cut')
    }
  },
}

/** Calls made together are shown together, and right behind them their outputs. */
function pairs(messages: readonly Message[]): void {
  const open = new Set<Id>()
  let answering = false
  for (const message of messages) {
    if (message.role === 'call') {
      must(!answering || open.size === 0, 'each call that a model is shown stands beside its output')
      must(!open.has(message.call), 'a call is shown once')
      answering = false
      open.add(message.call)
    } else if (message.role === 'output') {
      answering = true
      must(open.delete(message.call), 'no output is shown without its call, or twice')
    } else must(open.size === 0, 'each call that a model is shown stands beside its output')
  }
  must(open.size === 0, 'each call that a model is shown has an output')
}
