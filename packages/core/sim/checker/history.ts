import type { AssistantItem, Item } from '../../src/conversation/history.js'
import type { Id } from '../../src/conversation/protocol.js'
import type { SpeechFact } from './facts.js'
import type { Ledger, StepFact } from './ledger.js'
import { must } from './must.js'
import { Words } from './words.js'

/** The history is what happened, in the order in which it could be heard, and nothing else. */
export class HistoryCheck {
  readonly words = new Words()
  readonly #items: Item[] = []
  /** What must not change, where an item may. */
  readonly #texts = new Map<Id, string>()
  readonly #growing = new Set<AssistantItem>()
  readonly #outputs = new Map<Id, number>()
  readonly #calls = new Set<Id>()

  before(_: Ledger, { input, commands, before }: StepFact): void {
    this.words.hear(input, before === 'open' || before === 'draining')
    for (const command of commands) {
      if (command.type === 'emit' && command.event.type === 'user-turn-end')
        this.words.turnEnds(command.event.text ?? '')
    }
  }

  after(ledger: Ledger): void {
    const { history } = ledger.state
    const known = this.#items.length
    must(history.length >= known && history[known - 1] === this.#items[known - 1], 'the history only grows')
    must(history.length - known < 50, 'the history grows in bounded steps')
    for (let i = known; i < history.length; i++) this.#add(ledger, history[i]!)
    for (const item of this.#growing) this.#grows(ledger, item)
  }

  /** All of it once more: nothing in the middle was touched. */
  whole(ledger: Ledger): void {
    const { history } = ledger.state
    for (let i = 0; i < this.#items.length; i++) {
      must(history[i] === this.#items[i], 'the history is never rewritten or reordered')
      const item = history[i]!
      if ('text' in item && item.type !== 'assistant') {
        must(this.#texts.get(item.id) === item.text, 'what stands in the history does not change')
      } else if (item.type === 'assistant' && !this.#growing.has(item)) {
        must(this.#texts.get(item.id) === item.text, 'what was heard does not change')
      }
    }
  }

  atEnd(ledger: Ledger): void {
    this.whole(ledger)
    this.words.atEnd()
    must(this.#growing.size === 0, 'it is known of every answer what was heard')
    for (const call of this.#calls)
      must(this.#outputs.get(call) === 1, 'every call in the history has exactly one output')
  }

  #add(ledger: Ledger, item: Item): void {
    const last = this.#items.at(-1)
    must(last === undefined || item.at >= last.at, 'times in the history never decrease')
    must(item.at <= ledger.now, 'nothing is in the history before it happened')
    must(!this.#texts.has(item.id), 'each item in the history has an id of its own')
    this.#items.push(item)
    this.#texts.set(item.id, 'text' in item ? item.text : '')
    switch (item.type) {
      case 'user':
        must(item.text.trim() !== '', 'an empty turn is not in the history')
        return this.words.keep(item.text)
      case 'overheard':
        this.words.turnEnds(item.text)
        return this.words.keep(item.text)
      case 'assistant':
        return this.#placed(ledger, item)
      case 'call':
        must(!this.#calls.has(item.id), 'a call is in the history once')
        must(ledger.calls.has(item.id), 'a call in the history is one that a model made')
        this.#calls.add(item.id)
        return
      case 'output':
        must(this.#calls.has(item.call), 'an output stands behind its call')
        if (!item.progress) this.#outputs.set(item.call, (this.#outputs.get(item.call) ?? 0) + 1)
        must((this.#outputs.get(item.call) ?? 0) <= 1, 'a call has one output')
        return
      case 'agent':
        must(
          [...ledger.agents.values()].some((agent) => agent.name === item.agent),
          'only agents that exist take over',
        )
    }
  }

  #placed(ledger: Ledger, item: AssistantItem): void {
    this.#growing.add(item)
    const speech = ledger.speeches.get(item.id)
    if (ledger.settings.voice !== 'none') {
      must(speech?.played === ledger.now, 'an answer takes its place when its sound begins')
      must(ledger.replies.get(speech.reply)?.record ?? true, 'what is not to be recorded is not')
    }
    const generation = speech?.generation ? ledger.generations.get(speech.generation) : undefined
    if (generation === undefined) return
    const other = [...ledger.speeches.values()].some((each) => each !== speech && each.generation === generation.id)
    if (other) return
    for (const id of this.#calls) {
      const call = ledger.calls.get(id)!
      must(
        !call.beside || call.generation !== generation.id,
        'an answer stands before the calls that were made beside it',
        id,
      )
    }
  }

  /** The text is what was heard, at every moment. */
  #grows(ledger: Ledger, item: AssistantItem): void {
    const before = this.#texts.get(item.id)!
    must(item.text.startsWith(before), 'what was heard only grows')
    this.#texts.set(item.id, item.text)
    const speech = ledger.speeches.get(item.id)
    if (speech !== undefined) {
      const whole = wholeText(ledger, speech)
      const heard = heardText(speech, whole)
      must(item.text === heard, 'the history claims what the line says was heard, no more and no less')
      if (item.done) {
        must(speech.sound === 'over', 'nothing final is said of a speech before its end')
        must(
          item.interrupted === item.text.length < whole.trim().length,
          'an answer is marked as cut if, and only if, it was',
        )
      }
    }
    if (item.done) this.#growing.delete(item)
    else must(speech?.sound !== 'over', 'when a speech is over it is said what was heard of it')
  }
}

/** All that was given to the voice; a model with a voice of its own says what it writes. */
function wholeText(ledger: Ledger, speech: SpeechFact): string {
  const own = ledger.settings.voice === 'model' && speech.generation !== null
  return own ? (ledger.generations.get(speech.generation!)?.text ?? '') : speech.text
}

function heardText(speech: SpeechFact, whole: string): string {
  if (speech.end !== null && !speech.end.cleared) return whole.trim()
  let chars = 0
  for (const mark of speech.marks) if (mark.at <= speech.position) chars = Math.max(chars, mark.chars)
  return whole.slice(0, chars).trim()
}
