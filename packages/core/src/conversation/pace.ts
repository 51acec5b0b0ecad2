import type { Step } from './step.js'

/**
 * Dynamic endpointing: an exponential moving average of the pauses that a user makes within turns. A pause is learned when
 * the voice comes back and nobody answered in between, or when it cuts short an answer that came too early.
 */
export function learnPause(step: Step, onset: number): void {
  const { state } = step
  const { mode, alpha, minDelay, maxDelay } = step.endpointing
  const pause = onset - state.user.lastSound
  if (
    mode !== 'dynamic' ||
    state.user.onset === null ||
    pause <= 0 ||
    pause > maxDelay ||
    !belongsTogether(step, onset)
  )
    return
  const before = delayOf(step)
  const delay = Math.min(maxDelay, Math.max(minDelay, alpha * before + (1 - alpha) * pause))
  state.pace = { delay, before: state.pace.delay }
}

/** What turned out to be a backchannel was no resumption. */
export function forgetPause(step: Step): void {
  step.state.pace = { ...step.state.pace, delay: step.state.pace.before }
}

/** From the last sound to the end of a turn. */
export function delayOf(step: Step): number {
  const { mode, minDelay, maxDelay } = step.endpointing
  const { delay } = step.state.pace
  return mode === 'dynamic' && delay !== null ? Math.min(maxDelay, Math.max(minDelay, delay)) : minDelay
}

function belongsTogether(step: Step, onset: number): boolean {
  const { silentSince, user } = step.state
  const { audible } = step
  if (audible?.startedAt != null) return onset - audible.startedAt <= delayOf(step)
  return silentSince === null || silentSince < user.lastSound
}
