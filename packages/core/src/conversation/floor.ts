import { cutReplies } from './cut.js'
import type { AssistantItem } from './history.js'
import { isProtected } from './replies.js'
import { endSpeech, failSpeech, show, unsaid } from './speeches.js'
import type { Speech } from './state.js'
import type { Step } from './step.js'
import { endOfTurn } from './turn.js'
import { countWords, isBackchannel, join } from './words.js'

// ── whose turn it is to sound ──────────────────────────────────────────────────────────────────

/**
 * Until when the user has the floor: a voice, words that are not settled yet, or a voice that may turn out to be words.
 * null: the floor is free.
 */
export function floorHeldUntil(step: Step): number | null {
  const { user, settings } = step.state
  if (user.speaking && user.verdict !== 'backchannel') return Number.POSITIVE_INFINITY
  const { turn } = user
  if (!turn || settings.turns !== 'voice') return null
  if (turn.text !== '' || turn.interim !== '') return endOfTurn(step) ?? Number.POSITIVE_INFINITY
  return after(step, user.lastSound + step.endpointing.minDelay)
}

/** Speech that was being made when the user raised a voice waits a little longer for words than speech that came later. */
function heldUntil(step: Step, speech: Speech): number | null {
  const until = floorHeldUntil(step)
  const { user } = step.state
  const { minDuration, falseInterruptionTimeout } = step.interruption
  if (until !== null || !user.turn || user.speaking || falseInterruptionTimeout === null) return until
  const since = step.reply(speech.reply)?.since ?? step.now
  const wasCurrent = user.onset !== null && since < user.onset
  return wasCurrent && user.voiced >= minDuration ? after(step, user.quietSince + falseInterruptionTimeout) : null
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
  cutReplies(step, { by: 'user', before, force: false })
  return true
}

/** When it was proved that the user interrupts. null: it is not. */
function provenAt(step: Step): number | null {
  const { user } = step.state
  const { turn } = user
  if (!mayInterrupt(step) || user.verdict === 'backchannel') return null
  if (user.verdict === 'interruption' && user.speaking) return user.onset
  if (!turn || turn.lastWords === null) return null
  const { minWords, words } = step.interruption
  const said = words === 'interim' ? join(turn.text, turn.interim) : turn.text
  if (countWords(said) < Math.max(1, minWords)) return null
  return step.audible && user.verdict === null && isBackchannel(said, step.interruption) ? null : turn.lastWords
}

const isLive = (step: Step, reply: string): boolean =>
  step.state.requests.some((request) => request.reply === reply) ||
  step.state.generations.some((generation) => generation.reply === reply && generation.guess === null) ||
  step.state.speeches.some((speech) => speech.reply === reply && speech.sound !== 'clearing')

/** A voice that lasts takes the floor, for the time being where the line can hold its sound, for good where it cannot. */
export function hold(step: Step): boolean {
  const { user, settings } = step.state
  const { audible } = step
  if (!audible || audible.sound !== 'playing' || !user.speaking || user.verdict === 'backchannel') return false
  const { minDuration, minWords, hold: how, falseInterruptionTimeout, resume } = step.interruption
  if (!mayInterrupt(step) || isProtected(step, audible.reply) || user.voiced < minDuration) return false
  const said = user.turn ? join(user.turn.text, user.turn.interim) : ''
  if (settings.transcribes && countWords(said) < minWords) return false
  if (user.turn) user.turn.overlaps = true
  const able = how === 'duck' ? settings.line.canDuck : settings.line.canPause
  if (!able || !resume || falseInterruptionTimeout === null) {
    if (falseInterruptionTimeout !== null) user.suspicion = { speech: audible.id, unheard: '' }
    cutReplies(step, { by: 'user', before: user.onset ?? step.now, force: false })
    return true
  }
  audible.sound = how === 'duck' ? 'ducked' : 'paused'
  audible.heldAt = step.now
  step.do({ type: how === 'duck' ? 'duck' : 'pause', speech: audible.id })
  step.emit({ type: 'speech-pause', speech: audible.id, position: audible.position })
  return true
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

/** When held speech goes on, as things stand. null: not while they stand so. */
export function releaseAt(step: Step, held: Speech): number | null {
  const { user } = step.state
  const { falseInterruptionTimeout, minWords, maxHold } = step.interruption
  const sounding = user.speaking && user.verdict !== 'backchannel'
  if (isProtected(step, held.reply)) return sounding ? (held.heldAt ?? step.now) + maxHold : step.now
  if (sounding) return null
  if (user.verdict === 'backchannel') return step.now
  const said = user.turn ? countWords(join(user.turn.text, user.turn.interim)) : 0
  if (said >= Math.max(1, minWords)) return null
  return user.quietSince + (falseInterruptionTimeout ?? 0)
}

/** A speech was cut by what proved to be noise: the application may want to say the rest again. */
export function admitFalseCut(step: Step): boolean {
  const { user } = step.state
  const at = falseCutAt(step)
  if (at === null || step.now < at || !user.suspicion) return false
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

/** The first in the queue gets its voice as soon as nothing else sounds. */
export function askVoice(step: Step): boolean {
  const next = step.state.speeches[0]
  if (!next || next.sound !== 'queued' || next.voice !== 'none' || !mayBegin(step, next)) return false
  const spokenByModel = step.state.settings.voice === 'model' && next.generation !== null
  if (spokenByModel) return false
  if (step.state.settings.voice === 'none') {
    next.voice = 'started'
    return true
  }
  next.voice = 'asked'
  next.since = step.now
  const agent = step.frame(next.frame) ?? step.top
  step.do({ type: 'speak', speech: next.id, reply: next.reply, generation: next.generation, agent: agent.agent.id })
  let from = 0
  for (const to of [...next.flushes, next.text.length]) {
    if (to > from) step.do({ type: 'speak-text', speech: next.id, text: next.text.slice(from, to) })
    if (next.flushes.includes(to)) step.do({ type: 'speak-flush', speech: next.id })
    from = to
  }
  if (next.textEnded) step.do({ type: 'speak-end', speech: next.id })
  return true
}

/** Speeches keep their distance, and do not come before the agent whose they are. */
function mayBegin(step: Step, speech: Speech): boolean {
  const { silentSince, settings } = step.state
  if (silentSince !== null && step.now < silentSince + settings.minConsecutiveSpeechDelay) return false
  const frame = step.frame(speech.frame)
  return !frame || frame.leaving?.holder !== speech.holder
}

/** The floor is taken at the instant at which sound begins, and only if the user does not hold it. */
export function startSpeech(step: Step): boolean {
  const { state } = step
  const next = state.speeches[0]
  if (!next || next.sound !== 'queued' || next.voice === 'none' || next.voice === 'asked') return false
  if (!isProtected(step, next.reply) && heldUntil(step, next) !== null) return false
  next.sound = 'playing'
  next.since = step.now
  state.firstSound ??= step.now
  place(step, next)
  if (state.settings.voice === 'none') show(step, next)
  else step.do({ type: 'play', speech: next.id })
  step.emit({ type: 'speech-start', speech: next.id, reply: next.reply })
  return true
}

/** It has its place in the history from here on, and what its generation did stands behind it. */
function place(step: Step, speech: Speech): void {
  const { state } = step
  const reply = step.reply(speech.reply)
  const agent = (step.frame(speech.frame) ?? step.top).agent.name
  if (reply?.record ?? true) {
    const item: AssistantItem = {
      type: 'assistant',
      id: speech.id,
      at: step.now,
      agent,
      reply: speech.reply,
      text: '',
      interrupted: false,
      done: false,
    }
    speech.item = state.history.length
    step.note(item)
  }
  for (const item of speech.behind.splice(0)) step.note(item)
}

/** Without a voice, what was said is heard; it is over with its last word. */
export function finishText(step: Step): boolean {
  const { audible } = step
  if (step.state.settings.voice !== 'none' || audible?.sound !== 'playing' || !audible.textEnded) return false
  endSpeech(step, audible, audible.text.length)
  return true
}

// ── a voice or a line that does not answer ─────────────────────────────────────────────────────

export function giveUpSpeeches(step: Step): boolean {
  const speech = step.state.speeches[0]
  if (!speech) return false
  const at = speechDeadline(step, speech)
  if (at === null || step.now < at) return false
  if (speech.sound === 'clearing') endSpeech(step, speech, speech.heard)
  else if (speech.voice === 'ended' && speech.sound === 'playing') {
    failSpeech(step, speech, 'line', {
      blame: 'provider',
      message: 'the line did not report the end of a speech',
      retryable: false,
    })
  } else {
    const message =
      speech.voice === 'asked'
        ? 'the voice did not begin to speak in time'
        : 'the voice fell silent in the middle of its words'
    failSpeech(step, speech, 'tts', { blame: 'provider', message, retryable: true })
  }
  return true
}

export function speechDeadline(step: Step, speech: Speech): number | null {
  const { voiceStart, voiceGap, line } = step.state.settings.limits
  if (step.state.settings.voice === 'none') return null
  if (speech.sound === 'clearing') return speech.since + line
  if (speech.voice === 'asked') return speech.text !== '' ? speech.since + voiceStart : null
  if (speech.sound !== 'playing' && speech.sound !== 'ducked') return null
  if (speech.voice === 'ended') return speech.since + Math.max(0, speech.duration - speech.position) + line
  return unsaid(speech) > 0 || speech.textEnded ? speech.since + voiceGap : null
}
