import type { ConversationEvent, Id } from '../conversation/protocol.js'
import type { Observer, Seen } from './seen.js'
import type { Wait } from './waits.js'
import { quote } from './words.js'

/** Why nobody has anything to say although something was to be said: it failed, was stopped, or came to nothing. */
export class Reasons implements Observer {
  /** Holds until somebody says something. */
  known: Wait | null = null
  readonly #withTools = new Set<Id>()
  /** The hook that looks at the caller's turn. */
  #hook: Id | null = null

  see(seen: Seen): void {
    const { input, commands } = seen
    for (const command of commands) {
      if (command.type === 'emit') this.#seeEvent(command.event)
      if (command.type === 'hook' && command.hook === 'turn') this.#hook = command.call
    }
    if (input.type === 'call-end' && input.call === this.#hook)
      this.known = { cause: 'stopped', words: 'the hook userTurn had failed, and there was no answer' }
    if (input.type === 'turn-pass' && !input.reply)
      this.known = { cause: 'stopped', words: 'the hook userTurn had stopped the answer' }
    if (input.type === 'turn-commit' && !input.reply)
      this.known = { cause: 'stopped', words: 'the application wanted no answer' }
  }

  #seeEvent(event: ConversationEvent): void {
    switch (event.type) {
      case 'speech-start':
        this.known = null
        return
      case 'user-turn-end':
        if (event.text !== null) this.known = null
        return
      case 'call-start':
        this.#withTools.add(event.reply)
        return
      case 'error':
        // an ear that fails is opened again, and what a tool or a hook throws is told or comes to nothing
        if (event.source in answers) this.known = failure(event.source as keyof typeof answers, event.error.message)
        return
      case 'reply-end': {
        const worked = this.#withTools.delete(event.reply)
        const empty = event.outcome === 'done' && event.heard === '' && event.unheard === ''
        if (empty && !worked) this.known = { cause: 'nothing', words: 'the model had nothing to say' }
        return
      }
      default:
    }
  }
}

/** Whoever failed without whom there is no answer. */
const answers = { llm: 'the language model', tts: 'the voice', realtime: 'the model', line: 'the line' }

const failure = (source: keyof typeof answers, message: string): Wait => ({
  cause: 'failure',
  words: `${answers[source]} had failed (${quote(message)})`,
})
