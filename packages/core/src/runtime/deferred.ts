/** A promise that somebody else settles. Nobody has to be there when it is rejected. */
export class Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void

  constructor() {
    let resolve: (value: T) => void = () => {}
    let reject: (error: unknown) => void = () => {}
    this.promise = new Promise<T>((yes, no) => {
      resolve = yes
      reject = no
    })
    this.promise.catch(() => {})
    this.resolve = resolve
    this.reject = reject
  }
}
