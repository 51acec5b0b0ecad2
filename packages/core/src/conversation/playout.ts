import { owe } from './debts.js'
import type { AssistantItem } from './history.js'
import type { Failure, VoiceInput } from './protocol.js'
import { fail } from './replies.js'
import type { Step } from './step.js'
import { join } from './words.js'
import type { Speech } from './work.js'

export function voiceReported(step: Step, input: Exclude<VoiceInput, { type: 'playout-end' }>): void {
  const speech = step.speech(input.speech)
  if (!speech) return
  if (speech.sound !== 'clearing') speech.since = step.now
  if (input.type === 'voice-start') speech.voice = speech.voice === 'ended' ? 'ended' : 'started'
  else if (input.type === 'voice-mark') marked(step, speech, input)
  else if (input.type === 'playout-position') advance(step, speech, input.position)
  else {
    speech.voice = 'ended'
    speech.duration = input.duration
    // what is being cut needs no voice any more, and is owed to whoever cut it
    if (input.error && speech.sound !== 'clearing') failSpeech(step, speech, 'tts', input.error)
  }
}

/** A mark may come after its word was heard: some voices tell only at the end of a sentence. */
function marked(step: Step, speech: Speech, { chars, at }: { readonly chars: number; readonly at: number }): void {
  const last = speech.marks[speech.marks.length - 1]
  if (last && (chars <= last.chars || at < last.at)) return
  speech.marks.push({ chars: Math.min(chars, speech.text.length), at })
  if (speech.sound !== 'queued') advance(step, speech, speech.position)
}

export function playoutEnded(step: Step, input: Extract<VoiceInput, { type: 'playout-end' }>): void {
  const speech = step.speech(input.speech)
  if (!speech || speech.sound === 'queued') return
  if (input.cleared) advance(step, speech, input.position)
  else speech.heard = speech.text.length
  speech.position = Math.max(speech.position, input.position)
  endSpeech(step, speech, speech.heard)
}

/** The line has played up to `position`: whatever word ended by then was heard. */
function advance(step: Step, speech: Speech, position: number): void {
  speech.position = Math.max(speech.position, position)
  for (let i = speech.marks.length - 1; i >= 0; i--) {
    const mark = speech.marks[i]
    if (!mark || mark.at > speech.position) continue
    speech.heard = Math.max(speech.heard, mark.chars)
    break
  }
  write(step, speech)
}

const heardText = (speech: Speech): string => speech.text.slice(0, speech.heard).trim()

/** Characters that were given to the voice and have not been said. */
export const unsaid = (speech: Speech): number =>
  speech.text.length - (speech.marks[speech.marks.length - 1]?.chars ?? 0)

/** Without a voice, words are heard as soon as they are there. */
export function show(step: Step, speech: Speech): void {
  speech.heard = speech.text.length
  write(step, speech)
}

/** The history says what was heard so far. */
function write(step: Step, speech: Speech): AssistantItem | undefined {
  const item = speech.item === null ? undefined : step.state.history[speech.item]
  if (item?.type !== 'assistant') return undefined
  item.text = heardText(speech)
  return item
}

/** A speech takes its place in the history when its sound begins, and what its generation did stands behind it. */
export function place(step: Step, speech: Speech): void {
  if (step.reply(speech.reply)?.record ?? true) {
    const { id, reply, agent } = speech
    speech.item = step.state.history.length
    step.note({
      type: 'assistant',
      id,
      at: step.now,
      agent: agent.name,
      reply,
      text: '',
      interrupted: false,
      done: false,
    })
  }
  for (const item of speech.behind.splice(0)) step.note(item)
}

// ── the ends of a speech ───────────────────────────────────────────────────────────────────────

/** Asks the line to stop. Until it has answered it is not known what was heard. */
export function clearSpeech(step: Step, speech: Speech): void {
  if (speech.sound === 'clearing') return
  speech.sound = 'clearing'
  speech.since = step.now
  if (step.state.settings.voice === 'none') {
    endSpeech(step, speech, speech.heard)
    return
  }
  step.do({ type: 'clear', speech: speech.id })
}

export function failSpeech(step: Step, speech: Speech, source: 'tts' | 'line', error: Failure): void {
  speech.error = error
  fail(step, speech.reply, source, error)
  if (speech.sound === 'queued') dropSpeech(step, speech)
  else clearSpeech(step, speech)
}

/** Of what has not begun to sound nothing is heard, and no answer is needed to know it. */
export function dropSpeech(step: Step, speech: Speech): void {
  if (speech.voice !== 'none' && step.state.settings.voice !== 'none') step.do({ type: 'clear', speech: speech.id })
  endSpeech(step, speech, 0)
}

/** The speech is over; `heard` characters of it were heard. */
export function endSpeech(step: Step, speech: Speech, heard: number): void {
  const { state } = step
  state.speeches.splice(state.speeches.indexOf(speech), 1)
  speech.heard = heard
  const text = heardText(speech)
  const unheard = speech.text.slice(heard).trim()
  const cut = unheard !== ''
  const reply = step.reply(speech.reply)
  if (reply) {
    reply.heard = join(reply.heard, text)
    reply.unheard = join(reply.unheard, unheard)
    if (cut && speech.error === null) reply.interrupted = true
  }
  const frame = step.frame(speech.frame)
  if (frame && frame.holder === speech.holder && text !== '') frame.opened = true
  if (text === '' && cut && speech.error === null) owe(step, speech.frame, speech.debts)
  finishItem(step, speech, cut)
  for (const item of speech.behind.splice(0)) step.note(item)
  if (state.user.suspicion?.speech === speech.id) state.user.suspicion.unheard = unheard
  if (speech.sound !== 'queued') {
    state.silentSince = step.now
    step.emit({ type: 'speech-end', speech: speech.id, reply: speech.reply, heard: text, unheard, interrupted: cut })
  }
  const truncates = cut && speech.generation !== null && state.settings.voice === 'model'
  if (truncates && speech.generation)
    step.do({ type: 'truncate', generation: speech.generation, position: speech.position, heard: text })
}

function finishItem(step: Step, speech: Speech, cut: boolean): void {
  const item = write(step, speech)
  if (!item) return
  item.interrupted = cut
  item.done = true
  if (cut) step.state.version += 1
  if (item.text !== '') step.emit({ type: 'history-item', item: { ...item } })
}
