interface Registration {
  readonly event: string
  readonly email: string
}

/** The system that knows who comes, as far as an example needs one. */
class Events {
  readonly #registrations = new Map<string, Registration>()

  get registrations(): readonly Registration[] {
    return [...this.#registrations.values()]
  }

  clear(): void {
    this.#registrations.clear()
  }

  /** A request that is repeated with its key is the same registration. */
  async register(
    event: string,
    email: string,
    options: { signal: AbortSignal; idempotencyKey: string },
  ): Promise<void> {
    options.signal.throwIfAborted()
    this.#registrations.set(options.idempotencyKey, { event, email })
  }
}

export const events = new Events()
