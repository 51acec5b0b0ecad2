import type { State } from '../conversation/state.js'

/**
 * Whether the conversation rests: nothing is said, made, owed or asked for, the user has not the floor, and whoever has the
 * conversation works at nothing that is waited for. An agent whose task has the conversation may be at work below it.
 */
export function atRest(state: State): boolean {
  if (state.phase === 'closed') return true
  const top = state.frames[state.frames.length - 1]
  if (state.phase !== 'open' || !top) return false
  const { opening, answer, result } = top.owes
  const quiet = state.speeches.length + state.generations.length + state.requests.length + state.committed.length === 0
  const heard = state.user.turn === null && !state.user.speaking && state.user.claims === 0
  const settled = top.waiting.length === 0 && top.result === null && top.leaving === null
  const working = state.calls.some((call) => call.frame === top.id && !call.released)
  return quiet && heard && settled && !opening && !answer && result === null && !working
}
