import type { Cause, Explanation } from '../api/report.js'
import type { Failure, Id } from '../conversation/protocol.js'
import type { Reply } from '../conversation/work.js'
import { type Holds, tellHold } from './holds.js'
import { eventsOf, type Observer, type Seen } from './seen.js'
import { named } from './waits.js'
import { quote, seconds } from './words.js'

/** Somebody took the word from a reply. */
interface Cut {
  readonly reply: Id
  /** When it fell silent, and when it was decided that it would not go on. */
  readonly from: number
  readonly at: number
  readonly cause: Cause
  /** The caller's turn that cut it; its words are known when it ends. */
  readonly turn: Id | null
  said: string
  readonly typed: boolean
  /** ms that the caller's voice had lasted. */
  readonly voiced: number
  /** Calls of it: what became of them. */
  readonly wentOn: readonly { readonly name: string }[]
  readonly stopped: readonly { readonly name: string }[]
  sounded: boolean
  end: { readonly heard: string; readonly unheard: string; readonly error: Failure | null } | null
}

/** Whose words were cut, by whom, and what went on in spite of it. */
export class Interruptions implements Observer {
  readonly #holds: Holds
  readonly #cuts: Cut[] = []
  /** Replies that are not over; those of them of which something sounded. */
  readonly #open = new Map<Id, Cut>()
  readonly #sounded = new Set<Id>()

  /** `holds` has seen each step before. */
  constructor(holds: Holds) {
    this.#holds = holds
  }

  see(seen: Seen): void {
    for (const reply of seen.state.replies) if (reply.interrupted || reply.error) this.#cut(seen, reply.id, reply)
    for (const event of eventsOf(seen)) {
      if (event.type === 'speech-start') this.#sounded.add(event.reply)
      if (event.type === 'user-turn-end') this.#nameWords(event.turn, event.text)
      if (event.type !== 'reply-end') continue
      const { reply, outcome, heard, unheard, error } = event
      if (outcome !== 'done') Object.assign(this.#cut(seen, reply, event), { end: { heard, unheard, error } })
      const cut = this.#open.get(reply)
      if (cut) cut.sounded = this.#sounded.has(reply)
      this.#open.delete(reply)
      this.#sounded.delete(reply)
    }
  }

  #cut(seen: Seen, reply: Id, of: Pick<Reply, 'error'> & { readonly frame?: Id }): Cut {
    const known = this.#open.get(reply)
    if (known) return known
    const { state, at, input } = seen
    const hold = this.#holds.last
    const held = hold?.reply === reply && hold.how === 'pause' && (hold.to === null || hold.to === at)
    const calls = state.calls.filter((call) => call.kind === 'tool' && call.reply === reply)
    const typed = input.type === 'user-text'
    const cut: Cut = {
      reply,
      from: held ? hold.from : at,
      at,
      cause: of.error ? 'failure' : causeOf(seen, of.frame),
      turn: turnOf(seen),
      said: typed ? input.text.trim() : '',
      typed,
      voiced: state.user.voiced,
      wentOn: calls.filter(({ aborted }) => aborted === null),
      stopped: calls.filter(({ aborted }) => aborted !== null),
      sounded: false,
      end: null,
    }
    this.#cuts.push(cut)
    this.#open.set(reply, cut)
    return cut
  }

  #nameWords(turn: Id, text: string | null): void {
    for (const cut of this.#cuts) if (cut.turn === turn && cut.said === '') cut.said = text ?? ''
  }

  /** A line for each. `start`: the time from which the texts count. */
  explain(start: number): Explanation[] {
    const interruptions = this.#cuts.filter(isHeardOf).map((cut): Explanation => {
      const { from, at, cause } = cut
      return { kind: 'interruption', from, to: at, cause, text: tell(cut, from - start) }
    })
    const released = this.#holds.all.filter(({ outcome }) => !['open', 'ended', 'cut'].includes(outcome))
    return [
      ...interruptions,
      ...released.map((hold): Explanation => {
        const { from } = hold
        const to = hold.to ?? from
        const text = `${seconds(from - start)}–${seconds(to - start)} false interruption: ${tellHold(hold)}`
        return { kind: 'false-interruption', from, to, cause: 'held', text }
      }),
    ]
  }
}

/** What fails before anything was made of it interrupts nobody. */
const isHeardOf = ({ cause, sounded, end }: Cut): boolean =>
  cause !== 'failure' || sounded || (end !== null && end.heard !== '')

/** `frame`: who spoke, if that is known. */
function causeOf({ input, state }: Seen, frame: Id | undefined): Cause {
  if (state.phase === 'closing' || state.phase === 'closed') return 'closing'
  if (frame !== undefined && !state.frames.some(({ id }) => id === frame)) return 'agent-change'
  switch (input.type) {
    case 'interrupt':
      return 'application'
    case 'agent-update':
    case 'call-end':
    case 'call-cancel':
    case 'task-finish':
    case 'task-cancel':
      return 'agent-change'
    default:
      return 'caller'
  }
}

function turnOf(seen: Seen): Id | null {
  for (const event of eventsOf(seen)) if (event.type === 'user-turn-end') return event.turn
  return seen.state.user.turn?.id ?? null
}

function tell(cut: Cut, from: number): string {
  const { cause, end, wentOn, stopped } = cut
  const verb = cause === 'failure' ? 'cut short' : 'interrupted'
  const early = end?.heard === '' ? ', before a word of it was heard' : ''
  return [
    `${verb} at ${seconds(from)}${early}: ${reason(cut)}`,
    ...words(end),
    ...(wentOn.length > 0 ? [`${named(wentOn)} went on`] : []),
    ...(stopped.length > 0 ? [`${named(stopped)} ${stopped.length > 1 ? 'were' : 'was'} stopped`] : []),
  ].join('; ')
}

function reason({ cause, said, typed, voiced, end }: Cut): string {
  switch (cause) {
    case 'caller':
      if (said !== '') return `the caller ${typed ? 'typed' : 'said'} ${quote(said)}`
      return `the caller's voice lasted ${Math.round(voiced)} ms; no words came`
    case 'application':
      return 'the application stopped it'
    case 'agent-change':
      return 'the agent lost the conversation'
    case 'closing':
      return 'the session was closing'
    default:
      return end?.error ? `it failed (${quote(end.error.message)})` : 'it failed'
  }
}

function words(end: Cut['end']): string[] {
  if (!end) return []
  if (end.heard === '') return end.unheard === '' ? [] : [`not heard: ${quote(end.unheard)}`]
  const heard = `heard: ${quote(end.heard)}`
  return [end.unheard === '' ? heard : `${heard}, not heard: ${quote(end.unheard)}`]
}
