import { Deferred } from './deferred.js'

/** A piece of work that somebody else does: a request, a voice, a tool. */
export interface Work<T> {
  /** What it is, for whoever has to be told that it does not stop. */
  readonly name: string
  run(signal: AbortSignal): Promise<T> | T
  /** It has ended; its signal will not abort any more. */
  ended?(value: T, signal: AbortSignal): void
  failed(error: unknown, signal: AbortSignal): void
}

/**
 * A region of concurrent work. Leaving it aborts the work and waits for it, children before parents: nothing that was
 * started in a scope outlives it. A scope that has ended leaves its parent, so that nothing is aborted after its end.
 */
export class Scope {
  readonly name: string
  readonly #controller = new AbortController()
  readonly #children = new Set<Scope>()
  readonly #ended = new Deferred<void>()
  #over = false

  constructor(name: string) {
    this.name = name
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Names of the work that goes on. */
  get running(): readonly string[] {
    return [...this.#children].flatMap((child) => [child.name, ...child.running])
  }

  /** Starts `work` in a scope of its own, after the code that runs at present. */
  start<T>(work: Work<T>): Scope {
    const scope = new Scope(work.name)
    this.#children.add(scope)
    if (this.signal.aborted) scope.abort(this.signal.reason)
    void this.#carryOut(scope, work)
    return scope
  }

  async #carryOut<T>(scope: Scope, work: Work<T>): Promise<void> {
    let settle: () => void
    try {
      const value = await Promise.resolve().then(() => work.run(scope.signal))
      settle = () => work.ended?.(value, scope.signal)
    } catch (error) {
      settle = () => work.failed(error, scope.signal)
    }
    this.#children.delete(scope)
    scope.#over = true
    scope.#ended.resolve()
    settle()
  }

  /** Asks all work in it to stop. What has ended is left in peace. */
  abort(reason?: unknown): void {
    if (this.#over) return
    for (const child of this.#children) child.abort(reason)
    this.#controller.abort(reason)
  }

  /** Aborts all work and resolves when the last of it has ended. */
  async leave(reason?: unknown): Promise<void> {
    this.abort(reason)
    while (this.#children.size > 0) {
      await Promise.all([...this.#children].map((child) => child.leave(reason).then(() => child.#ended.promise)))
    }
  }
}
