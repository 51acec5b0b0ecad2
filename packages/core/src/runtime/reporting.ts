import type { SessionReport } from '../api/report.js'
import type { Item } from '../conversation/history.js'
import type { Setup } from './options.js'
import type { Runtime } from './runtime.js'

/** What became of a session. */
export function reportOf(
  { setup, root, date, log, ending, events, reporter }: Runtime,
  history: readonly Item[],
): SessionReport {
  const { id: session, settings } = setup
  return reporter.report({
    session,
    final: ending?.finished ?? false,
    date,
    startedAt: log[0]?.at ?? setup.clock.now(),
    endedAt: ending?.at ?? null,
    agent: root.name,
    settings,
    providers: providersOf(setup),
    history,
    events: { ...events.counts },
    closed: ending && { reason: ending.event.reason, error: ending.event.error },
  })
}

function providersOf({ line, models, turnDetector }: Setup): SessionReport['providers'] {
  const { llm, tts, stt, vad } = models
  const nameOf = (provider: { readonly name: string } | undefined): string | null => provider?.name ?? null
  return {
    line: line.name,
    llm: nameOf(llm),
    tts: nameOf(tts),
    stt: nameOf(stt),
    vad: nameOf(vad),
    turnDetector: nameOf(turnDetector),
  }
}
