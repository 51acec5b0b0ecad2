/** ms from `from` to `to`. undefined when one of them is not known, or lies where it cannot belong to the other. */
export function since(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined || to < from ? undefined : to - from
}

/** `times` without those that are not known. */
export function timed<T extends object>(times: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(times).filter(([, time]) => time !== undefined)) as never
}
