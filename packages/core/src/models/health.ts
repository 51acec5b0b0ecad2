import type { Clock } from '../api/clock.js'

/** Who has failed of late is asked after all others: a service that is down is not waited for again and again. */
export class Health<Provider> {
  readonly #clock: Clock
  readonly #cooldown: number
  readonly #failed = new Map<Provider, number>()

  constructor(clock: Clock, cooldown: number) {
    this.#clock = clock
    this.#cooldown = cooldown
  }

  failed(provider: Provider): void {
    this.#failed.set(provider, this.#clock.now())
  }

  /** Those that are well in the order given, then the others, whoever failed first before whoever failed last. */
  order(providers: readonly Provider[]): Provider[] {
    return [...providers].sort((a, b) => this.#ill(a) - this.#ill(b))
  }

  #ill(provider: Provider): number {
    const at = this.#failed.get(provider)
    return at !== undefined && this.#clock.now() < at + this.#cooldown ? at : Number.NEGATIVE_INFINITY
  }
}
