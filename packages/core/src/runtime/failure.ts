import { AntiphonError, type Blame } from '../api/errors.js'
import type { Failover } from '../api/models.js'
import type { FailoverEvent } from '../api/session.js'
import type { Failure } from '../conversation/protocol.js'

/** What was thrown, by the plain words that the conversation keeps of it. */
const causes = new WeakMap<Failure, unknown>()

/** Says of anything that was thrown who is to blame: the error itself knows, or it is `blame`. */
export function failureOf(error: unknown, blame: Blame): Failure {
  const failure: Failure = AntiphonError.is(error)
    ? { blame: error.blame, message: error.message, retryable: error.retryable }
    : { blame, message: messageOf(error), retryable: false }
  causes.set(failure, error)
  return failure
}

/** Keeps what was thrown when somebody else has made `failure` of it. */
export const keepCause = (failure: Failure, cause: unknown): void => void causes.set(failure, cause)

/** What was thrown when `failure` was made. */
export const causeOf = (failure: Failure): unknown => causes.get(failure)

/** What the application is told of a failure that was made good before anybody noticed. */
export const failoverOf = (source: FailoverEvent['source'], { from, to, error }: Failover): FailoverEvent => ({
  type: 'failover',
  source,
  from,
  to,
  error: failureOf(error, 'provider'),
  cause: error,
})

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
