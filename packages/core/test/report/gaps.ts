import type { Observed, Scene } from '../../src/testing/index.js'

interface Span {
  readonly from: number
  readonly to: number
}

/** When nobody spoke for clearly more than a second, by what the line played and what the scene says of the user, up to the last sound. */
export function gapsIn({ audible }: Pick<Observed, 'audible'>, { timeline = [] }: Scene): Span[] {
  const spans: Span[] = [
    ...timeline.flatMap((act) => ('from' in act ? [{ from: act.from, to: act.to }] : [])),
    ...audible.flatMap(({ from, to, pauses }) => sounding(from, to ?? from, pauses)),
  ]
  const gaps: Span[] = []
  let since = 0
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    if (from - since > 1_100) gaps.push({ from: since, to: from })
    since = Math.max(since, to)
  }
  return gaps
}

/** A sound without its pauses. */
function sounding(from: number, to: number, pauses: Observed['audible'][number]['pauses']): Span[] {
  let since: number | null = from
  const spans: Span[] = []
  for (const { at, until } of pauses) {
    if (since !== null) spans.push({ from: since, to: at })
    since = until
  }
  return since === null ? spans : [...spans, { from: since, to: Math.max(since, to) }]
}
