import { ProviderError } from '../api/errors.js'
import type { Running, Spoken, TTS } from '../api/models.js'
import { RateConverter } from '../audio/resample.js'
import { firstAnswer, type Policy } from './attempts.js'
import { Replay } from './replay.js'

/**
 * The sound, at `sampleRate`, of the first voice that speaks. Where it breaks off in the midst of the text and has told what
 * its sound says, the next says the rest.
 */
export function firstVoice(
  voices: readonly TTS[],
  sampleRate: number,
  text: AsyncIterable<string>,
  running: Running,
  policy: Policy,
): AsyncIterable<Spoken> {
  const replay = new Replay(text)
  const said = new Said()
  const attempts = voices.map((voice) => ({
    name: voice.name,
    start: (own: Running) => resampled(said.of(voice, replay, own), voice.sampleRate, sampleRate),
  }))
  return firstAnswer(attempts, running, { ...policy, goesOn: () => said.known, asked: replay.begun })
}

/** ms by which a word may seem to end behind the sound that holds it. */
const slack = 20

/** What voices have said of one text, as far as they tell. */
class Said {
  /** Letters that voices before have said. */
  #letters = 0
  /** What the present one has told that it says, by the ms of its sound at which each has been said. */
  #told: { readonly text: string; readonly end: number }[] = []
  /** ms of its sound. */
  #made = 0

  /** What it has said is known: nothing, or what it has told. */
  get known(): boolean {
    return this.#made === 0 || this.#told.length > 0
  }

  /** The sound that `voice` makes of what is left of the text. Throws when it leaves out the rest. */
  async *of(voice: TTS, text: AsyncIterable<string>, running: Running): AsyncGenerator<Spoken, void, void> {
    for (const { text, end } of this.#told) if (end <= this.#made + slack) this.#letters += lettersIn(text)
    this.#told = []
    this.#made = 0
    const rest = new Rest(text, this.#letters)
    for await (const spoken of voice.speak(rest, running)) {
      if (running.signal.aborted) return // somebody else speaks by now
      this.#note(spoken, (spoken.audio.length / voice.sampleRate) * 1_000)
      yield spoken
    }
    if (running.signal.aborted) return
    if (!rest.ended) throw new ProviderError(`The voice ${voice.name} ended before its text did.`, { retryable: true })
    if (this.#made === 0 && rest.speakable)
      throw new ProviderError(`The voice ${voice.name} made no sound of its text.`, { retryable: true })
  }

  #note({ text, words }: Spoken, duration: number): void {
    for (const word of words ?? []) this.#told.push({ text: word.text, end: this.#made + word.end })
    this.#made += duration
    if (text !== undefined && !words?.length) this.#told.push({ text, end: this.#made })
  }
}

const markup = '</?[a-zA-Z][^<>\\n]{0,200}>'
/** A tag as a whole, which is not said, or a letter. */
const tagOrLetter = new RegExp(`${markup}|[\\p{L}\\p{M}\\p{N}]`, 'gu')
const isTag = (part: string): boolean => part.startsWith('<')

const lettersIn = (text: string): number => [...text.matchAll(tagOrLetter)].filter(([part]) => !isTag(part)).length

/** What is left of a text behind its first letters. */
class Rest implements AsyncIterable<string> {
  ended = false
  speakable = false
  readonly #text: AsyncIterable<string>
  #skip: number

  constructor(text: AsyncIterable<string>, skip: number) {
    this.#text = text
    this.#skip = skip
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, void> {
    for await (const piece of this.#text) {
      const rest = this.#behind(piece)
      if (rest.trim() === '') continue
      this.speakable ||= lettersIn(rest) > 0
      yield rest
    }
    this.ended = true
  }

  #behind(piece: string): string {
    if (this.#skip === 0) return piece
    for (const { 0: part, index } of piece.matchAll(tagOrLetter)) {
      if (isTag(part) || --this.#skip > 0) continue
      // the marks that cling to the last word go with it
      return piece.slice(index + part.length).replace(/^[^\s<\p{L}\p{M}\p{N}]+/u, '')
    }
    return ''
  }
}

async function* resampled(sound: AsyncIterable<Spoken>, rate: number, to: number): AsyncGenerator<Spoken, void, void> {
  if (rate === to) return yield* sound
  const converter = new RateConverter(to)
  for await (const spoken of sound) yield { ...spoken, audio: converter.push({ samples: spoken.audio, rate }) }
  const audio = converter.flush()
  if (audio.length > 0) yield { audio }
}
