import { cutReplies } from './cut.js'
import { endOfTurn } from './endpointing.js'
import type { Id, ReplySource } from './protocol.js'
import { isProtected, openReply } from './replies.js'
import type { Turn, User } from './state.js'
import type { Step } from './step.js'
import { countWords, isBackchannel, join } from './words.js'
import type { Reply, Speech } from './work.js'

// ── whose turn it is to sound ──────────────────────────────────────────────────────────────────

/**
 * Until when the user has the floor: a voice, words that are not settled yet, or a voice that may turn out to be words.
 * null: the floor is free.
 */
export function floorHeldUntil(step: Step): number | null {
  const { user, settings } = step.state
  if (user.claims > 0) return Number.POSITIVE_INFINITY
  if (settings.turns === 'manual') return null // the application says whose turn it is
  if (user.speaking && user.verdict !== 'backchannel') return Number.POSITIVE_INFINITY
  const { turn } = user
  if (!turn || settings.turns !== 'voice') return null
  if (turn.text !== '' || turn.interim !== '') return endOfTurn(step) ?? Number.POSITIVE_INFINITY
  return after(step, user.lastSound + step.endpointing.minDelay)
}

/** Speech that was being made when the user raised a voice waits a little longer for words than speech that came later. */
export function heldUntil(step: Step, speech: Speech): number | null {
  const until = floorHeldUntil(step)
  const { user } = step.state
  const { minDuration, falseInterruptionTimeout } = step.interruption
  if (until !== null || !user.turn || user.speaking || falseInterruptionTimeout === null) return until
  const since = step.reply(speech.reply)?.since ?? step.now
  const wasCurrent = user.onset !== null && since < user.onset
  return wasCurrent && user.voiced >= minDuration ? after(step, user.quietSince + falseInterruptionTimeout) : null
}

/** An answer that is put in while the user goes on is not cut short by what they are saying. */
export function openAnswer(step: Step, id: Id, source: ReplySource): Reply {
  const putIn = step.state.cutIn && floorHeldUntil(step) !== null
  step.state.cutIn = false
  return openReply(step, { id, source, interruptible: !putIn })
}

const after = (step: Step, at: number): number | null => (step.now < at ? at : null)

/** Whether sounds of the user's may stop the agent now. */
function mayInterrupt(step: Step): boolean {
  const { settings, firstSound } = step.state
  const { enabled, warmup } = step.interruption
  if (!enabled || settings.turns !== 'voice' || !step.open) return false
  return firstSound === null || step.now >= firstSound + warmup
}

// ── rules ──────────────────────────────────────────────────────────────────────────────────────

/** Words, or whoever judges overlaps, prove an interruption: whatever had begun when they were heard yields. */
export function yieldToUser(step: Step): boolean {
  const before = provenAt(step)
  if (before === null) return false
  step.state.user.suspicion = null
  const live = step.state.replies.some(
    (reply) => reply.since <= before && !isProtected(step, reply.id) && isLive(step, reply.id),
  )
  if (!live) return false
  if (step.state.user.turn) step.state.user.turn.overlaps = true
  cutReplies(step, { by: 'user', before, force: false })
  return true
}

/** When it was proved that the user interrupts. null: it is not. */
function provenAt(step: Step): number | null {
  const { user } = step.state
  const { turn } = user
  if (!mayInterrupt(step) || user.verdict === 'backchannel') return null
  const judged = user.verdict === 'interruption' && user.speaking ? user.onset : null
  if (!turn || turn.lastWords === null) return judged
  if (judged !== null) return Math.max(judged, turn.lastWords)
  const said = sureWords(step, turn)
  if (countWords(said) < Math.max(1, step.interruption.minWords)) return null
  return turn.over && user.verdict === null && isBackchannel(said, step.interruption) ? null : turn.lastWords
}

/** Final words are sure. What is still being recognised is, once the voice has lasted long enough for an interruption. */
function sureWords(step: Step, { text, interim }: Turn): string {
  const { words, minDuration } = step.interruption
  const lasts = !step.state.settings.measuresVoice || step.state.user.voiced >= minDuration
  return words === 'interim' && lasts ? join(text, interim) : text
}

const isLive = (step: Step, reply: string): boolean =>
  step.state.requests.some((request) => request.reply === reply) ||
  step.state.generations.some((generation) => generation.reply === reply && generation.guess === null) ||
  step.state.speeches.some((speech) => speech.reply === reply && speech.sound !== 'clearing')

/** A voice that lasts takes the floor, for the time being where the line can hold its sound, for good where it cannot. */
export function hold(step: Step): boolean {
  const { user, settings } = step.state
  const { audible, interruption } = step
  if (audible?.sound !== 'playing' || settings.voice === 'none' || !takesFloor(step, audible)) return false
  const { hold: how, falseInterruptionTimeout, resume } = interruption
  const able = how === 'duck' ? settings.line.canDuck : settings.line.canPause
  if (!able || !resume || falseInterruptionTimeout === null) {
    if (falseInterruptionTimeout !== null) user.suspicion = { speech: audible.id, unheard: '' }
    cutReplies(step, { by: 'user', before: step.now, force: false })
    return true
  }
  audible.sound = how === 'duck' ? 'ducked' : 'paused'
  audible.heldAt = step.now
  step.do({ type: how === 'duck' ? 'duck' : 'pause', speech: audible.id })
  step.emit({ type: 'speech-pause', speech: audible.id, position: audible.position })
  return true
}

function takesFloor(step: Step, audible: Speech): boolean {
  const { user, settings } = step.state
  const { minDuration, minWords } = step.interruption
  if (!user.speaking || user.verdict === 'backchannel' || user.voiced < minDuration) return false
  if (settings.transcribes && wordsSaid(user) < minWords) return false
  return mayInterrupt(step) && !isProtected(step, audible.reply)
}

/** Held speech goes on, from the same sample, when nobody interrupts after all. */
export function release(step: Step): boolean {
  const { audible } = step
  if (!audible || (audible.sound !== 'paused' && audible.sound !== 'ducked')) return false
  const at = releaseAt(step, audible)
  if (at === null || step.now < at) return false
  step.do({ type: audible.sound === 'paused' ? 'resume' : 'unduck', speech: audible.id })
  audible.sound = 'playing'
  audible.heldAt = null
  audible.since = step.now
  step.emit({ type: 'speech-resume', speech: audible.id, position: audible.position })
  step.emit({ type: 'false-interruption', resumed: true, unheard: '' })
  return true
}

const wordsSaid = ({ turn }: User): number => (turn ? countWords(join(turn.text, turn.interim)) : 0)

/** When held speech goes on, as things stand. null: not while they stand so. */
export function releaseAt(step: Step, held: Speech): number | null {
  const { user } = step.state
  const { falseInterruptionTimeout, minWords, maxHold } = step.interruption
  const sounding = user.claims > 0 || (user.speaking && user.verdict !== 'backchannel')
  if (isProtected(step, held.reply)) return sounding ? (held.heldAt ?? step.now) + maxHold : step.now
  if (sounding) return null
  if (user.verdict === 'backchannel') return step.now
  if (user.turn && countWords(sureWords(step, user.turn)) >= Math.max(1, minWords)) return null
  return user.quietSince + (falseInterruptionTimeout ?? 0)
}

/** A speech was cut by what proved to be noise: the application may want to say the rest again. */
export function admitFalseCut(step: Step): boolean {
  const { user } = step.state
  const at = falseCutAt(step)
  if (!step.open || at === null || step.now < at || !user.suspicion) return false
  step.emit({ type: 'false-interruption', resumed: false, unheard: user.suspicion.unheard })
  user.suspicion = null
  return true
}

export function falseCutAt(step: Step): number | null {
  const { user } = step.state
  const { falseInterruptionTimeout } = step.interruption
  if (!user.suspicion || user.speaking || falseInterruptionTimeout === null) return null
  return user.quietSince + falseInterruptionTimeout
}
