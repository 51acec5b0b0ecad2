import type { Command, Id } from '../../src/conversation/protocol.js'
import type { CallFact } from './facts.js'
import type { Ledger, StepFact } from './ledger.js'
import { must } from './must.js'

/** Tools, tasks and hooks: what was begun is seen through. */
export class WorkCheck {
  /** Tasks that hold the conversation, outermost first, as of the last step. */
  #stack: Id[] = []
  readonly #hooked = new Map<string, number>()

  command(ledger: Ledger, command: Command, step: StepFact): void {
    switch (command.type) {
      case 'call':
        return begins(ledger, ledger.calls.get(command.call))
      case 'hook':
        must(!ledger.calls.has(command.call), 'a hook runs once')
        this.#entersOnce(ledger, command)
        must(ledger.open || command.hook === 'exit', 'while closing only exit hooks run')
        return
      case 'call-abort':
        return aborts(ledger, command, step)
      case 'task-resolve':
      case 'task-reject':
        return this.#settles(ledger, command)
      default:
        return
    }
  }

  after(ledger: Ledger): void {
    const { frames, calls } = ledger.state
    must(frames.length >= 1 && frames[0]!.task === null, 'the first agent carries out no task')
    const stack: Id[] = []
    for (const frame of frames.slice(1)) {
      const task = frame.task === null ? undefined : ledger.tasks.get(frame.task.id)
      must(task !== undefined && task.state !== 'settled', 'an inner agent carries out a task that has not settled')
      must(ledger.live.calls.has(ledger.calls.get(task.call)!), 'a task lives within its call')
      must(
        calls.some((call) => call.id === task.call),
        'a task lives within its call',
      )
      task.state = 'holding'
      ledger.calls.get(task.call)!.held = true
      stack.push(task.id)
    }
    if (stack.length > this.#stack.length) beginsInSilence(ledger)
    this.#stack = stack
    writtenOff(ledger)
    for (const call of calls) {
      if (call.kind === 'tool' && call.status === 'running') {
        must(ledger.live.calls.has(ledger.calls.get(call.id)!), 'the state does not keep a call that is over', call.id)
      }
    }
    tasksGoOn(ledger)
    onlyTheTopThinks(ledger)
  }

  atRest(ledger: Ledger): void {
    must(ledger.state.frames.at(-1)!.waiting.length === 0, 'a task that was asked for begins, or is refused')
  }

  atEnd(ledger: Ledger): void {
    must(ledger.live.tasks.size === 0, 'every task settles')
  }

  /** An agent enters once and leaves once, each time that it takes the conversation. */
  #entersOnce(ledger: Ledger, { hook, agent: id }: Extract<Command, { type: 'hook' }>): void {
    if (hook === 'turn') return
    const key = `${hook} ${id}`
    const times = (this.#hooked.get(key) ?? 0) + 1
    this.#hooked.set(key, times)
    const name = ledger.agents.get(id)?.name
    const taken = ledger.state.history.filter(
      (item) => item.type === 'agent' && item.cause !== 'return' && item.agent === name,
    )
    must(times <= taken.length, 'an agent enters once and leaves once', key)
  }

  #settles(ledger: Ledger, command: Extract<Command, { type: 'task-resolve' | 'task-reject' }>): void {
    const task = ledger.tasks.get(command.task)
    must(task !== undefined, 'only tasks that were asked for settle')
    must(task.state !== 'settled', 'a task settles once')
    const place = this.#stack.indexOf(task.id)
    if (place >= 0) {
      const inner = this.#stack.slice(place + 1)
      must(
        inner.every((id) => ledger.tasks.get(id)!.state === 'settled'),
        'inner tasks settle before outer ones',
      )
    }
    if (command.type === 'task-reject') return
    must(task.result !== null && task.result.error === null, 'a task resolves with the result that it was given')
  }
}

function begins(ledger: Ledger, call: CallFact | undefined): void {
  must(call?.state === 'made', 'a call that a model made runs once')
  must(ledger.open, 'while closing no call is started')
  const generation = ledger.generations.get(call.generation!)!
  must(generation.guess === null, 'a guess calls no tool')
  must(generation.tools !== 'none', 'a model that was offered no tools calls none')
  const sure = !ledger.user.speaking || call.traits?.effect !== 'irreversible'
  must(sure, 'what cannot be undone does not begin while the user speaks')
}

function aborts(
  ledger: Ledger,
  command: Extract<Command, { type: 'call-abort' }>,
  { input, commands }: StepFact,
): void {
  const call = ledger.calls.get(command.call)
  must(call?.state === 'running', 'only a running call is told to stop, and once')
  const unwinds = commands.some((each) => each.type === 'task-reject' || each.type === 'task-resolve')
  switch (command.because) {
    case 'interrupted':
      must(call.traits?.onInterrupt === 'cancel', 'an interruption stops no tool that does not ask for it')
      return must(!call.held, 'while a task of it has held the conversation no interruption stops a tool')
    case 'timeout':
      return must(input.type === 'tick' || ledger.now > call.at, 'a call has its time')
    case 'closing':
      return must(ledger.phase === 'closing' || ledger.phase === 'closed', 'a drain waits for its tools')
    case 'cancelled': {
      const asked = input.type === 'call-cancel' && input.call === command.call
      must(!asked || call.traits?.cancellable === true, 'only a tool that says so can be cancelled')
      const wanted =
        ['call-cancel', 'model-call'].includes(input.type) ||
        unwinds ||
        commands.some((each) => each.type === 'call') ||
        call.kind !== 'tool'
      return must(
        wanted || input.type === 'agent-update',
        'a tool is cancelled by who wants it cancelled, and by nobody else',
      )
    }
  }
}

/** A task takes the conversation when nothing more is to be heard of whoever asked for it. */
function beginsInSilence(ledger: Ledger): void {
  const asker = ledger.state.frames.at(-2)!.agent.id
  for (const speech of ledger.live.speeches) {
    must(speech.agent !== asker, 'a task begins when the words of whoever asked for it were heard', speech.id)
  }
}

/** Work is given up only after it was told to stop. */
function writtenOff(ledger: Ledger): void {
  for (const call of ledger.live.calls) {
    if (ledger.state.calls.some((each) => each.id === call.id)) continue
    must(
      call.state === 'aborting' || ledger.phase === 'closed',
      'a call is given up only after it was told to stop',
      call.id,
    )
    ledger.live.calls.delete(call)
  }
}

/** A task that may begin begins; one that has its result returns. */
function tasksGoOn(ledger: Ledger): void {
  const { state } = ledger
  if (!ledger.open) return
  const frame = state.frames.at(-1)!
  const quiet = ![...ledger.live.speeches].some((speech) => speech.sound !== 'over') && state.speeches.length === 0
  const idle = quiet && ledger.live.generations.size === 0 && frame.leaving === null && state.committed.length === 0
  const floorIsFree = !ledger.userSpeaks && state.user.turn === null
  if (!idle) return
  const first = frame.waiting[0]
  const answersFirst = first?.after === true && frame.owes.answer
  must(first === undefined || answersFirst || !floorIsFree, 'a task that may begin begins')
  const works = state.calls.some((call) => call.frame === frame.id && call.kind !== 'turn')
  must(frame.result === null || frame.task === null || works || !floorIsFree, 'a task that has its result returns')
}

function onlyTheTopThinks(ledger: Ledger): void {
  const waiting = ledger.state.frames.at(-1)!.waiting[0]?.agent.id
  for (const generation of ledger.live.generations) {
    if (generation.agent === null || !ledger.open) continue
    const top = generation.agent === ledger.top.id
    must(
      top || generation.agent === waiting,
      'only the agent that has the conversation thinks, or the one that is about to',
    )
  }
}
