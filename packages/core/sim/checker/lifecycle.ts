import type { CloseReason, Command, Id, Input } from '../../src/conversation/protocol.js'
import type { Ledger, StepFact } from './ledger.js'
import { must } from './must.js'

/** A conversation ends, once, in time, and with nothing left; and until then nothing in it waits for ever. */
export class LifecycleCheck {
  #closed = 0
  readonly #failures = new Map<string, number>()

  command(ledger: Ledger, command: Command, { before, input }: StepFact): void {
    if (command.type !== 'emit') return
    if (command.event.type === 'error') this.#failed(command.event.source)
    if (command.event.type === 'closing') this.#closes(ledger, command.event.reason, input)
    if (command.event.type !== 'closed') return
    this.#closed += 1
    must(this.#closed === 1, 'a conversation ends once')
    if (before === 'open' || before === 'draining') return
    const { closeTranscript, closeTools, closeOutput, hook, abort, line } = ledger.settings.limits
    const longest = closeTranscript + closeTools + closeOutput + hook + abort + line + lateness * 6
    must(ledger.now - ledger.phaseSince <= longest, 'a close ends within the sum of its limits, whatever hangs')
  }

  after(ledger: Ledger, step: StepFact): void {
    if (step.before === 'closed') return afterTheEnd(step)
    if (ledger.phase === 'closed') return nothingIsLeft(ledger)
    nothingWaitsForEver(ledger)
    must(ledger.wake === null || ledger.wake > ledger.now, 'what is due is done at once, never by a timer of no length')
    drains(ledger, step)
  }

  #failed(source: string): void {
    this.#failures.set(source, (this.#failures.get(source) ?? 0) + 1)
  }

  #closes({ settings }: Ledger, reason: CloseReason, { type }: Input): void {
    if (reason !== 'error' || type === 'close') return
    const most = Math.max(0, ...this.#failures.values())
    must(most > settings.maxFailures, 'failures are borne as often as the settings say')
  }

  atRest(ledger: Ledger): void {
    const { state } = ledger
    must(ledger.phase !== 'draining', 'a drained conversation closes')
    must(ledger.phase !== 'closing', 'a conversation that is closing closes')
    must(ledger.live.speeches.size === 0 && state.speeches.length === 0, 'every speech ends')
    must(ledger.live.generations.size === 0 && state.generations.length === 0, 'every generation ends')
    must(state.requests.length === 0, 'every reply that was asked for is made')
    const frame = state.frames.at(-1)!
    must(
      !frame.owes.opening && !frame.owes.answer && frame.owes.result === null,
      'whatever is owed is given in the end',
    )
    must(frame.leaving === null && frame.result === null, 'whoever leaves is gone in the end')
    const waits = (reply: Id): boolean =>
      state.groups.some((group) => group.reply === reply) ||
      state.frames.some((each) => each.owes.result?.reply === reply)
    must(
      state.replies.every((reply) => waits(reply.id)),
      'every reply ends',
    )
  }

  atEnd(ledger: Ledger): void {
    must(this.#closed === 1 && ledger.phase === 'closed', 'every conversation ends')
    must(ledger.live.generations.size === 0, 'every generation ends')
  }
}

/** The timer may come late by so much. */
const lateness = 150

function afterTheEnd({ commands }: StepFact): void {
  const refusals = new Set<Command['type']>(['refuse', 'task-reject', 'generate-cancel'])
  must(
    commands.every((each) => refusals.has(each.type)),
    'after the end there is only refusal',
  )
}

function nothingIsLeft({ state, wake, live }: Ledger): void {
  must(wake === null, 'no timer outlives the conversation')
  const { replies, speeches, generations, calls, requests, committed, groups } = state
  for (const [name, open] of Object.entries({ replies, speeches, generations, calls, requests, committed, groups })) {
    must(open.length === 0, 'nothing is left open at the end', name)
  }
  must(state.user.turn === null, 'nothing is left open at the end', 'a turn')
  must(live.tasks.size === 0, 'nothing is left open at the end', 'tasks outside')
  must(live.generations.size === 0, 'nothing is left open at the end', 'generations outside')
}

/** While something is owed, by the agent or to it, there is a time at which it is given up or gone on with. */
function nothingWaitsForEver(ledger: Ledger): void {
  const { state, userSpeaks, live } = ledger
  if (ledger.wake !== null || ledger.phase === 'new') return
  must(live.generations.size === 0, 'while a model is at work there is a time at which it is given up')
  for (const speech of live.speeches) {
    const held = speech.sound === 'paused' && (userSpeaks || state.user.turn !== null)
    const queued = speech.voice !== 'asked' || speech.text === '' || state.speeches[0]?.id !== speech.id
    const silent = speech.sound === 'waiting' && queued
    const fed = speech.sound === 'playing' || speech.sound === 'ducked' ? !speech.textEnded : false
    must(held || silent || fed, 'while a speech is heard or made there is a time at which it is given up')
  }
  for (const call of live.calls) {
    const waits = [...live.tasks].some((task) => task.call === call.id)
    must(
      call.kind === 'enter' || waits || call.state === 'made',
      'while a call runs there is a time at which it is given up',
    )
  }
  must(ledger.open, 'while a conversation closes there is a time at which it is closed')
  must(ledger.phase !== 'draining', 'while a conversation drains there is a time at which it closes')
}

function drains(ledger: Ledger, { before, input, commands }: StepFact): void {
  if (before !== 'draining' || ledger.phase === 'draining' || input.type === 'close') return
  const late = ledger.now >= ledger.drainingSince + ledger.settings.limits.drain
  const failed = commands.some(
    (each) => each.type === 'emit' && each.event.type === 'closing' && each.event.reason === 'error',
  )
  if (late || failed) return
  const frame = ledger.state.frames.at(-1)!
  must(!frame.owes.answer && ledger.state.requests.length === 0, 'a drain gives the answers that are owed')
  must(!ledger.user.speaking, 'a drain hears the user out')
}
