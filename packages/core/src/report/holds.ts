import type { Id } from '../conversation/protocol.js'
import { eventsOf, type Observer, type Seen } from './seen.js'
import { quote } from './words.js'

/** A speech was held by a voice until it was clear whether somebody interrupts. */
export interface Hold {
  readonly speech: Id
  readonly reply: Id
  readonly how: 'pause' | 'duck'
  readonly from: number
  /** ms that the caller's voice had lasted. */
  readonly voiced: number
  /** The words that came meanwhile. */
  said: string
  /** null: it goes on. */
  to: number | null
  /** Why it went on, or that it did not. */
  outcome: 'open' | 'ended' | 'no-words' | 'few-words' | 'backchannel' | 'protected' | 'cut'
}

/** When speech was held, why, and what became of it. */
export class Holds implements Observer {
  readonly all: Hold[] = []

  /** What is held, or was held last. */
  get last(): Hold | undefined {
    return this.all[this.all.length - 1]
  }

  see(seen: Seen): void {
    const open = this.#open
    for (const event of eventsOf(seen)) {
      if (open && event.type === 'user-transcript') open.said = wordsOf(seen) || event.text
      // what is only lowered may be heard to its end
      if (open && event.type === 'speech-end' && event.speech === open.speech && !event.interrupted)
        Object.assign(open, { to: seen.at, outcome: 'ended' })
    }
    for (const command of seen.commands) {
      if (command.type === 'pause' || command.type === 'duck') this.#begin(seen, command.speech, command.type)
      else if (open?.speech === ('speech' in command && command.speech)) this.#end(seen, open, command.type)
    }
  }

  get #open(): Hold | undefined {
    return this.last?.to === null ? this.last : undefined
  }

  #begin({ at, state }: Seen, speech: Id, how: Hold['how']): void {
    const reply = state.speeches.find(({ id }) => id === speech)?.reply ?? ''
    this.all.push({ speech, reply, how, from: at, voiced: state.user.voiced, said: '', to: null, outcome: 'open' })
  }

  #end(seen: Seen, hold: Hold, command: string): void {
    if (command !== 'resume' && command !== 'unduck' && command !== 'clear') return
    hold.to = seen.at
    hold.outcome = command === 'clear' ? 'cut' : releasedBy(seen, hold)
  }
}

function releasedBy({ state }: Seen, hold: Hold): Hold['outcome'] {
  const reply = state.replies.find(({ id }) => id === hold.reply)
  if (reply && (!reply.interruptible || reply.protectors.length > 0)) return 'protected'
  if (state.user.verdict === 'backchannel') return 'backchannel'
  return hold.said === '' ? 'no-words' : 'few-words'
}

function wordsOf({ state }: Seen): string {
  const { turn } = state.user
  return turn ? [turn.text, turn.interim].filter((text) => text !== '').join(' ') : ''
}

/** Why a speech was held, and what came of it. */
export function tellHold({ voiced, how, said, outcome }: Hold): string {
  const why = `the speech was ${how === 'pause' ? 'held' : 'lowered'} because the caller's voice lasted ${Math.round(voiced)} ms`
  const words = said === '' ? '' : `the caller said ${quote(said)}`
  const on = how === 'pause' ? 'it went on at the same sample' : 'it went on as loud as before'
  switch (outcome) {
    case 'open':
    case 'ended':
      return why
    case 'no-words':
      return `${why}; no words came; ${on}`
    case 'few-words':
      return `${why}; ${words}, which was not enough to interrupt; ${on}`
    case 'backchannel':
      return `${why}; ${words || 'it was no interruption'}; ${on}`
    case 'protected':
      return `${why}; the speech may not be interrupted${words ? `, although ${words}` : ''}; ${on}`
    case 'cut':
      return `${why}; ${words ? `${words}; ` : ''}it did not go on`
  }
}
