import { floorHeldUntil, openAnswer } from './floor.js'
import { generate, type NewGeneration, takeDebts } from './generations.js'
import type { ApplicationInput, Id } from './protocol.js'
import { openReply, rank } from './replies.js'
import { openSpeech } from './speeches.js'
import type { Frame } from './state.js'
import type { Step } from './step.js'
import { record } from './turn.js'
import type { Request } from './work.js'

// ── what the application wants said ────────────────────────────────────────────────────────────

export function say(step: Step, input: Extract<ApplicationInput, { type: 'say' }>): void {
  const { reply, text, interruptible, priority, record: recorded } = input
  if (!admits(step)) return refuse(step, reply)
  openReply(step, { id: reply, source: 'say', interruptible, priority, record: recorded })
  settleInherited(step)
  if (text === null) {
    step.state.generations.push({
      id: reply,
      reply,
      frame: step.top.id,
      step: 1,
      tools: 'none',
      debts: { opening: false, answer: false, result: null },
      request: null,
      guess: null,
      ended: false,
      said: false,
      since: step.now,
      behind: [],
    })
    return
  }
  if (text.trim() === '') return
  const speech = openSpeech(step, { reply, generation: null })
  if (speech) Object.assign(speech, { text, textEnded: true })
}

export function requestReply(step: Step, input: Extract<ApplicationInput, { type: 'reply' }>): void {
  const { reply, instructions, userInput, tools, interruptible, priority } = input
  if (!step.open) return refuse(step, reply)
  openReply(step, { id: reply, source: 'request', interruptible, priority })
  if (userInput !== null) record(step, userInput, false)
  settleInherited(step)
  const request: Request = { reply, instructions, tools, interruptible, priority }
  const { requests } = step.state
  const index = requests.findIndex((other) => rank[other.priority] < rank[priority])
  requests.splice(index < 0 ? requests.length : index, 0, request)
}

/** At the very end only an exit hook may still speak. */
function admits(step: Step): boolean {
  return step.open || (step.state.closing?.phase === 'exit' && step.state.calls.some((call) => call.kind === 'exit'))
}

function refuse(step: Step, request: Id): void {
  step.do({ type: 'refuse', request, reason: 'the session is closing', because: 'closing' })
}

/** Who speaks on entering has answered what it found unanswered. */
function settleInherited(step: Step): void {
  const { top, state } = step
  const entering = state.calls.some((call) => call.kind === 'enter' && call.holder === top.holder)
  if (top.inherited && entering) Object.assign(top, { inherited: false, owes: { ...top.owes, answer: false } })
}

// ── rules ──────────────────────────────────────────────────────────────────────────────────────

/** The agent that has the conversation makes what it owes, one thing at a time. */
export function think(step: Step): boolean {
  const { state, top } = step
  if (!step.open || step.clearing || step.generating || top.leaving || step.now < step.backAt) return false
  return makeRequest(step) || (state.requests.length === 0 && (goOn(step, top) || answer(step, top)))
}

function makeRequest(step: Step): boolean {
  const { requests, generations } = step.state
  const [request] = requests
  if (!request || (request.interruptible && floorHeldUntil(step) !== null) || generations.length > 0) return false
  requests.shift()
  const reply = step.reply(request.reply)
  if (reply) reply.frame = step.top.id
  make(step, step.top, { reply: request.reply, step: 1, request })
  return true
}

/** The tools of a reply have ended: it goes on at once, even while it is heard. */
function goOn(step: Step, frame: Frame): boolean {
  const { result, answer: owesAnswer } = frame.owes
  const reply = result && step.reply(result.reply)
  if (!result || !reply || reply.interrupted || reply.error || owesAnswer || floorHeldUntil(step) !== null) return false
  if (result.late && step.state.speeches.some((speech) => speech.sound === 'queued')) return false
  reply.step = Math.max(reply.step, result.step)
  make(step, frame, { reply: reply.id, step: reply.step })
  return true
}

/** A new reply settles everything that is owed. Only an answer is made while something else is still heard. */
function answer(step: Step, frame: Frame): boolean {
  const { opening, answer: owesAnswer, result } = frame.owes
  if (!(opening || owesAnswer || result) || !mayAnswer(step, frame)) return false
  const reply = openAnswer(step, step.id('r'), owesAnswer ? 'answer' : opening ? 'opening' : 'result')
  reply.step = result?.step ?? 1
  make(step, frame, { reply: reply.id, step: reply.step })
  return true
}

function mayAnswer(step: Step, frame: Frame): boolean {
  const { opening, answer: owesAnswer, result } = frame.owes
  if (floorHeldUntil(step) !== null && !(step.state.cutIn && owesAnswer)) return false
  if (frame.result && !result && frame.waiting.length === 0) return false
  if (frame.waiting[0] && !frame.waiting[0].after) return false // what is owed is the task's, which was there first
  if (owesAnswer && !opening && awaitsHook(step, frame) !== null) return false
  return owesAnswer || !step.state.speeches.some((speech) => speech.frame === frame.id)
}

/** Words said before the agent came are left to its enter hook, for a while. */
export function awaitsHook(step: Step, frame: Frame): number | null {
  const hook = step.state.calls.find((call) => call.kind === 'enter' && call.holder === frame.holder)
  const until = (hook?.since ?? 0) + step.state.settings.limits.hook
  return frame.inherited && hook && step.now < until ? until : null
}

function make(step: Step, frame: Frame, made: Omit<NewGeneration, 'debts'>): void {
  generate(step, frame, { ...made, debts: takeDebts(frame) })
}
