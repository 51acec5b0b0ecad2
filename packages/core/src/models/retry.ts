import { AntiphonError, UsageError } from '../api/errors.js'
import type { LLM, TTS } from '../api/models.js'
import { type Attempt, type AttemptOptions, firstAnswer } from './attempts.js'
import { Replay } from './replay.js'

export interface RetryOptions extends AttemptOptions {
  /** How often it is asked in all. Default 3. */
  readonly attempts?: number
  /** ms before the second attempt, twice as many before each further one. Default 200. */
  readonly delay?: number
}

/**
 * The same model or voice, asked again when it fails before it has begun to answer, and may do better the next time. A
 * speech recogniser needs none: whatever the session hears with is opened again when it breaks.
 *
 * @throws {UsageError} when it is neither.
 */
export function retry(llm: LLM, options?: RetryOptions): LLM
export function retry(tts: TTS, options?: RetryOptions): TTS
export function retry(provider: LLM | TTS, { attempts = 3, delay = 200, ...options }: RetryOptions = {}): LLM | TTS {
  const policy = { ...options, delay: (index: number) => (index === 0 ? 0 : delay * 2 ** (index - 1)), mayHelp }
  const times = <T>(start: Attempt<T>['start']) =>
    Array.from({ length: attempts }, () => ({ name: provider.name, start }))
  if ('generate' in provider) {
    return {
      ...named(provider),
      generate: (request, { signal }) =>
        firstAnswer(
          times((own) => provider.generate(request, { signal: own })),
          signal,
          policy,
        ),
    }
  }
  if ('speak' in provider) {
    return {
      ...named(provider),
      sampleRate: provider.sampleRate,
      speak(text, { signal }) {
        const replay = new Replay(text)
        return firstAnswer(
          times((own) => provider.speak(replay, { signal: own })),
          signal,
          policy,
        )
      },
    }
  }
  throw new UsageError('retry(provider) is for language models and voices')
}

const named = ({ name }: { readonly name: string }) => ({ name })

/** An error that says nothing of itself is taken for one of the network. */
const mayHelp = (error: unknown): boolean => !AntiphonError.is(error) || error.retryable
