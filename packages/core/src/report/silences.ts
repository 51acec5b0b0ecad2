import type { Explanation } from '../api/report.js'
import { Audible } from './audible.js'
import { type Hold, type Holds, tellHold } from './holds.js'
import { Reasons } from './reasons.js'
import type { Observer, Seen } from './seen.js'
import { type Wait, waitOf } from './waits.js'
import { inTurn, seconds } from './words.js'

/** ms of silence that nobody wonders about. */
const unremarkable = 1_000
/** Shorter parts of a silence are not put into words. */
const negligible = 50

interface Change extends Wait {
  readonly at: number
  readonly hold: Hold | null
}
interface Part {
  readonly from: number
  readonly to: number
  readonly what: Change
}

/** When nobody spoke, and what was waited for meanwhile. */
export class Silences implements Observer {
  readonly #audible = new Audible()
  readonly #holds: Holds
  /** What was waited for from when on. */
  readonly #changes: Change[] = []
  readonly #reasons = new Reasons()
  /** Without a voice there is nothing but silence. */
  #mute = false

  /** `holds` has seen each step before. */
  constructor(holds: Holds) {
    this.#holds = holds
  }

  see(seen: Seen): void {
    this.#mute = seen.state.settings.voice === 'none'
    this.#audible.see(seen)
    this.#reasons.see(seen)
    const wait = waitOf(seen.state)
    const { cause, words } = wait.cause === 'nothing' ? (this.#reasons.known ?? wait) : wait
    const last = this.#changes[this.#changes.length - 1]
    const hold = cause === 'held' ? (this.#holds.last ?? null) : null
    if (last?.words === words && last.hold === hold) return
    this.#changes.push({ at: seen.at, cause, words, hold })
  }

  /** A line for each silence that is long enough, up to `until`. `start`: the time from which the texts count. */
  explain(start: number, until: number): Explanation[] {
    if (this.#mute) return []
    return this.#gaps(start, until).map(({ from, to }) => {
      const parts = this.#partsOf(from, to)
      const longest = parts.reduce((most, part) => (lengthOf(part) > lengthOf(most) ? part : most))
      return {
        kind: 'silence',
        from,
        to,
        cause: longest.what.cause,
        text: `${seconds(from - start)}–${seconds(to - start)} silence: ${inTurn(clausesOf(parts, longest))}`,
        parts: parts.map((part) => ({ from: part.from, to: part.to, cause: part.what.cause })),
      }
    })
  }

  #gaps(start: number, until: number): { from: number; to: number }[] {
    const gaps: { from: number; to: number }[] = []
    let silentSince = start
    const spans = [...this.#audible.spans].sort((a, b) => a.from - b.from)
    for (const { from, to } of [...spans, { from: until, to: until }]) {
      if (from - silentSince > unremarkable) gaps.push({ from: silentSince, to: from })
      silentSince = Math.max(silentSince, to ?? until)
    }
    return gaps
  }

  #partsOf(from: number, to: number): Part[] {
    const first = this.#changes.findLastIndex(({ at }) => at <= from)
    const parts: Part[] = []
    for (let i = Math.max(0, first); i < this.#changes.length; i++) {
      const what = this.#changes[i]!
      if (what.at >= to) break
      const next = this.#changes[i + 1]?.at ?? to
      const part = { from: Math.max(from, what.at), to: Math.min(to, next), what }
      if (part.to > part.from) parts.push(part)
    }
    return parts
  }
}

const lengthOf = ({ from, to }: { readonly from: number; readonly to: number }): number => to - from

/** The parts that are worth a word; what follows upon the same is one with it. */
function clausesOf(parts: readonly Part[], longest: Part): string[] {
  const told: { readonly words: string; ms: number }[] = []
  for (const part of parts.filter((each) => each === longest || lengthOf(each) >= negligible)) {
    const words = part.what.hold ? tellHold(part.what.hold) : part.what.words
    const last = told[told.length - 1]
    if (last?.words === words) last.ms += lengthOf(part)
    else told.push({ words, ms: lengthOf(part) })
  }
  return told.map(({ words, ms }) => `${words} (${seconds(ms)})`)
}
