import { type Clock, systemClock } from '../api/clock.js'
import { ProviderError } from '../api/errors.js'
import { abortable } from '../audio/flow.js'

/** One way to get an answer. */
export interface Attempt<T> {
  readonly name: string
  start(signal: AbortSignal): AsyncIterable<T>
}

export interface AttemptOptions {
  /** ms after which whoever has not begun to answer has failed. Default: only the session has a limit. */
  readonly patience?: number
  readonly clock?: Clock
}

interface Policy extends AttemptOptions {
  /** ms to wait before attempt `index`. */
  readonly delay: (index: number) => number
  /** Whether the next attempt may do better. */
  readonly mayHelp: (error: unknown) => boolean
}

/**
 * The answer of the first attempt that begins to answer. Once it has begun nothing can be taken back: then its failure is
 * that of all.
 */
export async function* firstAnswer<T>(
  attempts: readonly Attempt<T>[],
  signal: AbortSignal,
  { patience, clock = systemClock, delay, mayHelp }: Policy,
): AsyncGenerator<T, void, void> {
  for (const [index, attempt] of attempts.entries()) {
    await sleep(clock, delay(index), signal)
    if (signal.aborted) return
    let begun = false
    try {
      for await (const part of answer(attempt, signal, patience, clock)) {
        begun = true
        yield part
      }
      return
    } catch (error) {
      const last = index === attempts.length - 1
      if (begun || last || !mayHelp(error)) throw error
    }
  }
}

/** What one attempt answers. Throws when it does not begin in time. */
async function* answer<T>(
  { name, start }: Attempt<T>,
  signal: AbortSignal,
  patience: number | undefined,
  clock: Clock,
): AsyncGenerator<T, void, void> {
  const late = new AbortController()
  const either = AbortSignal.any([signal, late.signal])
  const timer = patience === undefined ? null : clock.at(clock.now() + patience, () => late.abort())
  try {
    for await (const part of abortable(start(either), either)) {
      timer?.[Symbol.dispose]()
      yield part
    }
    if (late.signal.aborted)
      throw new ProviderError(`${name} did not begin to answer within ${patience} ms`, { retryable: true })
  } finally {
    timer?.[Symbol.dispose]()
    late.abort()
  }
}

function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const wake = () => {
      timer[Symbol.dispose]()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = clock.at(clock.now() + ms, wake)
    signal.addEventListener('abort', wake)
  })
}
