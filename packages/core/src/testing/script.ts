import { UsageError } from '../api/errors.js'
import type { GenerateRequest, LLMPart } from '../api/models.js'

/** A call of a tool, as a model makes it. */
export type ScriptedCall = Extract<LLMPart, { type: 'call' }>

/**
 * One answer of a scripted model: what it says, what it calls, or both in order. An object says more: see `ScriptedAnswer`.
 *
 * ```ts
 * 'What may I bring you?'
 * toolCall('order', { dish: 'Lasagne' })
 * ['One moment.', toolCall('order', { dish: 'Lasagne' })]
 * { text: 'One moment.', total: 2_000, error: 'overloaded' }
 * ```
 */
export type ScriptLine = string | LLMPart | readonly (string | LLMPart)[] | ScriptedAnswer

export interface ScriptedAnswer extends AnswerTiming, AnswerFaults {
  readonly text?: string
  readonly calls?: ScriptedCall | readonly ScriptedCall[]
  /** Text, calls and flushes in an order of their own; after `text`, before `calls`. */
  readonly parts?: readonly (string | LLMPart)[]
  /** Tokens it reports. Default: an estimate from the words. `null`: it reports none. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | null
}

/** When an answer comes. ms from the request. */
export interface AnswerTiming {
  /** To the first word, or to the call when there are no words. */
  readonly firstToken?: number
  /** To the end, when the calls come. The words are spread evenly before it. */
  readonly total?: number
  /** From word to word; the end follows the last word by as much. Instead of `total`. */
  readonly perWord?: number
}

export interface AnswerFaults {
  /** Fails: with this error, or with a `ProviderError` of this message. */
  readonly error?: Error | string
  /** Words that come before the error. Default 0: it fails at `firstToken`. */
  readonly errorAfter?: number
  /** Goes silent for ever: at once (`true`), or after so many words. */
  readonly stall?: boolean | number
  /** Goes on after it was told to stop. */
  readonly ignoresSignal?: boolean
}

/** An answer that is given to certain requests only. Rules are looked at before the lines in order. */
export interface ScriptRule extends ScriptedAnswer {
  readonly when: Condition
  /** How often it applies. Default: always. */
  readonly times?: number
}

/** What a request must be like. All of what is given must hold. */
export type Condition =
  | ((request: GenerateRequest) => boolean)
  | {
      /** The last words of the user. */
      readonly user?: string | RegExp
      /** The role of the last message. */
      readonly last?: 'user' | 'assistant' | 'output' | 'none'
      /** The last message is an output of a tool with this name. */
      readonly outputOf?: string
      /** The text of the last output. */
      readonly output?: string | RegExp
      /** What the model is told to be. */
      readonly instructions?: string | RegExp
      /** Anywhere in the conversation. */
      readonly says?: string | RegExp
    }

/**
 * What a scripted model answers: lines in order, rules (`{ when, … }`) or both, or a function of the request.
 *
 * Lines are counted by what is asked, not by requests: a request that repeats the one before it with other last words of the
 * user's, as after a guess that was dropped, is given the same line again.
 */
export type Script =
  | readonly (ScriptLine | ScriptRule)[]
  | ((request: GenerateRequest, asked: { readonly count: number; readonly at: number }) => ScriptLine | undefined)

/**
 * A call of a tool. `args`: an object, or the text that the model sends instead of JSON.
 *
 * ```ts
 * toolCall('order', { dish: 'Lasagne' })
 * toolCall('order', '{"dish": Lasagne', 'call-1')
 * ```
 */
export function toolCall(name: string, args: object | string = {}, id?: string): ScriptedCall {
  return {
    type: 'call',
    name,
    args: typeof args === 'string' ? args : JSON.stringify(args),
    ...(id !== undefined && { id }),
  }
}

/** What follows it is spoken as a passage of its own. */
export const flush: LLMPart = { type: 'flush' }

/** An answer with everything spelled out. */
export interface Answer extends AnswerTiming, AnswerFaults {
  readonly parts: readonly LLMPart[]
  readonly usage?: ScriptedAnswer['usage']
}

/** Hands out the lines of a script. */
export interface Prompter {
  /** The answer, and which entry of the script it is; undefined when the script has no answer. */
  answer(request: GenerateRequest, at: number): { readonly answer: Answer; readonly entry: number | null } | undefined
  /** Lines in order that were not said. */
  readonly left: number
}

export function prompter(script: Script): Prompter {
  if (typeof script === 'function') return prompterOf(script)
  if (!Array.isArray(script)) {
    throw new UsageError('a script is a list of lines and rules, or a function of the request')
  }
  const entries = (script as readonly (ScriptLine | ScriptRule)[]).map((entry, index) => ({ entry, index, used: 0 }))
  const lines = entries.filter(({ entry }) => !isRule(entry))
  let next = 0
  let last: { readonly request: GenerateRequest; readonly line: number; readonly failed: boolean } | undefined
  return {
    answer(request) {
      const rule = entries.find(
        ({ entry, used }) => isRule(entry) && used < (entry.times ?? Infinity) && holds(entry.when, request),
      )
      if (rule) {
        rule.used++
        return { answer: answerOf(rule.entry), entry: rule.index }
      }
      const again = last !== undefined && !last.failed && isRepeated(last.request, request)
      const place = again ? last!.line : next++
      const line = lines[place]
      if (line === undefined) return undefined
      const answer = answerOf(line.entry)
      last = { request, line: place, failed: answer.error !== undefined }
      return { answer, entry: line.index }
    },
    get left() {
      return Math.max(0, lines.length - next)
    },
  }
}

function prompterOf(answer: Extract<Script, (...args: never[]) => unknown>): Prompter {
  let count = 0
  return {
    answer(request, at) {
      const line = answer(request, { count: count++, at })
      return line === undefined ? undefined : { answer: answerOf(line), entry: null }
    },
    left: 0,
  }
}

const isRule = (entry: ScriptLine | ScriptRule): entry is ScriptRule => typeof entry === 'object' && 'when' in entry

/** Both ask for an answer at the same point of the conversation. */
function isRepeated(before: GenerateRequest, request: GenerateRequest): boolean {
  if (before.instructions !== request.instructions) return false
  const point = ({ messages }: GenerateRequest) =>
    JSON.stringify(messages.at(-1)?.role === 'user' ? messages.slice(0, -1) : messages)
  const asked = ({ messages }: GenerateRequest) => messages.at(-1)?.role === 'user'
  return asked(before) === asked(request) && point(before) === point(request)
}

function answerOf(line: ScriptLine): Answer {
  if (typeof line === 'string') return { parts: partsOf([line]) }
  if (Array.isArray(line)) return { parts: partsOf(line as readonly (string | LLMPart)[]) }
  if ('type' in line) return { parts: [line as LLMPart] }
  const {
    text,
    calls = [],
    parts = [],
    usage,
    firstToken,
    total,
    perWord,
    error,
    errorAfter,
    stall,
    ignoresSignal,
  } = line as ScriptedAnswer
  return {
    parts: partsOf([...(text === undefined ? [] : [text]), ...parts, ...(Array.isArray(calls) ? calls : [calls])]),
    ...defined({ usage, firstToken, total, perWord, error, errorAfter, stall, ignoresSignal }),
  }
}

const partsOf = (parts: readonly (string | LLMPart)[]): LLMPart[] =>
  parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part))

function holds(condition: Condition, request: GenerateRequest): boolean {
  if (typeof condition === 'function') return condition(request)
  const { messages, instructions } = request
  const last = messages.at(-1)
  const user = messages.findLast((message) => message.role === 'user')?.text
  const output = messages.findLast((message) => message.role === 'output')?.text
  const all = messages.map((message) => ('text' in message ? message.text : message.args)).join('\n')
  return (
    fits(condition.user, user) &&
    fits(condition.output, output) &&
    fits(condition.instructions, instructions) &&
    fits(condition.says, all) &&
    (condition.last === undefined || condition.last === (last?.role ?? 'none')) &&
    (condition.outputOf === undefined || (last?.role === 'output' && last.name === condition.outputOf))
  )
}

function fits(pattern: string | RegExp | undefined, text: string | undefined): boolean {
  if (pattern === undefined) return true
  if (text === undefined) return false
  return typeof pattern === 'string' ? text.toLowerCase().includes(pattern.toLowerCase()) : pattern.test(text)
}

/** `fields` without those that are undefined. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
