import type { Item } from '../../src/conversation/history.js'
import type { Command, Id } from '../../src/conversation/protocol.js'
import type { GenerationFact } from './facts.js'
import type { Ledger } from './ledger.js'
import { must } from './must.js'

function sawAll(ledger: Ledger, id: Id): void {
  const unseen = ledger.generations.get(id)?.unseen ?? null
  must(unseen === null, 'what was guessed is meant only if nothing has happened since', `${id} ${unseen}`)
}

/**
 * Keeps account of who guesses: a request that shows words of the user which no turn has brought yet, or one for an
 * agent that does not have the conversation yet.
 */
export class Guesses {
  readonly #open = new Set<GenerationFact>()
  #items = 0
  #turns = 0

  /** A guess is adopted by the very words that it answers, or by its agent's taking over. */
  before(ledger: Ledger): void {
    const { history } = ledger.state
    for (; this.#items < history.length; this.#items++) {
      const item = history[this.#items]!
      if (item.type !== 'user') continue
      this.#turns += 1
      for (const guess of this.#open)
        if (guess.guess === item.text && guess.state !== 'cancelled') this.#adopt(ledger, guess)
    }
    for (const guess of this.#open) {
      if (guess.state === 'cancelled') this.#open.delete(guess)
      else if (guess.guess === '' && guess.agent === ledger.top.id) this.#adopt(ledger, guess)
    }
  }

  command(ledger: Ledger, command: Command): void {
    if (command.type === 'speak' && command.generation !== null) sawAll(ledger, command.generation)
    if (command.type === 'call') sawAll(ledger, ledger.calls.get(command.call)?.generation ?? '')
    if (command.type !== 'generate') return
    const fact = ledger.generations.get(command.generation)!
    const shown = command.view.filter((message) => message.role === 'user')
    if (shown.length > this.#turns) fact.guess = shown.at(-1)!.text
    else if (command.agent !== ledger.top.id) fact.guess = ''
    if (fact.guess !== null) this.#open.add(fact)
  }

  after(): void {
    const live = [...this.#open].filter((guess) => guess.state === 'open' || guess.state === 'ended')
    must(live.filter((guess) => guess.state === 'open').length <= 1, 'one guess at a time')
  }

  #adopt(ledger: Ledger, guess: GenerationFact): void {
    // what came of a call that it was not shown is nothing to it; of one that it believes to run it would have to know
    const isNews = (item: Item): boolean =>
      (item.type === 'user' && item.text !== guess.guess) ||
      (item.type === 'output' &&
        !replaces(ledger, guess, item.call) &&
        guess.view.some((shown) => shown.role === 'output' && shown.call === item.call && shown.running))
    const news = ledger.state.history.filter((item) => item.at > guess.at)
    guess.unseen = news.find(isNews)?.id ?? null
    guess.guess = null
    if (guess.text.trim() !== '') guess.said = ledger.steps
    this.#open.delete(guess)
  }
}

/** What a guess replaces itself is no news to it. */
const replaces = ({ calls }: Ledger, guess: GenerationFact, id: Id): boolean =>
  [...calls.values()].some(
    ({ generation, name, traits }) =>
      generation === guess.id && traits?.duplicates === 'replace' && name === calls.get(id)?.name,
  )
