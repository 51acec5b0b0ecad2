import { having, limit } from '../api/check.js'
import { type Clock, systemClock } from '../api/clock.js'
import { ProviderError } from '../api/errors.js'
import type { Running } from '../api/models.js'
import { abortable } from '../audio/flow.js'

/** One way to get an answer. */
export interface Attempt<T> {
  readonly name: string
  start(running: Running): AsyncIterable<T>
}

export interface AttemptOptions {
  /** ms after which whoever has not begun to answer has failed. Default: only the session has a limit. */
  readonly patience?: number
  readonly clock?: Clock
}

/** What the options of `AttemptOptions` may be. */
export const attemptChecks = { patience: limit, clock: having('a clock', 'now', 'at') }

/** When there is another attempt. */
export interface Policy extends AttemptOptions {
  /** ms to wait before attempt `index`. */
  readonly delay: (index: number) => number
  /** Whether the next attempt may do better. */
  readonly mayHelp: (error: unknown) => boolean
  /** Whether somebody else can go on with an answer that broke off. Default: no; what was said cannot be taken back. */
  readonly goesOn?: () => boolean
  /** Resolves when there is something to answer: patience counts from then. Default: at once. */
  readonly asked?: Promise<void>
  readonly failed?: (index: number) => void
}

/** The answer of the first attempt that gives one. The session is told of those that failed before. */
export async function* firstAnswer<T>(
  attempts: readonly Attempt<T>[],
  running: Running,
  policy: Policy,
): AsyncGenerator<T, void, void> {
  const { signal } = running
  let begun = false
  for (const [index, attempt] of attempts.entries()) {
    await sleep(policy.clock ?? systemClock, policy.delay(index), signal)
    if (signal.aborted) return
    running.asks?.(attempt.name)
    try {
      for await (const part of answer(attempt, running, policy)) {
        begun = true
        yield part
      }
      return
    } catch (error) {
      policy.failed?.(index)
      const next = attempts[index + 1]
      if (!next || !policy.mayHelp(error) || (begun && !policy.goesOn?.())) throw error
      running.failedOver?.({ from: attempt.name, to: next.name, error })
    }
  }
}

/** What one attempt answers. Throws when it does not begin in time. */
async function* answer<T>(attempt: Attempt<T>, running: Running, policy: Policy): AsyncGenerator<T, void, void> {
  const { patience, clock = systemClock, asked } = policy
  const late = new AbortController()
  const signal = AbortSignal.any([running.signal, late.signal])
  let begun = false
  let timer: Disposable | null = null
  const wait = () => {
    if (patience !== undefined && !begun) timer = clock.at(clock.now() + patience, () => late.abort())
  }
  const begin = () => {
    begun = true
    timer?.[Symbol.dispose]()
  }
  if (asked) void asked.then(wait)
  else wait()
  try {
    for await (const part of abortable(attempt.start({ ...running, signal }), signal)) {
      begin()
      yield part
    }
    if (late.signal.aborted)
      throw new ProviderError(`${attempt.name} did not begin to answer within ${patience} ms`, { retryable: true })
  } finally {
    begin()
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
