import { Channel } from '../audio/flow.js'
import { SentenceSplitter } from './sentences.js'

/** Text on its way to a voice: goes in as it is made, comes out in pieces that can be spoken. Read by one reader. */
export class TextStream implements AsyncIterable<string> {
  readonly #splitter = new SentenceSplitter()
  readonly #pieces = new Channel<string>()

  push(text: string): void {
    this.#pass(this.#splitter.push(text))
  }

  /** What is there is a passage of its own: it is spoken without waiting for the end of its sentence. */
  flush(): void {
    this.#pass(this.#splitter.flush())
  }

  end(): void {
    this.flush()
    this.#pieces.end()
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.#pieces[Symbol.asyncIterator]()
  }

  #pass(pieces: readonly string[]): void {
    for (const piece of pieces) this.#pieces.push(piece)
  }
}
