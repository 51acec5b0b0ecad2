import type { Input } from '../../src/conversation/protocol.js'
import { must } from './must.js'

/** Counts of words: of each one that was heard, that it was kept, and no more often than it was said. */
export class Words {
  /** Said for certain, and of these what must be kept. */
  readonly #final = new Map<string, number>()
  readonly #owed = new Map<string, Set<number>>()
  /** How many voices there were so far. */
  #voices = 0
  readonly #interim = new Map<string, number>()
  /** Heard again, and not certain yet. */
  readonly #unsure = new Set<string>()
  /** Kept before they were certain: whether what comes later is the same words, nobody can tell. */
  readonly #ahead = new Set<string>()
  readonly #kept = new Map<string, number>()

  hear(input: Input, open: boolean): void {
    switch (input.type) {
      case 'user-speech-start':
        this.#voices += 1
        return
      case 'user-transcript':
        if (input.final) this.#say(input.text, open)
        else this.#guess(input.text)
        return
      case 'user-text':
      case 'turn-commit':
        if (input.text !== null) this.#say(input.text, open)
        return
      case 'reply':
        if (input.userInput !== null) this.#say(input.userInput, open)
        return
      case 'turn-pass':
        this.#guess(input.text)
        this.turnEnds(input.text)
        return
      default:
        return
    }
  }

  /** A turn is over: what was not certain by then may come once more. */
  turnEnds(text: string): void {
    for (const word of split(text)) if (this.#unsure.has(word)) this.#ahead.add(word)
  }

  keep(text: string): void {
    for (const word of split(text)) {
      const count = (this.#kept.get(word) ?? 0) + 1
      this.#kept.set(word, count)
      const finals = this.#final.get(word) ?? 0
      const said = finals + (this.#ahead.has(word) ? (this.#interim.get(word) ?? 0) : 0)
      must(said > 0, 'the history says of the user only what was heard', word)
      must(count <= said, 'no word of the user is in the history more often than it was said', word)
    }
  }

  atEnd(): void {
    for (const [word, voices] of this.#owed) {
      must((this.#kept.get(word) ?? 0) >= voices.size, 'each word that was recognised is in the history', word)
    }
  }

  #guess(text: string): void {
    for (const word of split(text)) {
      this.#interim.set(word, (this.#interim.get(word) ?? 0) + 1)
      this.#unsure.add(word)
    }
  }

  #say(text: string, owed: boolean): void {
    for (const word of split(text)) {
      this.#final.set(word, (this.#final.get(word) ?? 0) + 1)
      this.#unsure.delete(word)
      if (owed) this.#owed.set(word, (this.#owed.get(word) ?? new Set()).add(this.#voices))
    }
  }
}

/** The words by which an utterance is known: they have a number. Spelled as a recogniser always would. */
const split = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((word) => /\d/.test(word))
