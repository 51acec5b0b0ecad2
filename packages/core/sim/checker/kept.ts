import type { Command, ConversationEvent, Id, Input } from '../../src/conversation/protocol.js'
import type { CallFact } from './facts.js'
import type { Ledger, StepFact } from './ledger.js'
import { must } from './must.js'

/** What was asked for and granted is not forgotten: words, replies, agents that take over, tools that want to be told. */
export class KeptCheck {
  /** Replies of the application of which nothing was asked from a voice or a model yet. */
  readonly #pending = new Set<Id>()
  /** Agents that are to take over, by the frame whose agent they follow. */
  readonly #expected = new Map<Id, Set<string>>()
  readonly #returned = new Set<Id>()
  #items = 0
  /** Tools that stop when the words beside them are talked over. */
  #sensitive: readonly CallFact[] = []

  before(ledger: Ledger): void {
    this.#sensitive = [...ledger.live.calls].filter(
      ({ state, traits, held, released }) =>
        state === 'running' && traits?.onInterrupt === 'cancel' && !held && !released,
    )
  }

  command(_: Ledger, command: Command): void {
    if (command.type === 'speak' || command.type === 'generate') this.#pending.delete(command.reply)
  }

  after(ledger: Ledger, step: StepFact): void {
    this.#asked(ledger, step.input)
    this.#dropped(ledger, step)
    this.#handedOver(ledger, step)
    if (ledger.open) this.#toldToStop(ledger, step)
  }

  atRest(ledger: Ledger): void {
    if (!ledger.open) return
    // below a task, who is to take over waits for the task
    const names = this.#expected.get(ledger.state.frames.at(-1)!.id) ?? []
    must([...names].length === 0, 'who is to take over takes over', [...names].join())
  }

  #asked(ledger: Ledger, input: Input): void {
    if (input.type !== 'say' && input.type !== 'reply') return
    const silent = input.type === 'say' && (input.text === null || input.text.trim() === '')
    const reply = ledger.reply(input.reply)
    const begun = [...ledger.generations.values(), ...ledger.speeches.values()].some((each) => each.reply === reply.id)
    if (silent || begun || ledger.settings.voice === 'none' || ledger.refused.has(reply.id)) return
    this.#pending.add(reply.id)
  }

  #dropped(ledger: Ledger, { input, commands, due }: StepFact): void {
    for (const reply of this.#pending) {
      if (ledger.state.replies.some((each) => each.id === reply)) continue
      this.#pending.delete(reply)
      const unwound = commands.some((each) => each.type === 'task-reject')
      const forced = (input.type === 'interrupt' && input.force) || unwound || !ledger.open
      must(forced || !ledger.isProtected(reply), 'what is protected is said', reply)
      const talkedOver = due || mayInterrupt(ledger, input) || userSpoke(ledger, commands)
      must(forced || talkedOver, 'what the application asks for is said, unless somebody interrupts', reply)
    }
  }

  #handedOver({ state, calls, refused, open }: Ledger, { input, commands }: StepFact): void {
    for (; this.#items < state.history.length; this.#items++) {
      const item = state.history[this.#items]!
      // what takes its place further up moves what stands below it: that has been seen
      if (item.type !== 'output' || item.error || item.progress || this.#returned.has(item.call)) continue
      this.#returned.add(item.call)
      const { handoff } = calls.get(item.call)?.outcome ?? { handoff: null }
      const made = state.history.find((each) => each.id === item.call)
      if (handoff !== null && made?.type === 'call') this.#expect(made.frame, handoff.name)
    }
    if (input.type === 'agent-update' && open && !refused.has('agent-update')) {
      this.#expect(state.frames[0]!.id, input.agent.name)
    }
    for (const [id, names] of this.#expected) {
      const frame = state.frames.find((each) => each.id === id)
      // whoever has taken the whole conversation over, out of a task, has taken it from those that were to follow too
      const replaced = commands.some((each) => each.type === 'emit' && isHandOff(each.event, frame?.agent.name))
      if (frame === undefined || names.has(frame.agent.name) || replaced) this.#expected.delete(id)
    }
  }

  #expect(frame: Id, name: string): void {
    const names = this.#expected.get(frame) ?? new Set()
    this.#expected.set(frame, names.add(name))
  }

  #toldToStop(ledger: Ledger, { input, commands }: StepFact): void {
    const elsewise = commands.some(
      (each) => each.type === 'emit' && (each.event.type === 'agent-change' || each.event.type === 'error'),
    )
    if (!mayInterrupt(ledger, input) || elsewise) return
    const cut = new Set(commands.map((command) => cutBy(ledger, command)))
    for (const call of this.#sensitive) {
      const talkedOver = call.reply !== null && cut.has(call.reply)
      must(
        !talkedOver || call.state !== 'running',
        'a tool that asks for it is told when its words are talked over',
        call.id,
      )
    }
  }
}

const isHandOff = (event: ConversationEvent, to: string | undefined): boolean =>
  event.type === 'agent-change' && event.cause === 'handoff' && event.to === to

/** Words of the user's take effect late, when an agent that nobody may talk over has ended. */
function userSpoke({ state }: Ledger, commands: readonly Command[]): boolean {
  const ended = commands.some((each) => each.type === 'emit' && each.event.type === 'user-turn-end')
  return ended || (state.user.turn !== null && state.user.turn.text + state.user.turn.interim !== '')
}

function mayInterrupt(ledger: Ledger, input: Input): boolean {
  const { type } = input
  // a user who goes on over protected words cuts in on them once they are protected no more
  if (type === 'reply-protect') return input.interruptible && ledger.userSpeaks
  return type === 'interrupt' || type === 'tick' || type.startsWith('user-') || type.startsWith('turn-')
}

/** The reply that a command takes the word from, for no failure of its own. */
function cutBy(ledger: Ledger, command: Command): Id | null {
  if (command.type === 'generate-cancel') {
    const generation = ledger.generations.get(command.generation)
    return generation?.state === 'cancelled' && generation.guess === null ? generation.reply : null
  }
  if (command.type !== 'clear') return null
  const speech = ledger.speeches.get(command.speech)!
  return speech.voice === 'failed' || ledger.overdue(speech) ? null : speech.reply
}
