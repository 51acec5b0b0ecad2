import { UsageError } from '../api/errors.js'
import type { Audio, LLM, Spoken, STT, TTS } from '../api/models.js'
import { RateConverter } from '../audio/resample.js'
import { type AttemptOptions, firstAnswer } from './attempts.js'
import { Replay } from './replay.js'

type Several<Provider> = readonly [Provider, ...Provider[]]

/**
 * The first of several that answers: each is asked when the one before it has failed before it had begun to answer. Speech
 * recognisers hear without end: when the stream of one breaks, the session opens the next, and the first again after the last.
 *
 * @throws {UsageError} when there are none, or they are not of one kind.
 */
export function fallback(llms: Several<LLM>, options?: AttemptOptions): LLM
export function fallback(voices: Several<TTS>, options?: AttemptOptions): TTS
export function fallback(recognisers: Several<STT>): STT
export function fallback(providers: Several<LLM | TTS | STT>, options: AttemptOptions = {}): LLM | TTS | STT {
  const policy = { ...options, delay: () => 0, mayHelp: () => true }
  if (all(providers, 'generate')) return fallbackModel(providers as Several<LLM>, policy)
  if (all(providers, 'speak')) return fallbackVoice(providers as Several<TTS>, policy)
  if (all(providers, 'transcribe')) return fallbackEar(providers as Several<STT>)
  throw new UsageError(
    'fallback([first, second, …]) needs language models, or voices, or speech recognisers, of one kind',
  )
}

const all = (providers: readonly object[], member: string): boolean =>
  providers.length > 0 && providers.every((provider) => member in provider)

const nameOf = (providers: readonly { readonly name: string }[]): string =>
  providers.map(({ name }) => name).join(', else ')

type Policy = Parameters<typeof firstAnswer>[2]

function fallbackModel(llms: Several<LLM>, policy: Policy): LLM {
  return {
    name: nameOf(llms),
    generate(request, { signal }) {
      const attempts = llms.map((llm) => ({
        name: llm.name,
        start: (own: AbortSignal) => llm.generate(request, { signal: own }),
      }))
      return firstAnswer(attempts, signal, policy)
    },
  }
}

/** The voices are heard at the rate of the first. */
function fallbackVoice(voices: Several<TTS>, policy: Policy): TTS {
  const [{ sampleRate }] = voices
  return {
    name: nameOf(voices),
    sampleRate,
    speak(text, { signal }) {
      const replay = new Replay(text)
      const attempts = voices.map((voice) => ({
        name: voice.name,
        start: (own: AbortSignal) => resampled(voice, voice.speak(replay, { signal: own }), sampleRate),
      }))
      return firstAnswer(attempts, signal, policy)
    },
  }
}

async function* resampled({ sampleRate: rate }: TTS, sound: AsyncIterable<Spoken>, to: number): AsyncGenerator<Spoken> {
  if (rate === to) return yield* sound
  const converter = new RateConverter(to)
  for await (const spoken of sound) yield { ...spoken, audio: converter.push({ samples: spoken.audio, rate }) }
  const audio = converter.flush()
  if (audio.length > 0) yield { audio }
}

/** They are given sound at the rate of the first. */
function fallbackEar(recognisers: Several<STT>): STT {
  const [{ sampleRate }] = recognisers
  let turn = 0
  return {
    name: nameOf(recognisers),
    sampleRate,
    async *transcribe(audio, running) {
      const stt = recognisers[turn % recognisers.length] ?? recognisers[0]
      try {
        yield* stt.transcribe(stt.sampleRate === sampleRate ? audio : heardAt(stt.sampleRate, audio), running)
      } catch (error) {
        turn += 1
        throw error
      }
    },
  }
}

async function* heardAt(rate: number, audio: AsyncIterable<Audio>): AsyncGenerator<Audio> {
  const converter = new RateConverter(rate)
  for await (const piece of audio) yield { samples: converter.push(piece), rate }
  const samples = converter.flush()
  if (samples.length > 0) yield { samples, rate }
}
