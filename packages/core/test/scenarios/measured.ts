import type { AssistantMetrics, UserMetrics } from '../../src/index.js'
import type { Observed } from '../../src/testing/index.js'

type Measures = Partial<
  Record<Exclude<keyof UserMetrics | keyof AssistantMetrics, 'role' | 'item' | 'turn' | 'reply'>, number | null>
>

/**
 * For what `also` looks at: the metrics of the user's or of the agent's messages, in order. ms, give or take 60; `null`: it is
 * left out, because it cannot be known.
 */
export const measured =
  (role: 'user' | 'assistant', ...wanted: readonly Measures[]) =>
  ({ events }: Observed): void => {
    const seen = events.flatMap(({ event }) =>
      event.type === 'metrics' && event.metrics.role === role ? [event.metrics] : [],
    )
    const fits = wanted.every((measures, index) =>
      Object.entries(measures).every(([name, value]) => {
        const found = (seen[index] as Partial<Record<string, unknown>> | undefined)?.[name]
        return value === null ? found === undefined : typeof found === 'number' && Math.abs(found - value) <= 60
      }),
    )
    if (!fits || seen.length !== wanted.length)
      throw new Error(`the metrics of the ${role} were ${JSON.stringify(seen)}; expected ${JSON.stringify(wanted)}`)
  }
