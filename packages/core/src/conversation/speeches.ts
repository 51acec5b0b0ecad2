import { show, unsaid } from './playout.js'
import type { Id } from './protocol.js'
import { rank } from './replies.js'
import type { Step } from './step.js'
import { type Debts, nothing, type Speech } from './work.js'

export function appendText(step: Step, source: { reply: Id; generation: Id; debts: Debts }, text: string): void {
  if (text === '') return
  const open = step.state.speeches.find((speech) => speech.generation === source.generation && !speech.textEnded)
  if (!open && text.trim() === '') return
  const speech = open ?? openSpeech(step, source)
  if (!speech) return
  if (speech.voice === 'asked' && unsaid(speech) === 0) speech.since = step.now
  speech.text += text
  if (step.state.settings.voice === 'none' && speech.sound === 'playing') show(step, speech)
  if (isFed(step, speech)) step.do({ type: 'speak-text', speech: speech.id, text })
}

/** A voice has been asked for that wants to be given the text. */
function isFed(step: Step, { voice, sound, generation }: Speech): boolean {
  if (voice === 'none' || sound === 'clearing') return false
  return isSynthesised(step, generation)
}

/** The words are spoken by a voice of their own: not by the model that makes them, and not by nobody. */
export function isSynthesised(step: Step, generation: Id | null): boolean {
  const { voice } = step.state.settings
  return voice === 'tts' || (voice === 'model' && generation === null)
}

/** What follows is spoken as a passage of its own, and stands in the text behind a space. */
export function flushText(step: Step, generation: Id): void {
  const speech = step.state.speeches.find((each) => each.generation === generation && !each.textEnded)
  if (!speech) return
  if (!/\s$/.test(speech.text)) appendText(step, { ...speech, generation }, ' ')
  speech.flushes.push(speech.text.length)
  if (isFed(step, speech)) step.do({ type: 'speak-flush', speech: speech.id })
}

export function endText(step: Step, generation: Id): void {
  for (const speech of step.state.speeches) {
    if (speech.generation !== generation || speech.textEnded) continue
    speech.textEnded = true
    if (isFed(step, speech)) step.do({ type: 'speak-end', speech: speech.id })
  }
}

export function openSpeech(
  step: Step,
  source: { reply: Id; generation: Id | null; debts?: Debts },
): Speech | undefined {
  const { state } = step
  const reply = step.reply(source.reply)
  if (!reply) return undefined
  const { top } = step
  const frame = step.frame(reply.frame) ?? top
  const isSaid = source.generation === null || source.generation === reply.id
  const exiting = step.call(frame.exit ?? '') !== undefined // what is said meanwhile is its farewell
  const follows = isSaid && !exiting ? frame.leaving : null
  const speech: Speech = {
    id: step.id('s'),
    reply: reply.id,
    frame: frame.id,
    holder: follows ? follows.holder : frame.holder,
    agent: follows?.to ?? frame.agent,
    generation: source.generation,
    priority: reply.priority,
    debts: source.debts ?? nothing(),
    text: '',
    textEnded: false,
    flushes: [],
    marks: [],
    voice: 'none',
    sound: 'queued',
    heldAt: null,
    since: step.now,
    position: 0,
    heard: 0,
    duration: 0,
    error: null,
    startedAt: null,
    item: null,
    behind: [],
  }
  const generation = source.generation === null ? undefined : step.generation(source.generation)
  speech.behind.push(...(generation?.behind.splice(0) ?? []))
  state.speeches.splice(placeFor(step, speech), 0, speech)
  return speech
}

/** Behind what sounds and behind what is at least as urgent; whoever leaves speaks before whoever takes over. */
function placeFor(step: Step, { holder, priority, frame }: Speech): number {
  const { speeches } = step.state
  const next = step.frame(frame)?.leaving?.holder
  let index = speeches.length
  if (holder === next) return index
  for (let before = speeches[index - 1]; before; before = speeches[index - 1]) {
    const yields = before.holder === next || rank[before.priority] < rank[priority]
    if (before.sound !== 'queued' || !yields) break
    index -= 1
  }
  return index
}
