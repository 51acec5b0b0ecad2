import { duration, fields } from '../api/check.js'
import { systemClock } from '../api/clock.js'
import { UsageError } from '../api/errors.js'
import type { Audio, LLM, STT, TTS } from '../api/models.js'
import { RateConverter } from '../audio/resample.js'
import { type AttemptOptions, attemptChecks, firstAnswer, type Policy } from './attempts.js'
import { Health } from './health.js'
import { firstVoice } from './voices.js'

export interface FallbackOptions extends AttemptOptions {
  /** ms for which whoever has failed is asked after all others. Default 30,000. */
  readonly cooldown?: number
}

type Several<Provider> = readonly [Provider, ...Provider[]]

/**
 * The first of several that answers: each is asked when the one before it has failed before it had begun to answer. Of a voice
 * that breaks off and has told what it has said, the next says the rest. Speech recognisers hear without end: when the stream
 * of one breaks, the session opens the next. Whoever has failed is asked last for a while; all sessions that share the
 * fallback share what it knows of that.
 *
 * @throws {UsageError} when there are none, or they are not of one kind.
 */
export function fallback(llms: Several<LLM>, options?: FallbackOptions): LLM
export function fallback(voices: Several<TTS>, options?: FallbackOptions): TTS
export function fallback(recognisers: Several<STT>, options?: FallbackOptions): STT
export function fallback(providers: Several<LLM | TTS | STT>, options: FallbackOptions = {}): LLM | TTS | STT {
  checkOptions('the options of fallback', options)
  if (all(providers, 'generate')) return fallbackModel(providers as Several<LLM>, options)
  if (all(providers, 'speak')) return fallbackVoice(providers as Several<TTS>, options)
  if (all(providers, 'transcribe')) return fallbackEar(providers as Several<STT>, options)
  throw new UsageError(
    'fallback([first, second, …]) needs language models, or voices, or speech recognisers, of one kind',
  )
}

const checkOptions = fields({ ...attemptChecks, cooldown: duration })

const all = (providers: readonly object[], member: string): boolean =>
  providers.length > 0 && providers.every((provider) => member in provider)

const nameOf = (providers: readonly { readonly name: string }[]): string =>
  providers.map(({ name }) => name).join(', else ')

const healthOf = <Provider>({ clock = systemClock, cooldown = 30_000 }: FallbackOptions): Health<Provider> =>
  new Health(clock, cooldown)

/** Whoever fails, for whatever reason: another may not. */
function policyOf<Provider>(options: FallbackOptions, health: Health<Provider>, order: readonly Provider[]): Policy {
  const failed = (index: number) => health.failed(order[index] as Provider)
  return { ...options, delay: () => 0, mayHelp: () => true, failed }
}

function fallbackModel(llms: Several<LLM>, options: FallbackOptions): LLM {
  const health = healthOf<LLM>(options)
  return {
    name: nameOf(llms),
    generate(request, running) {
      const order = health.order(llms)
      const attempts = order.map((llm) => ({
        name: llm.name,
        start: (own: typeof running) => llm.generate(request, own),
      }))
      return firstAnswer(attempts, running, policyOf(options, health, order))
    },
  }
}

/** The voices are heard at the rate of the first. */
function fallbackVoice(voices: Several<TTS>, options: FallbackOptions): TTS {
  const health = healthOf<TTS>(options)
  const [{ sampleRate }] = voices
  return {
    name: nameOf(voices),
    sampleRate,
    speak(text, running) {
      const order = health.order(voices)
      return firstVoice(order, sampleRate, text, running, policyOf(options, health, order))
    },
  }
}

/** They are given sound at the rate of the first. */
function fallbackEar(recognisers: Several<STT>, options: FallbackOptions): STT {
  const health = healthOf<STT>(options)
  const [first] = recognisers
  const { sampleRate } = first
  return {
    name: nameOf(recognisers),
    sampleRate,
    async *transcribe(audio, running) {
      const [stt = first] = health.order(recognisers)
      running.asks?.(stt.name)
      try {
        yield* stt.transcribe(stt.sampleRate === sampleRate ? audio : heardAt(stt.sampleRate, audio), running)
      } catch (error) {
        health.failed(stt)
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
