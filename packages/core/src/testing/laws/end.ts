import { closingSince, type Evidence, inputs, ms } from './evidence.js'

/** L5: a session that is told to close has closed by the sum of its limits. */
export function boundedEnd(evidence: Evidence): string[] {
  const since = closingSince(evidence)
  if (since === null) return []
  const { endedAt, now } = evidence
  const { limits } = evidence.settings
  const { closeTranscript, closeTools, closeOutput, line, abort } = limits
  const drains = inputs(evidence, 'drain').some(({ at }) => at === since)
  const limit = closeTranscript + closeTools + closeOutput + line + abort + (drains ? limits.drain : 0)
  const took = (endedAt ?? now) - since
  if (took <= limit + 100) return []
  return [
    endedAt === null
      ? `told to close at ${ms(since)}, it has not ended ${ms(took)} later; its limits allow ${ms(limit)}`
      : `told to close at ${ms(since)}, it ended ${ms(took)} later; its limits allow ${ms(limit)}`,
  ]
}

/** L6: nothing outlives the session. */
export function nothingLeft({ endedAt, open }: Evidence): string[] {
  if (endedAt === null || !open) return []
  const { timers, tracks, requests, voices, ears, lineClosed } = open
  const left = Object.entries({ timers, tracks, requests, voices, ears }).filter(([, count]) => count > 0)
  return [
    ...left.map(([what, count]) => `after the end there are ${count} ${what} left`),
    ...(lineClosed ? [] : ['after the end the line is still open']),
  ]
}
