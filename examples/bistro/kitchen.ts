import type { RunContext } from 'antiphon'

interface Order {
  readonly dish: string
  readonly to: string
}

/** The kitchen, as far as an example needs one. */
class Kitchen {
  readonly #orders = new Map<string, Order>()

  get orders(): readonly Order[] {
    return [...this.#orders.values()]
  }

  clear(): void {
    this.#orders.clear()
  }

  /** An order that is repeated with its key is cooked once. */
  async cook(order: Order, { signal, idempotencyKey }: Pick<RunContext, 'signal' | 'idempotencyKey'>): Promise<void> {
    signal.throwIfAborted()
    this.#orders.set(idempotencyKey, order)
  }
}

export const kitchen = new Kitchen()
