import { clearFailures } from './failures.js'
import { heldUntil } from './floor.js'
import { endSpeech, failSpeech, place, show, unsaid } from './playout.js'
import { isProtected } from './replies.js'
import { isSynthesised } from './speeches.js'
import type { Step } from './step.js'
import type { Speech } from './work.js'

/** The first in the queue gets its voice as soon as nothing else sounds; what a model says, as soon as there is a word of it. */
export function askVoice(step: Step): boolean {
  const next = step.state.speeches.find(
    (speech, index) => speech.voice === 'none' && (index === 0 || speech.generation !== null),
  )
  if (next?.sound !== 'queued' || (next === step.state.speeches[0] && !mayBegin(step, next))) return false
  if (step.state.settings.voice === 'none') {
    next.voice = 'started'
    return true
  }
  next.voice = 'asked'
  next.since = step.now
  const { id: speech, reply, generation, agent } = next
  step.do({ type: 'speak', speech, reply, generation, agent: agent.id })
  if (isSynthesised(step, next.generation)) feed(step, next)
  return true
}

/** The voice gets all that there is to say so far. */
function feed(step: Step, { id, text, textEnded, flushes }: Speech): void {
  let from = 0
  for (const to of new Set([...flushes, text.length])) {
    if (to > from) step.do({ type: 'speak-text', speech: id, text: text.slice(from, to) })
    if (flushes.includes(to)) step.do({ type: 'speak-flush', speech: id })
    from = to
  }
  if (textEnded) step.do({ type: 'speak-end', speech: id })
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
  if (next?.sound !== 'queued' || next.voice === 'none' || next.voice === 'asked') return false
  if (!isProtected(step, next.reply) && heldUntil(step, next) !== null) return false
  next.sound = 'playing'
  next.since = step.now
  next.startedAt = step.now
  state.firstSound ??= step.now
  noteSpoken(step)
  place(step, next)
  if (state.settings.voice === 'none') show(step, next)
  else step.do({ type: 'play', speech: next.id })
  step.emit({ type: 'speech-start', speech: next.id, reply: next.reply })
  return true
}

/** Whoever is heard works, and a word has been put in. */
function noteSpoken(step: Step): void {
  step.state.user.tally = { words: 0, since: null }
  clearFailures(step, 'llm', 'tts', 'realtime')
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
