import type { Voice } from './chronicle.js'
import type { Style } from './style.js'

/** Characters of a row. */
const WIDTH = 96
const STEPS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

/** A call as two voices of a score: who spoke when, and where they spoke at once. */
export function score(voices: readonly Voice[], duration: number, style: Style): string[] {
  const step = STEPS.find((each) => duration / each <= WIDTH) ?? 300_000
  const count = Math.ceil(duration / step)
  const sounds = (who: Voice['who'], column: number) =>
    voices.some(
      (voice) => voice.who === who && voice.from < (column + 1) * step && (voice.to ?? duration) > column * step,
    )
  const row = (who: Voice['who'], paint: (text: string) => string) => {
    const other = who === 'caller' ? 'agent' : 'caller'
    const cells = Array.from({ length: count }, (_, column) => {
      if (!sounds(who, column)) return style.dim('·')
      return sounds(other, column) ? style.yellow('█') : paint('█')
    })
    return `${' '.repeat(8)}${paint(who.padEnd(8))}  ${cells.join('')}`
  }
  return [row('caller', style.green), row('agent', style.cyan), style.dim(`${' '.repeat(18)}${ruler(count, step)}`)]
}

/** Seconds, where there is room for them. */
function ruler(count: number, step: number): string {
  const marks = Array.from({ length: Math.ceil(count / 10) }, (_, mark) => `${(mark * 10 * step) / 1_000}`.padEnd(10))
  return `${marks.join('').trimEnd()} s`
}
