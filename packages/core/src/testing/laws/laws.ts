import type { AgentSession } from '../../api/session.js'
import { oneOutcome } from './calls.js'
import { counted } from './cost.js'
import { boundedEnd, nothingLeft } from './end.js'
import { type Evidence, evidenceOf } from './evidence.js'
import { heardOnly, inOrder } from './heard.js'
import { answered, everyWord } from './turns.js'
import { oneVoice } from './voice.js'

export type Law = keyof typeof laws

/** One way in which a conversation broke a law. */
export interface Violation {
  readonly law: Law
  /** What was seen. */
  readonly seen: string
}

/** What must be true of every conversation. Each check is written apart from the machine, and believes nothing it says of itself. */
export const laws = {
  L1: { says: 'each committed turn of the user has a reply, or a reason why not', check: answered },
  L2: { says: 'the text of each answer is exactly what was heard of it', check: heardOnly },
  L3: { says: 'each tool call has exactly one outcome, and one answer to the model', check: oneOutcome },
  L4: { says: 'never two speeches are heard at once, and none begins over the user', check: oneVoice },
  L5: { says: 'a close ends within the sum of its limits', check: boundedEnd },
  L6: { says: 'nothing outlives the session', check: nothingLeft },
  L7: { says: 'the order of the history is the order of what was heard', check: inOrder },
  L8: { says: 'each word that was recognised is in exactly one turn', check: everyWord },
  L9: { says: 'what was used is recorded for each request to a provider, also a cancelled one', check: counted },
} as const satisfies Record<string, { says: string; check: (evidence: Evidence) => string[] }>

/** All violations of the laws, in their order. */
export function violations(evidence: Evidence): Violation[] {
  return Object.entries(laws).flatMap(([law, { check }]) => check(evidence).map((seen) => ({ law: law as Law, seen })))
}

/**
 * Checks what must be true of every conversation, by the log and the history of any session; with the sound itself when the
 * session came from `play` or `rehearse`, or when its `TestLine` is given.
 *
 * ```ts
 * assertLaws(session)
 * assertLaws(session, { sounds: line.sounds })
 * ```
 *
 * @throws {Error} that names each law that was broken, and what was seen.
 */
export function assertLaws(session: AgentSession, more: Partial<Evidence> = {}): void {
  const found = violations(evidenceOf(session, more))
  if (found.length === 0) return
  const lines = found.map(({ law, seen }) => `${law} (${laws[law].says}): ${seen}`)
  throw new Error(
    `the conversation breaks ${found.length === 1 ? 'a law' : `${found.length} laws`}:\n${lines.join('\n')}`,
  )
}
