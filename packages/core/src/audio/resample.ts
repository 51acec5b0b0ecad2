import type { Audio } from '../api/models.js'
import { checkRate } from './frames.js'
import { saturate } from './mix.js'

/**
 * Changes the sample rate of a stream by a windowed sinc, one short filter (a phase) for each place that an output sample
 * can have between two input samples. Keeps what it needs of the past; so it is one stream's own.
 *
 * Output sample `n` sounds at the same time as input sample `n × from / to`: nothing is shifted, and n ms in are n ms out.
 */
export class Resampler {
  readonly #filter: Filter
  /** Of the input: what outputs to come still need. */
  #pending: Int16Array
  /** Where the next output lies: between which samples of `#pending`, and how far from one to the next, in steps. */
  #index = 0
  #step = 0

  /** @throws {UsageError} when a rate is none that sound has */
  constructor(from: number, to: number) {
    checkRate(from)
    checkRate(to)
    this.#filter = filterFor(from, to)
    this.#pending = new Int16Array(this.#silence())
  }

  push(samples: Int16Array): Int16Array {
    if (this.#filter.passes) return samples
    const all = new Int16Array(this.#pending.length + samples.length)
    all.set(this.#pending)
    all.set(samples, this.#pending.length)
    const made = this.#make(all, all.length - this.#filter.taps + 1)
    this.#pending = all.slice(this.#index)
    this.#index = 0
    return made
  }

  /** The end of the stream: what was kept back for want of a future. A new stream can begin afterwards. */
  flush(): Int16Array {
    if (this.#filter.passes) return new Int16Array(0)
    const all = new Int16Array(this.#pending.length + this.#filter.taps)
    all.set(this.#pending)
    const made = this.#make(all, this.#pending.length - this.#silence())
    this.#pending = new Int16Array(this.#silence())
    this.#index = 0
    this.#step = 0
    return made
  }

  /** Outputs whose filter begins before `end`. */
  #make(input: Int16Array, end: number): Int16Array {
    const { from, to, taps, phases } = this.#filter
    const made = new Int16Array(Math.max(0, Math.ceil(((end - this.#index) * to - this.#step) / from)))
    for (let n = 0; n < made.length; n++) {
      made[n] = saturate(product(phases[Math.floor((this.#step * phases.length) / to)]!, input, this.#index, taps))
      this.#step += from
      this.#index += Math.floor(this.#step / to)
      this.#step %= to
    }
    return made
  }

  /** The filter reaches before the first sample by half of it. */
  #silence(): number {
    return this.#filter.taps / 2 - 1
  }
}

/** The whole of a sound at another rate. */
export function resample(samples: Int16Array, from: number, to: number): Int16Array {
  const resampler = new Resampler(from, to)
  return join(resampler.push(samples), resampler.flush())
}

/** Brings a stream to one rate, whatever the rates of its pieces are. */
export class RateConverter {
  readonly #to: number
  #from = 0
  #resampler: Resampler | null = null

  /** @throws {UsageError} when the rate is none that sound has */
  constructor(to: number) {
    checkRate(to)
    this.#to = to
  }

  push({ samples, rate }: Audio): Int16Array {
    if (this.#resampler && rate === this.#from) return this.#resampler.push(samples)
    const rest = this.flush()
    this.#from = rate
    this.#resampler = new Resampler(rate, this.#to)
    return join(rest, this.#resampler.push(samples))
  }

  /** What is still owed of the pieces so far. */
  flush(): Int16Array {
    return this.#resampler?.flush() ?? new Int16Array(0)
  }
}

/** One sound after another. */
export function join(...parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

interface Filter {
  /** The ratio of the rates in lowest terms. */
  readonly from: number
  readonly to: number
  readonly passes: boolean
  /** Length of each phase: even. */
  readonly taps: number
  readonly phases: readonly Float32Array[]
}

/** Of the half of the lower rate: the part over which the filter falls. What lies below is kept, above nothing is left. */
const transition = 0.12
/** What is left of what should not be there, dB. */
const attenuation = 64
/** Rates that have little in common would need as many phases as samples; so many place a sample well enough. */
const mostPhases = 2048
const mostFilters = 32
const filters = new Map<string, Filter>()

/** Filters are the same for every stream, and take a moment to compute. */
function filterFor(from: number, to: number): Filter {
  const key = `${from}:${to}`
  const known = filters.get(key)
  if (known) return known
  const filter = design(from, to)
  if (filters.size >= mostFilters) filters.delete(filters.keys().next().value!)
  filters.set(key, filter)
  return filter
}

/** A Kaiser window over a sinc; length and shape by Kaiser's formulas. */
function design(from: number, to: number): Filter {
  const shared = divisor(from, to)
  const ratio = { from: from / shared, to: to / shared }
  if (from === to) return { ...ratio, passes: true, taps: 2, phases: [] }
  const nyquist = Math.min(1, to / from)
  const taps = 2 * Math.ceil((attenuation - 8) / (2.285 * Math.PI * transition * nyquist) / 2 + 1)
  const shape = 0.1102 * (attenuation - 8.7)
  const cutoff = nyquist * (1 - transition / 2)
  const count = Math.min(ratio.to, mostPhases)
  const phases = Array.from({ length: count }, (_, phase) => {
    const centre = taps / 2 - 1 + phase / count
    const weights = Float32Array.from({ length: taps }, (_, tap) => {
      const distance = tap - centre
      const edge = (2 * distance) / taps
      return sinc(cutoff * distance) * bessel(shape * Math.sqrt(Math.max(0, 1 - edge * edge)))
    })
    const sum = weights.reduce((total, weight) => total + weight, 0)
    return weights.map((weight) => weight / sum)
  })
  return { ...ratio, passes: false, taps, phases }
}

/** Where the time goes: a function of its own, so that the engine keeps everything in registers. */
function product(weights: Float32Array, input: Int16Array, from: number, taps: number): number {
  let sum = 0
  for (let tap = 0; tap < taps; tap++) sum += weights[tap]! * input[from + tap]!
  return sum
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
}

/** The modified Bessel function of the first kind and order zero. */
function bessel(x: number): number {
  let sum = 1
  for (let term = 1, k = 1; term > 1e-9 * sum; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}
