import type { Command, Id, Input } from '../src/conversation/protocol.js'

interface Due {
  readonly at: number
  readonly input: Input
}

const answer = ['The table by the window ', 'is free at eight. ', 'Shall I keep it for you?']
const traits = {
  key: '',
  duplicates: 'allow',
  onInterrupt: 'continue',
  announce: 'always',
  cancellable: false,
  effect: 'repeatable',
  timeout: 60_000,
} as const

/**
 * Plays the world to a conversation that goes on for ever: the caller asks, the model answers, each third time after a look into
 * a tool, and each fifth time the caller talks over the answer.
 */
export class Exchange {
  #now = 0
  #turns = 0
  #calls = 0
  #wake: number | null = null
  readonly #due: Due[] = [{ at: 0, input: { type: 'start' } }]
  readonly #texts = new Map<Id, string>()

  /** What happens next. */
  next(): { readonly now: number; readonly input: Input } {
    if (this.#due.length === 0 && this.#wake === null) this.#ask(this.#now + 1_000)
    const first = this.#due[0]
    if (this.#wake !== null && (!first || this.#wake <= first.at)) {
      this.#now = Math.max(this.#now, this.#wake)
      this.#wake = null
      return { now: this.#now, input: { type: 'tick' } }
    }
    this.#due.shift()
    this.#now = first!.at
    return { now: this.#now, input: first!.input }
  }

  /** What the world does about it. */
  perform(commands: readonly Command[]): void {
    for (const command of commands) this.#perform(command)
  }

  #perform(command: Command): void {
    switch (command.type) {
      case 'wake':
        this.#wake = command.at
        return
      case 'generate':
        return this.#think(command.generation)
      case 'call':
        return this.#later(300, { type: 'call-end', call: command.call, outcome: found })
      case 'speak':
        this.#texts.set(command.speech, '')
        return
      case 'speak-text':
        return this.#voice(command.speech, command.text)
      case 'speak-end':
        return this.#later(120, { type: 'voice-end', speech: command.speech, duration: this.#length(command.speech) })
      case 'play':
        return this.#play(command.speech)
      case 'clear':
        return this.#cut(command.speech)
      default:
    }
  }

  #ask(at: number): void {
    this.#turns += 1
    this.#put(at, { type: 'user-speech-start', at: at - 60 })
    for (let voiced = 100; voiced <= 800; voiced += 100)
      this.#put(at + voiced, { type: 'user-speech-progress', voiced })
    this.#put(at + 500, { type: 'user-transcript', text: 'is there', final: false })
    this.#put(at + 900, { type: 'user-transcript', text: `is there a table at eight for ${this.#turns}`, final: true })
    this.#put(at + 1_000, { type: 'user-speech-end', silence: 200 })
  }

  #think(generation: Id): void {
    if (this.#turns % 3 === 0 && this.#calls < this.#turns / 3) {
      this.#calls += 1
      const call = `call${this.#calls}`
      this.#later(200, { type: 'model-call', generation, call, name: 'look', args: '{"at":"20:00"}', traits })
    } else {
      answer.forEach((text, index) => this.#later(200 + 40 * index, { type: 'model-text', generation, text }))
    }
    this.#later(400, { type: 'model-end', generation })
  }

  #voice(speech: Id, text: string): void {
    const said = this.#texts.get(speech) ?? ''
    if (said === '') this.#later(80, { type: 'voice-start', speech })
    this.#texts.set(speech, said + text)
    for (const { index } of text.matchAll(/\s|$/g)) {
      const chars = said.length + index
      this.#later(100, { type: 'voice-mark', speech, chars, at: chars * msPerChar })
    }
  }

  #play(speech: Id): void {
    const overTalked = this.#turns % 5 === 0
    for (let position = 400; position < answerLength; position += 400) {
      this.#later(position, { type: 'playout-position', speech, position })
    }
    this.#later(answerLength, { type: 'playout-end', speech, position: answerLength, cleared: false })
    if (overTalked) this.#ask(this.#now + 1_000)
  }

  #cut(speech: Id): void {
    const left = this.#due.filter(({ input }) => !('speech' in input && input.speech === speech))
    this.#due.splice(0, this.#due.length, ...left)
    this.#later(20, { type: 'playout-end', speech, position: 1_500, cleared: true })
  }

  #length(speech: Id): number {
    return (this.#texts.get(speech) ?? '').length * msPerChar
  }

  #later(delay: number, input: Input): void {
    this.#put(this.#now + delay, input)
  }

  #put(at: number, input: Input): void {
    let index = this.#due.length
    while (index > 0 && this.#due[index - 1]!.at > at) index -= 1
    this.#due.splice(index, 0, { at, input })
  }
}

const msPerChar = 60
const answerLength = answer.join('').length * msPerChar
const found = { output: '{"table":4}', error: false, silent: false, handoff: null } as const
