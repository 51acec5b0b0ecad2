import type { UsageRecord, UsageTotal } from '../api/report.js'

/** A record while its request goes on. */
export type Draft<Of extends UsageRecord = UsageRecord> = { -readonly [Key in keyof Of]: Of[Key] }

/** What is known of a request when it begins: all but what time will tell. */
export type NewRecord<Of extends UsageRecord = UsageRecord> = Omit<Of, 'at' | 'end' | 'status'>

/** What was used of whom: a record for each request to a provider, whatever became of it. */
export class Usage {
  readonly #drafts: Draft[] = []
  readonly #now: () => number
  readonly #tell: (usage: UsageRecord) => void

  /** `tell` hears of it whenever more was used. */
  constructor(now: () => number, tell: (usage: UsageRecord) => void) {
    this.#now = now
    this.#tell = tell
  }

  get requests(): readonly UsageRecord[] {
    return this.#drafts.map((draft) => ({ ...draft }))
  }

  get totals(): readonly UsageTotal[] {
    return totalsOf(this.#drafts)
  }

  /** A request begins. */
  begin<Of extends UsageRecord>(record: NewRecord<Of>): Draft<Of> {
    const draft = { ...record, at: this.#now(), end: null, status: 'running' } as Draft<Of>
    this.#drafts.push(draft as Draft)
    return draft
  }

  /** A request is over. */
  end(draft: Draft, status: Exclude<UsageRecord['status'], 'running'>): void {
    if (draft.end === null) Object.assign(draft, { end: this.#now(), status })
  }

  /** More is known of what a request used. */
  tell(draft: Draft): void {
    this.#tell({ ...draft })
  }

  /** The session has ended: what still goes on is not waited for any longer. */
  close(): void {
    for (const draft of this.#drafts) this.end(draft, draft.kind === 'stt' ? 'done' : 'cancelled')
  }
}

/** What requests used in all, by kind and provider. */
function totalsOf(records: readonly UsageRecord[]): UsageTotal[] {
  const totals = new Map<string, UsageTotal>()
  for (const record of records) {
    const key = `${record.kind} ${record.provider}`
    totals.set(key, sum(totals.get(key) ?? none(record), record))
  }
  return [...totals.values()]
}

function none({ kind, provider }: UsageRecord): UsageTotal {
  const common = { provider, requests: 0, estimated: false }
  switch (kind) {
    case 'llm':
      return { kind, ...common, inputTokens: 0, outputTokens: 0, cachedTokens: 0 }
    case 'tts':
      return { kind, ...common, characters: 0, audioMs: 0, heardMs: 0 }
    case 'stt':
      return { kind, ...common, audioSeconds: 0 }
  }
}

function sum(total: UsageTotal, record: UsageRecord): UsageTotal {
  const requests = total.requests + 1
  const estimated = total.estimated || record.estimated
  if (total.kind === 'llm' && record.kind === 'llm') {
    const inputTokens = total.inputTokens + record.inputTokens
    const outputTokens = total.outputTokens + record.outputTokens
    return {
      ...total,
      requests,
      estimated,
      inputTokens,
      outputTokens,
      cachedTokens: total.cachedTokens + record.cachedTokens,
    }
  }
  if (total.kind === 'tts' && record.kind === 'tts') {
    const characters = total.characters + record.characters
    const audioMs = total.audioMs + record.audioMs
    return { ...total, requests, estimated, characters, audioMs, heardMs: total.heardMs + record.heardMs }
  }
  if (total.kind === 'stt' && record.kind === 'stt')
    return { ...total, requests, estimated, audioSeconds: total.audioSeconds + record.audioSeconds }
  return total
}
