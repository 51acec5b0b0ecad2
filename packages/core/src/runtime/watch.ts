import { Deferred } from './deferred.js'

/** Promises about the state. They are looked at after every input, so that nobody can forget to keep one. */
export class Watch {
  readonly #open = new Set<() => boolean>()

  /** Resolves with what `look` finds, as soon as it finds something. */
  until<T>(look: () => T | undefined): Promise<T> {
    const found = new Deferred<T>()
    const keep = () => {
      const value = look()
      if (value !== undefined) found.resolve(value)
      return value !== undefined
    }
    if (!keep()) this.#open.add(keep)
    return found.promise
  }

  check(): void {
    for (const keep of this.#open) if (keep()) this.#open.delete(keep)
  }
}
