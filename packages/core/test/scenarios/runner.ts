import { describe, test } from 'vitest'
import type { SessionEvent } from '../../src/index.js'
import {
  assertLaws,
  type Observed,
  type ObservedRequest,
  play,
  type SceneMaker,
  type ToolRun,
} from '../../src/testing/index.js'
import { transcriptOf } from '../../src/testing/transcript.js'

/** One scenario: what happens, and what is right. Times: ms. */
export interface Row {
  readonly id: string
  /** A sentence about what is right. */
  readonly what: string
  readonly scene: SceneMaker
  readonly expect: Expectation
}

export interface Expectation {
  /** Everything that is heard of the agent, in order. */
  readonly audible?: readonly Heard[]
  /** The whole history, items about agents left out, in the notation of `observed.transcript`; with a time, when it stands there. */
  readonly history?: readonly Line[]
  /** Events that come in this order, each at its time. Others may come between. */
  readonly events?: readonly Happening[]
  /** Events that never come. */
  readonly never?: readonly Pattern[]
  /** Calls by the name of the tool, in order. */
  readonly tools?: Readonly<Record<string, Call | readonly Call[]>>
  /** What the models were asked, in order, guesses that were dropped left out. */
  readonly requests?: readonly Request[]
  /** Who has the conversation after each change of it. */
  readonly agents?: readonly (readonly [at: number, agent: string])[]
  /** What `at` did, by name. */
  readonly acts?: Readonly<
    Record<string, { readonly at?: number; readonly outcome?: 'done' | 'threw' | 'running'; readonly error?: RegExp }>
  >
  /** When the session ended; null: it did not. */
  readonly closed?: number | null
  /** Errors that are part of it. Default: none. */
  readonly errors?: readonly RegExp[]
  /** Whatever else must hold. Throws when it does not. */
  readonly also?: (observed: Observed) => void
  /** ms that a time may be off. Default 60. */
  readonly tolerance?: number
}

/** `end` as of `Sound`; with `held`, when it was paused and when it went on. */
export interface Heard {
  readonly text: string
  readonly from: number
  readonly to?: number
  readonly end?: 'whole' | 'cut' | 'open'
  readonly held?: readonly (readonly [at: number, until: number | null])[]
}
type Line = string | readonly [line: string, at: number]
type Pattern = {
  readonly [Type in SessionEvent['type']]: { readonly type: Type } & Partial<Extract<SessionEvent, { type: Type }>>
}[SessionEvent['type']]
type Happening = readonly [at: number, pattern: Pattern]
interface Call {
  readonly start?: number
  readonly end?: number | null
  readonly status?: ToolRun['status']
  readonly output?: string | RegExp
  readonly aborted?: number | null
  readonly returned?: number | null
}
interface Request {
  readonly agent: string
  readonly at?: number
  /** All that it sees, in the notation of the transcript. */
  readonly sees?: readonly string[]
  /** A part of what it sees, in this order. */
  readonly holds?: readonly string[]
}

export const whole = (text: string, from: number, to: number): Heard => ({ text, from, to, end: 'whole' })
export const cut = (text: string, from: number, to: number): Heard => ({ text, from, to, end: 'cut' })

/** For what `also` looks at. @throws {Error} with what was found, unless it is so. */
export function must(so: boolean, what: string): void {
  if (!so) throw new Error(what)
}

/** Makes a test of each row. */
export function scenarios(group: string, rows: readonly Row[]): void {
  describe(group, () => {
    for (const { id, what, scene, expect } of rows) {
      test(`${id}: ${what}`, async () => judge(await play(scene), expect))
    }
  })
}

/** @throws {Error} that names everything that is not as expected, and tells the course of the scene. */
function judge(observed: Observed, expected: Expectation): void {
  const { tolerance = 60 } = expected
  const near = (seen: number | null | undefined, wanted: number | null | undefined): boolean =>
    wanted === undefined ||
    (typeof seen === 'number' && typeof wanted === 'number' ? Math.abs(seen - wanted) <= tolerance : seen === wanted)
  const wrong = [
    ...observed.problems,
    ...sounds(observed, expected, near),
    ...history(observed, expected, near),
    ...events(observed, expected, near),
    ...calls(observed, expected, near),
    ...requests(observed, expected, near),
    ...applications(observed, expected, near),
    ...errors(observed, expected),
    ...attempt(() => expected.also?.(observed)),
    ...attempt(() => assertLaws(observed.session)),
  ]
  if (wrong.length > 0)
    throw new Error(`${wrong.map((each) => `- ${each}`).join('\n')}\n\n${observed}\n\n${observed.transcript}`)
}

type Near = (seen: number | null | undefined, wanted: number | null | undefined) => boolean

function sounds({ audible }: Observed, { audible: wanted }: Expectation, near: Near): string[] {
  if (!wanted) return []
  const fits = wanted.map(({ text, from, to, end, held }, index) => {
    const seen = audible[index]
    const pauses = seen?.pauses ?? []
    return (
      seen?.text === text &&
      near(seen.from, from) &&
      near(seen.to, to) &&
      (end === undefined || seen.end === end) &&
      (held === undefined ||
        (pauses.length === held.length &&
          held.every(([at, until], n) => near(pauses[n]?.at, at) && near(pauses[n]?.until, until))))
    )
  })
  if (fits.every(Boolean) && audible.length === wanted.length) return []
  const seen = audible.map(({ text, from, to, end, pauses }) => ({
    text,
    from,
    to,
    end,
    held: pauses.map(({ at, until }) => [at, until]),
  }))
  return [`audible was\n${list(seen)}\n  expected\n${list(wanted)}`]
}

function history(observed: Observed, { history: wanted }: Expectation, near: Near): string[] {
  if (!wanted) return []
  const seen = observed.history
    .filter(({ type }) => type !== 'agent')
    .map((item) => [transcriptOf([item]), item.at] as const)
  const fits = wanted.every((line, index) => {
    const [text, at] = typeof line === 'string' ? [line, undefined] : line
    return seen[index]?.[0] === text && near(seen[index][1], at)
  })
  return fits && seen.length === wanted.length ? [] : [`the history was\n${list(seen)}\n  expected\n${list(wanted)}`]
}

function events(
  { events: seen }: Observed,
  { events: wanted = [], never = [], agents }: Expectation,
  near: Near,
): string[] {
  let next = 0
  const missing = wanted.flatMap(([at, pattern]) => {
    const found = seen.findIndex((each, index) => index >= next && near(each.at, at) && matches(each.event, pattern))
    if (found < 0) {
      const others = seen.filter(({ event }) => matches(event, pattern)).map((each) => each.at)
      return [
        `no event ${JSON.stringify(pattern)} at ${at}, in its order${others.length > 0 ? `; such events came at ${others.join(', ')}` : ''}`,
      ]
    }
    next = found + 1
    return []
  })
  const unwanted = never.flatMap((pattern) => {
    const found = seen.find(({ event }) => matches(event, pattern))
    return found ? [`an event ${JSON.stringify(found.event)} came at ${found.at}, and should not`] : []
  })
  const changes = seen
    .flatMap(({ at, event }) => (event.type === 'agent-change' ? [[at, event.to] as const] : []))
    .slice(1)
  const held =
    !agents ||
    (changes.length === agents.length &&
      agents.every(([at, agent], n) => changes[n]![1] === agent && near(changes[n]![0], at)))
  return [
    ...missing,
    ...unwanted,
    ...(held ? [] : [`the conversation passed to\n${list(changes)}\n  expected\n${list(agents)}`]),
  ]
}

function calls({ tools }: Observed, { tools: wanted = {} }: Expectation, near: Near): string[] {
  return Object.entries(wanted).flatMap(([name, each]) => {
    const all = Array.isArray(each) ? (each as readonly Call[]) : [each as Call]
    const seen = tools.filter((tool) => tool.name === name)
    const fits = all.map(({ start, end, status, output, aborted, returned }, index) => {
      const run = seen[index]
      return (
        run !== undefined &&
        near(run.start, start) &&
        near(run.end, end) &&
        near(run.aborted, aborted) &&
        near(run.returned, returned) &&
        (status === undefined || run.status === status) &&
        (output === undefined || (typeof output === 'string' ? run.output === output : output.test(run.output ?? '')))
      )
    })
    return fits.every(Boolean) && seen.length === all.length
      ? []
      : [`the calls of ${name} were\n${list(seen)}\n  expected\n${list(all)}`]
  })
}

function requests(observed: Observed, { requests: wanted }: Expectation, near: Near): string[] {
  if (!wanted) return []
  const seen = observed.requests.filter(
    ({ outcome, said, called }) => outcome !== 'aborted' || said !== '' || called.length > 0,
  )
  const fits = wanted.every(({ agent, at, sees, holds = [] }, index) => {
    const request = seen[index]
    if (!request || request.agent !== agent || !near(request.at, at)) return false
    const lines = linesOf(request)
    let from = 0
    const inOrder = holds.every((line) => {
      const found = lines.indexOf(line, from)
      from = found + 1
      return found >= 0
    })
    return (
      inOrder && (sees === undefined || (sees.length === lines.length && sees.every((line, n) => lines[n] === line)))
    )
  })
  if (fits && seen.length === wanted.length) return []
  return [
    `the requests were\n${list(seen.map((each) => [each.agent, each.at, each.outcome, linesOf(each)]))}\n  expected\n${list(wanted)}`,
  ]
}

/** What a request sees, in the notation of the transcript. */
export const linesOf = ({ messages }: Pick<ObservedRequest, 'messages'>): string[] =>
  messages.map((message) => {
    if (message.role === 'user') return `user: ${message.text}`
    if (message.role === 'assistant') return `agent: ${message.text}${message.interrupted ? '…' : ''}`
    if (message.role === 'call') return `call: ${message.name} ${message.args}`
    return `${message.error ? 'error' : 'output'}: ${message.text}`
  })

function applications({ acts, closed }: Observed, expected: Expectation, near: Near): string[] {
  const wrong = Object.entries(expected.acts ?? {}).flatMap(([name, { at, outcome, error }]) => {
    const seen = acts.find((act) => act.name === name)
    const fits =
      seen !== undefined &&
      near(seen.end, at) &&
      (outcome === undefined || seen.outcome === outcome) &&
      (error === undefined || error.test(String(seen.error)))
    return fits
      ? []
      : [
          `what the application did (${name}) ended as ${JSON.stringify(seen)}; expected ${JSON.stringify({ at, outcome, error: String(error) })}`,
        ]
  })
  if (expected.closed === undefined || near(closed?.at ?? null, expected.closed)) return wrong
  return [...wrong, `the session ended at ${closed?.at ?? 'no time'}; expected ${expected.closed}`]
}

function errors({ errors: seen }: Observed, { errors: wanted = [] }: Expectation): string[] {
  const unexpected = seen.filter(({ error }) => !wanted.some((pattern) => pattern.test(error.message)))
  const missing = wanted.filter((pattern) => !seen.some(({ error }) => pattern.test(error.message)))
  return [
    ...unexpected.map(({ at, source, error }) => `an error at ${at} in ${source}: ${error.message}`),
    ...missing.map((pattern) => `no error ${pattern}`),
  ]
}

const matches = (event: SessionEvent, pattern: Pattern): boolean =>
  Object.entries(pattern).every(
    ([key, value]) => JSON.stringify((event as unknown as Record<string, unknown>)[key]) === JSON.stringify(value),
  )

function attempt(check: () => void): string[] {
  try {
    check()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

const list = (entries: unknown): string =>
  (entries as readonly unknown[]).map((entry) => `    ${JSON.stringify(entry)}`).join('\n') || '    nothing'
