import type { Clock } from '../api/clock.js'

/** Resolves after `ms`, or as soon as `signal` aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const wake = () => {
      timer[Symbol.dispose]()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = clock.at(clock.now() + ms, wake)
    signal.addEventListener('abort', wake)
  })
}
