/** The only source of time in a session, so that a test can own it. */
export interface Clock {
  /** ms from a fixed moment; never runs backwards, whatever the wall clock does. */
  now(): number
  /** Runs `run` at `time`, or as soon as it can after it; never before. */
  at(time: number, run: () => void): Disposable
}

/** `setTimeout` counts in whole ms, may fire a little early, and takes more than 24 days for no time at all. */
const longest = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => performance.now(),
  at(time, run) {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      const left = Math.ceil(time - performance.now())
      timer = setTimeout(() => (performance.now() < time ? wait() : run()), Math.min(Math.max(left, 0), longest))
    }
    wait()
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  },
}
