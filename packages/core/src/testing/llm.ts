import { ProviderError } from '../api/errors.js'
import type { GenerateRequest, LLM, LLMPart, Running } from '../api/models.js'
import type { VirtualClock } from './clock.js'
import { type Answer, type AnswerTiming, type Prompter, prompter, type Script } from './script.js'

/** One request to a scripted model, and what became of it. */
export interface ModelRequest extends GenerateRequest {
  /** The model's name. */
  readonly model: string
  /** When it came; ms on the clock. */
  readonly at: number
  /** When it was over. */
  readonly end: number | null
  readonly outcome: 'running' | 'done' | 'aborted' | 'failed'
  /** The text that it had sent, until it was told to stop. */
  readonly said: string
  /** The tools that it had called. */
  readonly called: readonly string[]
  /** Which entry of the script answered it; null: a function did, or nothing. */
  readonly entry: number | null
}

export interface ScriptedLLM extends LLM {
  /** All requests so far, in order. */
  readonly requests: readonly ModelRequest[]
  /** Lines in order that were not said. */
  readonly left: number
  /** What went wrong with the script itself: requests that it has no answer for. */
  readonly problems: readonly string[]
}

export interface ScriptedLLMOptions extends AnswerTiming {
  readonly clock: VirtualClock
  readonly name?: string
}

/** An answer takes 100 ms to its first word and 300 ms to its end, unless it says otherwise. */
const usual: AnswerTiming = { firstToken: 100, total: 300 }

/**
 * A language model that says what it is told to say, when it is told to. A request that the script has no answer for fails
 * with an error that names it.
 *
 * ```ts
 * const llm = scriptedLLM(['Hello.', toolCall('order', { dish: 'Lasagne' }), 'Done.'], { clock })
 * const rules = scriptedLLM([{ when: { user: /order/ }, calls: toolCall('order') }, { when: { last: 'output' }, text: 'Done.' }], { clock })
 * const slow = scriptedLLM([{ text: 'Well, let me think.', firstToken: 900, perWord: 100 }], { clock })
 * ```
 */
export function scriptedLLM(script: Script, options: ScriptedLLMOptions): ScriptedLLM {
  return actor(prompter(script), options, () => options)
}

/** A model that is prompted by `prompts`. What is usual is asked at each request. */
export function actor(
  prompts: Prompter,
  { clock, name = 'scripted' }: { readonly clock: VirtualClock; readonly name?: string },
  usually: () => AnswerTiming,
): ScriptedLLM {
  const requests: Mutable<ModelRequest>[] = []
  const problems: string[] = []
  return {
    name,
    requests,
    problems,
    get left() {
      return prompts.left
    },
    async *generate(request, running) {
      const found = prompts.answer(request, clock.now())
      const record: Mutable<ModelRequest> = {
        ...request,
        model: name,
        at: clock.now(),
        end: null,
        outcome: 'running',
        said: '',
        called: [],
        entry: found?.entry ?? null,
      }
      requests.push(record)
      const close = (outcome: ModelRequest['outcome']) => {
        if (record.outcome === 'running') Object.assign(record, { outcome, end: clock.now() })
      }
      // whoever goes on regardless is not waited for
      running.signal.addEventListener('abort', () => close('aborted'), { once: true })
      try {
        if (!found) throw missing(name, requests.length, request, problems)
        yield* perform(found.answer, timingOf(usually(), usual), record, clock, running)
        close('done')
      } catch (error) {
        close(running.signal.aborted ? 'aborted' : 'failed')
        throw error
      } finally {
        close('aborted')
      }
    },
  }
}

async function* perform(
  answer: Answer,
  usually: AnswerTiming,
  record: Mutable<ModelRequest>,
  clock: VirtualClock,
  { signal }: Running,
): AsyncGenerator<LLMPart> {
  const began = clock.now()
  const heeded = answer.ignoresSignal ? undefined : signal
  const until = (ms: number) => clock.sleep(began + ms - clock.now(), heeded)
  const { steps, end } = planOf(answer, usually)
  for (const { at, part } of steps) {
    await until(at)
    // what is said to somebody who has left reaches nobody
    if (!signal.aborted) note(record, part)
    yield part
  }
  await until(end.at)
  if (end.how === 'stall') await forever(heeded)
  if (end.how === 'error')
    throw answer.error instanceof Error ? answer.error : new ProviderError(answer.error ?? 'failed')
  if (answer.usage !== null) yield { type: 'usage', ...(answer.usage ?? estimate(record)) }
}

function note(record: Mutable<ModelRequest>, part: LLMPart): void {
  if (part.type === 'text') record.said += part.text
  if (part.type === 'call') record.called = [...record.called, part.name]
}

/** What comes when, and how it ends. ms from the request. */
interface Plan {
  readonly steps: readonly { readonly at: number; readonly part: LLMPart }[]
  readonly end: { readonly at: number; readonly how: 'done' | 'error' | 'stall' }
}

function planOf(answer: Answer, usually: AnswerTiming): Plan {
  const parts = answer.parts.flatMap(piecesOf)
  const times = timesOf(parts, timingOf(answer, usually))
  const steps = parts.map((part, index) => ({ at: times.at[index] ?? times.end, part }))
  const stall = wordsBefore(answer.stall)
  const error = answer.error === undefined ? Number.POSITIVE_INFINITY : (answer.errorAfter ?? 0)
  if (Math.min(stall, error) === Number.POSITIVE_INFINITY) return { steps, end: { at: times.end, how: 'done' } }
  const how = stall <= error ? 'stall' : 'error'
  const words = Math.min(stall, error)
  if (words === 0) return { steps: [], end: { at: times.first, how } }
  const cut = steps.filter(({ part }) => part.type === 'text')[words]
  if (!cut) return { steps, end: { at: times.end, how } }
  return { steps: steps.slice(0, steps.indexOf(cut)), end: { at: cut.at, how } }
}

/** Words that come before somebody goes silent for ever. */
export function wordsBefore(stall: boolean | number | undefined): number {
  if (stall === undefined || stall === false) return Number.POSITIVE_INFINITY
  return stall === true ? 0 : stall
}

/** Text word by word, the rest as it is. */
const piecesOf = (part: LLMPart): LLMPart[] =>
  part.type === 'text' ? (part.text.match(/\s*\S+\s*/g) ?? []).map((text) => ({ type: 'text', text })) : [part]

/** When each piece comes, ms from the request: words evenly, calls and what follows the last word at the end. */
function timesOf(
  pieces: readonly LLMPart[],
  { firstToken = 0, total = firstToken, perWord }: AnswerTiming,
): { at: number[]; first: number; end: number } {
  const words = pieces.filter(({ type }) => type === 'text').length
  const first = perWord === undefined ? Math.min(firstToken, total) : firstToken
  const step = perWord ?? (total - first) / Math.max(1, words)
  const end = perWord === undefined ? total : first + words * perWord
  let said = 0
  const at = pieces.map(({ type }) =>
    type === 'text' ? first + said++ * step : said === words ? end : first + said * step,
  )
  return { at, first, end }
}

/** What the answer says of its timing, and of what it does not, what is usual. */
function timingOf({ firstToken, total, perWord }: AnswerTiming, usually: AnswerTiming): AnswerTiming {
  const first = firstToken ?? usually.firstToken ?? 0
  if (perWord !== undefined) return { firstToken: first, perWord }
  if (total !== undefined) return { firstToken: first, total }
  if (usually.perWord !== undefined) return { firstToken: first, perWord: usually.perWord }
  return { firstToken: first, total: first + Math.max(0, (usually.total ?? 0) - (usually.firstToken ?? 0)) }
}

const estimate = (record: ModelRequest) => ({
  inputTokens: wordsIn(record.instructions) + wordsIn(JSON.stringify(record.messages)),
  outputTokens: wordsIn(record.said),
})

const wordsIn = (text: string) => text.split(/\s+/).filter(Boolean).length

/** Settles only when `signal` aborts. */
export function forever(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}

function missing(
  name: string,
  count: number,
  { instructions, messages }: GenerateRequest,
  problems: string[],
): ProviderError {
  const last = messages.at(-1)
  const heard =
    last === undefined ? 'nothing yet' : `${last.role} ${JSON.stringify('text' in last ? last.text : last.args)}`
  const text = `the script of the model "${name}" has no answer for its request ${count} (told to be ${JSON.stringify(instructions)}; last message: ${heard})`
  problems.push(text)
  return new ProviderError(text)
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
