import type { Failure } from '../conversation/protocol.js'

const antiphon = Symbol.for('antiphon.error')
const tellable = Symbol.for('antiphon.tool-error')
const stop = Symbol.for('antiphon.stop')

const carries = (value: unknown, marker: symbol): boolean =>
  typeof value === 'object' && value !== null && marker in value

export type Blame = Failure['blame']

/**
 * What goes wrong in Antiphon says who is to blame and whether trying again may help. Errors are recognised with the
 * `is` functions, not with `instanceof`, so that two copies of the package understand each other.
 */
export class AntiphonError extends Error implements Failure {
  override readonly name: string = 'AntiphonError'
  readonly blame: Blame
  readonly retryable: boolean
  readonly [antiphon] = true

  constructor(message: string, options: { blame: Blame; retryable?: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.blame = options.blame
    this.retryable = options.retryable ?? false
  }

  static is(value: unknown): value is AntiphonError {
    return carries(value, antiphon)
  }
}

/** Thrown by a tool: its message is told to the model as it stands, so it must not hold secrets. */
export class ToolError extends AntiphonError {
  override readonly name: string = 'ToolError'
  readonly [tellable] = true
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { blame: 'tool', ...options })
  }
  /** Whether the model is told its message: true of what extends `ToolError`, too. */
  static override is(value: unknown): value is ToolError {
    return carries(value, tellable)
  }
}

/** Thrown at a task that is awaited by a tool with `onInterrupt: 'cancel'` after its speech was talked over. */
export class InterruptedError extends ToolError {
  override readonly name: string = 'InterruptedError'
  constructor(message = 'The caller interrupted before this could begin.') {
    super(message)
  }
}

/** Whatever is asked of a session that is closing, or whose close ended a wait. */
export class SessionClosed extends ToolError {
  override readonly name: string = 'SessionClosed'
  constructor(message = 'The session is closed.') {
    super(message)
  }
}

/** Thrown by a tool, it ends the call without an answer and without a reply; by `userTurn`, it stops the reply to the turn. */
export class StopResponse extends Error {
  override readonly name: string = 'StopResponse'
  readonly [stop] = true
  static is(value: unknown): value is StopResponse {
    return carries(value, stop)
  }
}

/** A model, a voice or another service failed. */
export class ProviderError extends AntiphonError {
  override readonly name: string = 'ProviderError'
  /** HTTP status, where there was one. */
  readonly status: number | undefined
  constructor(message: string, options: { status?: number; retryable?: boolean; cause?: unknown } = {}) {
    super(message, { blame: 'provider', ...options })
    this.status = options.status
  }

  /** An error from an HTTP response that is not `ok`. The body is left alone: it may hold what was sent. */
  static fromResponse(response: {
    readonly status: number
    readonly statusText: string
    readonly url?: string
  }): ProviderError {
    const { status, statusText } = response
    const retryable = status === 408 || status === 409 || status === 429 || status >= 500
    const host = response.url ? ` from ${new URL(response.url).host}` : ''
    return new ProviderError(`HTTP ${status} ${statusText}`.trimEnd() + host, { status, retryable })
  }
}

/** The framework was used in a way that cannot work; the message says what to do instead. */
export class UsageError extends AntiphonError {
  override readonly name: string = 'UsageError'
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { blame: 'caller', ...options })
  }
}
