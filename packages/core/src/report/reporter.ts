import type { Explanation, MetricsEvent, SessionReport, SessionUsage, UsageEvent } from '../api/report.js'
import type { Item } from '../conversation/history.js'
import { Explainer } from './explain.js'
import { Metrics } from './metrics.js'
import type { Observer, Seen } from './seen.js'
import { Usage } from './usage.js'

/** What a report needs to be told, because nobody can see it in the conversation. */
export type Particulars = Pick<
  SessionReport,
  'session' | 'final' | 'date' | 'startedAt' | 'endedAt' | 'agent' | 'settings' | 'providers' | 'events' | 'closed'
> & { readonly history: readonly Item[] }

export interface ReporterOptions {
  readonly now: () => number
  readonly tell: (event: MetricsEvent | UsageEvent) => void
  /** Something is wrong with an observer: it sees no more. */
  readonly failed: (error: unknown) => void
}

/** Sees all of a session and can tell what became of it. Whatever happens to it, the conversation goes on. */
export class Reporter implements Observer {
  readonly usage: Usage
  readonly #options: ReporterOptions
  readonly #metrics = new Metrics()
  readonly #explainer = new Explainer()
  #blind = false
  #final: SessionReport | null = null

  constructor(options: ReporterOptions) {
    this.#options = options
    this.usage = new Usage(options.now, (usage) => options.tell({ type: 'usage', usage }))
  }

  see(seen: Seen): void {
    if (this.#blind) return
    try {
      for (const metrics of this.#metrics.see(seen)) this.#options.tell({ type: 'metrics', metrics })
      this.#explainer.see(seen)
    } catch (error) {
      this.#blind = true
      this.#options.failed(error)
    }
  }

  /** `live`: the silence that goes on counts, too. */
  explain(live: boolean): Explanation[] {
    return this.#explainer.lines(live ? this.#options.now() : undefined)
  }

  get spent(): SessionUsage {
    return { requests: this.usage.requests, totals: this.usage.totals }
  }

  /** Once the session has ended, the same report each time. */
  report({ history, ...particulars }: Particulars): SessionReport {
    if (this.#final) return this.#final
    const { final } = particulars
    const report: SessionReport = {
      version: 1,
      ...particulars,
      history: history.map((item) => ({ ...item })),
      metrics: [...this.#metrics.all],
      usage: this.spent,
      explanations: this.explain(!final),
    }
    if (final) this.#final = report
    return report
  }
}
