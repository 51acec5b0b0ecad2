import { countFromOne, duration, fields } from '../api/check.js'
import { AntiphonError, UsageError } from '../api/errors.js'
import type { LLM, TTS } from '../api/models.js'
import { type AttemptOptions, attemptChecks, firstAnswer } from './attempts.js'
import { firstVoice } from './voices.js'

export interface RetryOptions extends AttemptOptions {
  /** How often it is asked in all. Default 3. */
  readonly attempts?: number
  /** ms before the second attempt, twice as many before each further one. Default 200. */
  readonly delay?: number
}

/**
 * The same model or voice, asked again when it fails before it has begun to answer, and may do better the next time. A voice
 * that breaks off and has told what it has said is asked for the rest. A speech recogniser needs none: whatever the session
 * hears with is opened again when it breaks.
 *
 * @throws {UsageError} when it is neither.
 */
export function retry(llm: LLM, options?: RetryOptions): LLM
export function retry(tts: TTS, options?: RetryOptions): TTS
export function retry(provider: LLM | TTS, options: RetryOptions = {}): LLM | TTS {
  checkOptions('the options of retry', options)
  const { attempts = 3, delay = 200 } = options
  const policy = { ...options, delay: (index: number) => (index === 0 ? 0 : delay * 2 ** (index - 1)), mayHelp }
  const { name } = provider
  if ('generate' in provider) {
    return {
      name,
      generate: (request, running) =>
        firstAnswer(times(attempts, { name, start: (own) => provider.generate(request, own) }), running, policy),
    }
  }
  if ('speak' in provider) {
    const { sampleRate } = provider
    return {
      name,
      sampleRate,
      speak: (text, running) => firstVoice(times(attempts, provider), sampleRate, text, running, policy),
    }
  }
  throw new UsageError('retry(provider) is for language models and voices')
}

const checkOptions = fields({ ...attemptChecks, attempts: countFromOne, delay: duration })

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

/** An error that says nothing of itself is taken for one of the network. */
const mayHelp = (error: unknown): boolean => !AntiphonError.is(error) || error.retryable
