import type { ApplicationInput, Failure } from './protocol.js'
import type { Service } from './state.js'
import type { Step } from './step.js'

export function noteFailure(step: Step, source: Service | 'vad' | 'line', error: Failure): void {
  step.emit({ type: 'error', source, error })
  if (source === 'vad' || source === 'line') return
  const { failures } = step.state
  failures[source] = { count: (failures[source]?.count ?? 0) + 1, error }
}

export function providerFailed(
  step: Step,
  { source, error }: Extract<ApplicationInput, { type: 'provider-error' }>,
): void {
  noteFailure(step, source, error)
}

/** They are heard to work again. */
export function clearFailures(step: Step, ...services: Service[]): void {
  for (const service of services) delete step.state.failures[service]
}

/** The failure that is one too many. */
export function lastStraw(step: Step): Failure | null {
  const { failures, settings } = step.state
  return Object.values(failures).find(({ count }) => count > settings.maxFailures)?.error ?? null
}
