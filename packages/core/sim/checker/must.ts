/** An invariant that did not hold. */
export class Violation extends Error {
  override readonly name = 'Violation'
  /** Of what it did not hold. */
  readonly detail: string

  constructor(invariant: string, detail: string) {
    super(invariant)
    this.detail = detail
  }
}

/** Times may have fractions. */
export const rounding = 0.001

/** A call that has just got what it waited for is given so long to end, so that its result is told and not that it runs. */
export const moment = 1

/** `invariant` is a sentence that is true of every conversation; `detail`, of what it is said here. */
export function must(condition: boolean, invariant: string, detail = ''): asserts condition {
  if (!condition) throw new Violation(invariant, detail)
}
