import { awaitsHook } from './agenda.js'
import { endOfTurn } from './endpointing.js'
import { fillAt } from './fillers.js'
import { falseCutAt, floorHeldUntil, releaseAt } from './floor.js'
import { patienceWith } from './generations.js'
import type { AgentState, UserState } from './protocol.js'
import { speechDeadline } from './sounding.js'
import type { Step } from './step.js'
import { cutInAt } from './turn.js'

/** States are never set: they follow from what is the case, and only their changes are told. */
export function announce(step: Step): void {
  const { announced } = step.state
  observeIdleness(step)
  announceUser(step)
  const agent = agentState(step)
  if (agent !== announced.agent) {
    step.emit({ type: 'agent-state', from: announced.agent, to: agent })
    announced.agent = agent
  }
  const wake = nextWake(step)
  if (wake !== announced.wake) {
    step.do({ type: 'wake', at: wake })
    announced.wake = wake
  }
}

/** Told before what follows from it. */
export function announceUser(step: Step): void {
  const { announced, user } = step.state
  const to = userState(step)
  if (to === announced.user) return
  const at = user.speaking ? (user.onset ?? step.now) : to === 'listening' ? user.lastSound : step.now
  step.emit({ type: 'user-state', from: announced.user, to, at })
  announced.user = to
}

/** The end is the last that is heard of a conversation. */
export function announceEnd(step: Step): void {
  const { phase, closing } = step.state
  if (phase === 'closed' && closing) step.emit({ type: 'closed', reason: closing.reason, error: closing.error })
}

function userState(step: Step): UserState {
  const { speaking, away, claims } = step.state.user
  if ((speaking || claims > 0) && step.state.phase !== 'closed') return 'speaking'
  return away ? 'away' : 'listening'
}

/** Speaking while sound comes out; thinking while something is being made or done that will be heard; else listening. */
function agentState(step: Step): AgentState {
  const { state, audible } = step
  if (state.phase === 'new' || state.phase === 'closed') return 'initializing'
  if (audible?.sound === 'playing' || audible?.sound === 'ducked') return 'speaking'
  if (audible || state.phase === 'closing' || floorTaken(step)) return 'listening'
  return isThinking(step) ? 'thinking' : 'listening'
}

/** The user's voice has lasted long enough to be taken for a turn. */
function floorTaken(step: Step): boolean {
  const { user } = step.state
  if (step.state.settings.turns === 'manual') return false
  return user.speaking && user.verdict !== 'backchannel' && user.voiced >= step.interruption.minDuration
}

function isThinking(step: Step): boolean {
  const { state, top } = step
  if (
    state.speeches.length > 0 ||
    step.generating ||
    state.requests.length > 0 ||
    top.waiting.length > 0 ||
    top.leaving
  )
    return true
  const { opening, answer, result } = top.owes
  if ((opening || answer || result) && floorHeldUntil(step) === null) return true
  return state.calls.some(
    (call) => call.kind === 'tool' && call.frame === top.id && !call.released && !call.interrupted,
  )
}

/** Since when nobody has spoken and nothing was being done. */
function observeIdleness(step: Step): void {
  const { state } = step
  const busy =
    state.user.speaking ||
    state.user.claims > 0 ||
    state.calls.some((call) => call.kind === 'tool' && !waitsForUser(step, call.id))
  if (busy || agentState(step) !== 'listening') state.idleSince = null
  else state.idleSince ??= step.now
}

const waitsForUser = (step: Step, call: string): boolean => step.state.frames.some((frame) => frame.task?.call === call)

export function goAway(step: Step): boolean {
  const { user, settings, idleSince } = step.state
  if (user.away || idleSince === null || settings.userAwayTimeout === null || !step.open) return false
  if (step.now < idleSince + settings.userAwayTimeout) return false
  user.away = true
  return true
}

/** The next moment at which time alone changes what follows. */
function nextWake(step: Step): number | null {
  if (step.state.phase === 'new' || step.state.phase === 'closed') return null
  let next = Number.POSITIVE_INFINITY
  for (const at of moments(step)) if (at !== null && at > step.now && at < next) next = at
  return next === Number.POSITIVE_INFINITY ? null : next
}

function* moments(step: Step): Iterable<number | null> {
  yield* momentsOfFloor(step)
  yield* deadlines(step)
}

function* momentsOfFloor(step: Step): Iterable<number | null> {
  const { state, audible, interruption } = step
  const { user, settings } = state
  yield endOfTurn(step)
  yield floorHeldUntil(step)
  yield falseCutAt(step)
  yield cutInAt(step)
  if (user.turn) yield user.quietSince + (interruption.falseInterruptionTimeout ?? 0)
  if (audible) yield releaseAt(step, audible)
  yield after(state.firstSound, interruption.warmup)
  yield after(state.silentSince, settings.minConsecutiveSpeechDelay)
  if (!user.away) yield after(state.idleSince, settings.userAwayTimeout)
}

/** Every wait on the world has one. */
function* deadlines(step: Step): Iterable<number | null> {
  const { state } = step
  for (const generation of state.generations) if (!generation.ended) yield patienceWith(step, generation)
  for (const speech of state.speeches) yield speechDeadline(step, speech)
  for (const call of state.calls) yield after(call.since, call.left)
  for (const call of state.calls) yield fillAt(step, call)
  yield awaitsHook(step, step.top)
  yield step.backAt
  yield state.closing?.deadline ?? null
  yield state.drain?.deadline ?? null
}

const after = (since: number | null, delay: number | null): number | null =>
  since === null || delay === null ? null : since + delay
