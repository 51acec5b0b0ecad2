import type { Item } from '../../src/conversation/history.js'
import type { Command, Id, ReplySource } from '../../src/conversation/protocol.js'
import type { GenerationFact } from './facts.js'
import type { Ledger, StepFact } from './ledger.js'
import { must } from './must.js'

/** Whoever speaks to a conversation is answered. */
export class AnswerCheck {
  /** The words that wait for an answer, and who is giving it. */
  #owed: { readonly text: string; by: GenerationFact | null } | null = null
  /** Words of which somebody has said that they want no answer; and whether the next ones will not. */
  readonly #unwanted = new Map<string, number>()
  #unwantedNext = false
  readonly #hooks = new Map<Id, string>()
  #items = 0
  /** The user has said something since the last answer was begun. */
  #asked = false
  /** The last answer. */
  #last: Id | null = null
  /** One that seems to be given a second time. */
  #again: Id | null = null

  before(_: Ledger, { input }: StepFact): void {
    if (input.type === 'user-text') this.#asked = true
    if (input.type === 'turn-commit') this.#unwantedNext = !input.reply
    if (input.type === 'turn-pass' && !input.reply) this.#refuse(input.text)
    if ('call' in input && this.#hooks.has(input.call)) this.#asked = true
    if (input.type === 'call-end') this.#refuse(this.#hooks.get(input.call) ?? '')
  }

  command(ledger: Ledger, command: Command): void {
    if (command.type === 'emit' && command.event.type === 'reply-start') this.#begins(ledger, command.event)
    if (command.type === 'hook') this.#hooks.set(command.call, command.text ?? '')
    if (command.type === 'call-abort' && this.#hooks.has(command.call)) this.#asked = true
    // what opens has no less to say for having been asked already
    if (command.type === 'generate' && command.opening && command.reply === this.#again) this.#again = null
    if (command.type !== 'emit') return
    if (command.event.type === 'history-item' && command.event.item.type === 'user') this.#asked = true
    if (command.event.type !== 'user-turn-end') return
    if (command.event.reason === 'committed') this.#asked = true
    if (this.#unwantedNext) this.#refuse(command.event.text ?? '')
    this.#unwantedNext = false
  }

  after(ledger: Ledger, step: StepFact): void {
    must(this.#again === null, 'nobody is answered twice')
    this.#committed(ledger, step)
    if (this.#owed !== null) this.#settled(ledger, step)
    if (this.#owed !== null) this.#taken(ledger, step)
    if (this.#owed !== null && this.#owed.by === null) isOwed(ledger)
  }

  atRest(ledger: Ledger): void {
    must(this.#owed === null || ledger.settings.turns === 'model', 'whoever has spoken was answered')
  }

  /** A user's item was added: its words are owed an answer, unless a guess has just given it. */
  #committed(ledger: Ledger, { input, commands }: StepFact): void {
    const { history } = ledger.state
    for (; this.#items < history.length; this.#items++) {
      const item = history[this.#items]!
      if (item.type !== 'user') continue
      const ours = ledger.phase === 'open' && ledger.settings.turns !== 'model'
      const wanted = ours && !this.#isRefused(item.text) && input.type !== 'reply'
      const answers = [...ledger.generations.values()].filter((each) => shows(each.view, item.text))
      const by = answers.find((each) => each.state !== 'cancelled') ?? null
      this.#owed = wanted ? { text: item.text, by } : null
      const last = ledger.state.committed.length === 0 && !history.slice(this.#items + 1).some(isWords)
      if (wanted && last) fittingGuessIsAdopted(ledger, item.text, commands)
    }
  }

  /** Nobody is answered twice, unless nothing of the answer was heard. */
  #begins(ledger: Ledger, { source, reply }: { readonly source: ReplySource; readonly reply: Id }): void {
    if (source !== 'answer' || ledger.settings.turns === 'model') return
    const unheard = this.#last !== null && !wasHeard(ledger, this.#last)
    if (!this.#asked && this.#owed === null && !unheard) this.#again = reply
    this.#asked = false
    this.#last = reply
  }

  #refuse(text: string): void {
    this.#unwanted.set(text, (this.#unwanted.get(text) ?? 0) + 1)
  }

  #isRefused(text: string): boolean {
    const left = this.#unwanted.get(text) ?? 0
    this.#unwanted.set(text, Math.max(0, left - 1))
    return left > 0
  }

  /** A model has been shown the words. */
  #taken(ledger: Ledger, { commands }: StepFact): void {
    const owed = this.#owed!
    for (const command of commands) {
      if (command.type !== 'generate' || !shows(command.view, owed.text)) continue
      if (owed.by !== null && owed.by.state !== 'cancelled') continue
      owed.by = ledger.generations.get(command.generation)!
    }
  }

  #settled(ledger: Ledger, { input }: StepFact): void {
    const owed = this.#owed!
    const state = owed.by?.state
    const given = state === 'ended' || state === 'failed' || (state === 'cancelled' && saidSomething(ledger, owed.by!))
    if (state === 'cancelled') owed.by = null
    const entering = [...ledger.live.calls].some((call) => call.kind === 'enter') && 'reply' in input
    if (given || ledger.phase !== 'open' || input.type === 'interrupt' || entering) this.#owed = null
  }
}

function isOwed({ state, userSpeaks }: Ledger): void {
  const owing = state.frames.some((frame) => frame.owes.answer)
  // whether anything was heard of an answer that was cut is known when the line has said so
  const unknown = state.speeches.some((speech) => speech.sound === 'clearing')
  const goesOn = state.user.turn !== null || userSpeaks || state.committed.length > 0
  must(owing || unknown || goesOn, 'whoever has spoken is answered, is owed an answer, or speaks again')
}

/** Of what was made some was heard or done, or still will be heard. */
function saidSomething(ledger: Ledger, generation: GenerationFact): boolean {
  const { speeches } = ledger.state
  if (speeches.some((speech) => speech.generation === generation.id && speech.sound !== 'clearing')) return true
  if ([...ledger.calls.values()].some((call) => call.generation === generation.id && call.state !== 'made')) return true
  const made = [...ledger.speeches.values()].filter((speech) => speech.generation === generation.id)
  const heard = made.some((speech) => speech.marks.some((mark) => mark.at <= speech.position))
  return heard || (ledger.settings.voice === 'none' && generation.text.trim() !== '')
}

const isWords = ({ type }: Item): boolean => type === 'user'

const shows = (view: GenerationFact['view'], text: string): boolean =>
  view.some((message) => message.role === 'user' && message.text === text)

/** Some of its words were heard. */
function wasHeard(ledger: Ledger, reply: Id): boolean {
  const made = [...ledger.speeches.values()].filter((speech) => speech.reply === reply)
  return made.some((speech) => speech.marks.some((mark) => mark.at <= speech.position))
}

/** Words that were guessed rightly are answered by the guess. */
function fittingGuessIsAdopted(ledger: Ledger, text: string, commands: readonly Command[]): void {
  const fitting = (id: Id) => {
    const generation = ledger.generations.get(id)
    const last = generation?.view.findLast((message) => message.role === 'user')
    return generation?.guess === text && last?.text === text
  }
  const dropped = commands.some((each) => each.type === 'generate-cancel' && fitting(each.generation))
  const changed = commands.some((each) => each.type === 'task-resolve' || each.type === 'task-reject')
  must(!dropped || changed, 'a guess that fits is adopted')
}
