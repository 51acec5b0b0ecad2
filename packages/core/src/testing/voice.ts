import { ProviderError } from '../api/errors.js'
import type { Running, Spoken, TTS } from '../api/models.js'
import type { VirtualClock } from './clock.js'
import { forever, type Mutable, wordsBefore } from './llm.js'
import { layOut, type SpokenWord, soundOf } from './sound.js'

/** How a scripted voice speaks. ms. */
export interface VoiceTiming {
  /** From the text to its first sound. */
  readonly firstByte?: number
  /** How long the sound of a text is: for every text, by text (or by its beginning), or by a function. */
  readonly duration?: number | Readonly<Record<string, number>> | ((text: string) => number | undefined)
  /** How long a word is, where no duration is given. Default 400. */
  readonly perWord?: number
  /** How many times faster than it sounds the sound is made. Default: all of it at once. */
  readonly speed?: number
}

/** What a voice does otherwise with some texts. */
export interface VoiceTake extends VoiceTiming {
  /** Only when the text begins with, holds or fits this. */
  readonly when?: string | RegExp
  /** How often it applies. Default: always. */
  readonly times?: number
  /** Fails: with this error, or with a `ProviderError` of this message. */
  readonly error?: Error | string
  /** Words that sound before the error. Default 0. */
  readonly errorAfter?: number
  /** Goes silent for ever: at once (`true`), or after so many words. */
  readonly stall?: boolean | number
  /** Goes on after it was told to stop. */
  readonly ignoresSignal?: boolean
}

export interface ScriptedTTSOptions extends VoiceTiming {
  readonly clock: VirtualClock
  readonly name?: string
  /** Whether it waits for the whole text, or speaks piece by piece as the sentences come. Default `'sentence'`. */
  readonly waitsFor?: 'text' | 'sentence'
  /** What it tells of its sound: the time of each word (default), the text of each piece, or nothing. */
  readonly aligned?: 'words' | 'text' | 'nothing'
  readonly takes?: readonly VoiceTake[]
  /** Hz. Default 8,000. */
  readonly sampleRate?: number
}

/** One text that a scripted voice was given, and what became of it. */
export interface VoiceRequest {
  readonly voice: string
  readonly at: number
  readonly end: number | null
  /** The text so far. */
  readonly text: string
  /** ms of sound made of it. */
  readonly made: number
  readonly outcome: 'running' | 'done' | 'aborted' | 'failed'
}

export interface ScriptedTTS extends TTS {
  readonly requests: readonly VoiceRequest[]
}

/**
 * A voice whose sound is as long as it is told to be, and in which a `TestLine` can read the words.
 *
 * ```ts
 * const tts = scriptedTTS({ clock, firstByte: 200, duration: { 'One moment.': 1_000 }, perWord: 400 })
 * const broken = scriptedTTS({ clock, takes: [{ times: 1, error: 'no voice', firstByte: 800 }] })
 * const deaf = scriptedTTS({ clock, takes: [{ when: 'To Rome', ignoresSignal: true, speed: 1 }] })
 * ```
 */
export function scriptedTTS(options: ScriptedTTSOptions): ScriptedTTS {
  return speaker(options, () => options)
}

/** A voice that asks for each text how it is spoken. */
export function speaker(
  { clock, name = 'scripted voice', sampleRate = 8_000 }: Pick<ScriptedTTSOptions, 'clock' | 'name' | 'sampleRate'>,
  manner: () => Omit<ScriptedTTSOptions, 'clock'>,
): ScriptedTTS {
  const requests: Mutable<VoiceRequest>[] = []
  const used = new Map<VoiceTake, number>()
  const takeFor = (text: string): VoiceTake => {
    const take = manner().takes?.find(
      (each) => fits(each.when, text) && (used.get(each) ?? 0) < (each.times ?? Infinity),
    )
    if (take) used.set(take, (used.get(take) ?? 0) + 1)
    return { ...manner(), ...take }
  }
  return {
    name,
    sampleRate,
    requests,
    async *speak(text, running) {
      const request: Mutable<VoiceRequest> = {
        voice: name,
        at: clock.now(),
        end: null,
        text: '',
        made: 0,
        outcome: 'running',
      }
      requests.push(request)
      const close = (outcome: VoiceRequest['outcome']) => {
        if (request.outcome === 'running') Object.assign(request, { outcome, end: clock.now() })
      }
      // whoever goes on regardless is not waited for
      running.signal.addEventListener('abort', () => close('aborted'), { once: true })
      try {
        let mouth: Mouth | undefined
        const { waitsFor = 'sentence', aligned = 'words' } = manner()
        for await (const piece of waitsFor === 'text' ? whole(text) : text) {
          request.text += piece
          mouth ??= new Mouth({ clock, sampleRate, aligned }, takeFor(piece), request, running)
          yield* mouth.say(piece)
        }
        close('done')
      } catch (error) {
        close(running.signal.aborted ? 'aborted' : 'failed')
        throw error
      } finally {
        close('aborted')
      }
    },
  }
}

/** Speaks the pieces of one text, one after another. */
class Mouth {
  readonly #make: {
    readonly clock: VirtualClock
    readonly sampleRate: number
    readonly aligned: 'words' | 'text' | 'nothing'
  }
  readonly #take: VoiceTake
  readonly #request: Mutable<VoiceRequest>
  readonly #signal: AbortSignal | undefined
  #words = 0
  /** When it is free for the next piece. */
  #free = 0

  constructor(
    make: { clock: VirtualClock; sampleRate: number; aligned: 'words' | 'text' | 'nothing' },
    take: VoiceTake,
    request: Mutable<VoiceRequest>,
    { signal }: Running,
  ) {
    this.#make = make
    this.#take = take
    this.#request = request
    this.#signal = take.ignoresSignal ? undefined : signal
  }

  async *say(piece: string): AsyncGenerator<Spoken> {
    const { clock, aligned } = this.#make
    const begins = Math.max(clock.now() + (this.#take.firstByte ?? 0), this.#free)
    const words = wordsOf(piece, this.#take, aligned)
    const { speed = Infinity } = this.#take
    await this.#until(begins)
    for (const part of this.#parts(words, speed)) {
      await this.#until(begins + (part[0]?.start ?? 0) / speed)
      if (part.length > 0) yield this.#sound(part)
      await this.#faults()
    }
    this.#free = begins + (words.at(-1)?.end ?? 0) / speed
  }

  /** Words that come together, up to where something goes wrong. */
  #parts(words: readonly SpokenWord[], speed: number): SpokenWord[][] {
    const failing = Math.min(
      wordsBefore(this.#take.stall),
      this.#take.error === undefined ? Infinity : (this.#take.errorAfter ?? 0),
    )
    const good = words.slice(0, Math.max(0, failing - this.#words))
    const parts = speed === Infinity ? [good] : good.map((word) => [word])
    return good.length < words.length && parts.length === 0 ? [[]] : parts
  }

  #sound(words: readonly SpokenWord[]): Spoken {
    const { sampleRate, aligned } = this.#make
    const from = words[0]!.start
    const samples = (ms: number) => Math.round((ms * sampleRate) / 1_000)
    const audio = new Int16Array(samples(words.at(-1)!.end - from))
    for (const { text, start, end } of words)
      audio.set(soundOf(text, samples(end - from) - samples(start - from)), samples(start - from))
    this.#words += words.length
    this.#request.made += words.at(-1)!.end - from
    const text = words.map((word) => word.text).join('')
    if (aligned === 'nothing') return { audio }
    if (aligned === 'text') return { audio, text }
    return {
      audio,
      text,
      words: words.map((word) => ({ text: word.text.trim(), start: word.start - from, end: word.end - from })),
    }
  }

  async #faults(): Promise<void> {
    const { error, errorAfter = 0 } = this.#take
    if (this.#words === wordsBefore(this.#take.stall)) await forever(this.#signal)
    if (error === undefined || this.#words < errorAfter) return
    throw error instanceof Error ? error : new ProviderError(error)
  }

  async #until(time: number): Promise<void> {
    await this.#make.clock.sleep(time - this.#make.clock.now(), this.#signal)
  }
}

function wordsOf(
  text: string,
  { duration, perWord = 400 }: VoiceTiming,
  aligned: ScriptedTTSOptions['aligned'],
): SpokenWord[] {
  const given = durationOf(text.trim(), duration)
  if (given !== undefined) return layOut(text, given, 'syllables')
  // where only the text of a piece is told, its words are taken to be as long as their syllables
  return layOut(text, (text.match(/\S+/g) ?? []).length * perWord, aligned === 'text' ? 'syllables' : 'words')
}

function durationOf(text: string, duration: VoiceTiming['duration']): number | undefined {
  if (typeof duration === 'number') return duration
  if (typeof duration === 'function') return duration(text)
  if (duration === undefined) return undefined
  const key =
    Object.keys(duration).find((each) => each === text) ?? Object.keys(duration).find((each) => text.startsWith(each))
  return key === undefined ? undefined : duration[key]
}

const fits = (pattern: string | RegExp | undefined, text: string): boolean =>
  pattern === undefined || (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text))

async function* whole(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  if (text.trim() !== '') yield text
}
