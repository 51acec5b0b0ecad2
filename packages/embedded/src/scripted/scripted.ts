import {
  type Clock,
  type GenerateRequest,
  type Json,
  type LLM,
  type LLMPart,
  type Message,
  systemClock,
} from 'antiphon'
import { Matcher } from './matching.js'
import { findSlots, type Slots } from './slots.js'

/** What a scripted model knows: how it opens, what callers may want, and what it says to that. */
export interface Script {
  /** It answers requests in which this tool is offered; without, all that no other script answers. */
  readonly tool?: string
  /** Said when it takes the conversation and nobody waits for an answer. */
  readonly opening: Answer
  readonly intents: readonly Intent[]
  /** What it says when a tool has answered, by the name of the tool. Default: the answer itself. */
  readonly results?: Readonly<Record<string, (output: string, talk: Talk) => string | Deed>>
  /** Said when nothing fits. */
  readonly fallback: Answer
}

/** Something a caller may want, known by examples or by a condition, which counts for more. */
export interface Intent {
  readonly examples?: readonly string[]
  readonly when?: (talk: Talk) => boolean
  readonly answer: Answer
}

export type Answer = string | Deed | ((talk: Talk) => string | Deed)

/** A tool call, and the words beside it. */
export interface Deed {
  readonly say?: string
  readonly call: string
  readonly args: { readonly [name: string]: Json | undefined }
}

export interface Talk {
  /** What the caller has said since the last answer. */
  readonly said: string
  /** What was found in it. */
  readonly heard: Slots
  /** What was found in all of the conversation; what was said last counts, and may correct what was said before. */
  readonly slots: Slots
  readonly messages: readonly Message[]
}

export interface ScriptedOptions {
  /** ms between two words, as a model would need. Default 10. */
  readonly pace?: number
  readonly clock?: Clock
}

/** How like an example the caller's words must be. */
const THRESHOLD = 0.18

/**
 * A scripted demo brain: it picks answers by examples and does not think. It is a function of the transcript alone, so
 * it copes with whatever order a conversation takes. Use a language model for anything real.
 */
export function scriptedModel(scripts: Script | readonly Script[], options: ScriptedOptions = {}): LLM {
  const { pace = 10, clock = systemClock } = options
  const roles = [scripts].flat().map((script) => ({
    script,
    matcher: new Matcher(script.intents, ({ examples = [] }) => examples),
  }))
  const roleFor = ({ tools }: GenerateRequest) =>
    roles.find(({ script: { tool } }) => tool !== undefined && tools.some(({ name }) => name === tool)) ??
    roles.find(({ script: { tool } }) => tool === undefined)
  return {
    name: 'scripted demo brain',
    async *generate(request, { signal }) {
      const role = roleFor(request)
      const answer = role ? choose(role.script, role.matcher, request.messages) : ''
      for (const part of parts(answer, request)) {
        if (pace > 0) await pause(clock, pace, signal)
        if (signal.aborted) return
        yield part
      }
    },
  }
}

function choose(script: Script, matcher: Matcher<Intent>, messages: readonly Message[]): string | Deed {
  const talk = understand(messages)
  if (talk.said === '') {
    const news = lastNews(messages)
    return news ? (script.results?.[news.name]?.(news.text, talk) ?? news.text) : resolve(script.opening, talk)
  }
  const certain = script.intents.find((intent) => intent.when?.(talk))
  if (certain) return resolve(certain.answer, talk)
  const [best] = matcher.rank(talk.said)
  return resolve(best && best.score >= THRESHOLD ? best.thing.answer : script.fallback, talk)
}

type Output = Extract<Message, { role: 'output' }>

/** What a tool has answered since the caller last spoke. */
function lastNews(messages: readonly Message[]): Output | undefined {
  const since = messages.findLastIndex(({ role }) => role === 'user')
  const isNews = (message: Message): message is Output => message.role === 'output' && !message.running
  return messages.slice(since + 1).findLast(isNews)
}

function understand(messages: readonly Message[]): Talk {
  const turns = turnsOf(messages)
  const said = messages.at(-1)?.role === 'user' ? turns.pop()! : ''
  const known = turns.reduce<Slots>((slots, turn) => Object.assign(slots, findSlots(turn, slots)), {})
  const heard = findSlots(said, known)
  return { said, heard, slots: { ...known, ...heard }, messages }
}

/** What the caller has said between two answers, each time. */
function turnsOf(messages: readonly Message[]): string[] {
  const turns: string[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'user') continue
    if (messages[index - 1]?.role === 'user') turns.push(`${turns.pop()} ${message.text}`)
    else turns.push(message.text)
  }
  return turns
}

const resolve = (answer: Answer, talk: Talk) => (typeof answer === 'function' ? answer(talk) : answer)

function* parts(answer: string | Deed, request: GenerateRequest): Iterable<LLMPart> {
  const deed = typeof answer === 'string' ? { say: answer } : answer
  const words = (deed.say ?? '').match(/\s*\S+/g) ?? []
  for (const text of words) yield { type: 'text', text }
  if ('call' in deed && request.toolChoice !== 'none') {
    yield { type: 'call', name: deed.call, args: JSON.stringify(deed.args) }
  }
  yield { type: 'usage', inputTokens: countWords(request), outputTokens: words.length }
}

/** Words stand for tokens: they cost nothing here, but an application can see where they would. */
function countWords({ instructions, messages }: GenerateRequest): number {
  const texts = messages.map((message) => (message.role === 'call' ? message.args : message.text))
  return [instructions, ...texts].join(' ').split(/\s+/).length
}

function pause(clock: Clock, duration: number, signal: AbortSignal): Promise<void> {
  return new Promise((resume) => {
    const end = () => {
      timer[Symbol.dispose]()
      signal.removeEventListener('abort', end)
      resume()
    }
    const timer = clock.at(clock.now() + duration, end)
    signal.addEventListener('abort', end, { once: true })
  })
}
