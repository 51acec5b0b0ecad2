import { type Agent, isAgent } from '../../api/agent.js'
import * as is from '../../api/check.js'
import { UsageError } from '../../api/errors.js'
import type { LLM, STT, TTS, TurnDetector, VAD } from '../../api/models.js'
import type { AgentSession, SessionOptions } from '../../api/session.js'
import type { ScriptedVADOptions } from '../ears.js'
import type { TestLineOptions } from '../line.js'
import type { AnswerTiming, Script } from '../script.js'
import type { ScriptedTTSOptions } from '../voice.js'
import type { Act, EarTiming, Stage } from './acts.js'
import { type BenchName, benches } from './benches.js'
import type { Scripts } from './cast.js'

/** A conversation to be played: who is in it, what happens when, and how the models behave. ms. */
export interface Scene {
  /** How the world behaves where the scene says nothing of it: see `benches`. Default `'field'`. */
  readonly bench?: BenchName
  /** Who has the conversation at first. */
  readonly agent: Agent
  /** Agents and tasks that take part and are not among anybody's `tools`, so that their requests bear their names. */
  readonly cast?: readonly Agent[]
  /** What happens: `user`, `noise`, `heard`, `typed`, `at`, `hangUp`, in any order. */
  readonly timeline?: readonly Act[]
  /** What the language model answers: one script for all, one for each agent by its name (`'*'`: all others), or a model. */
  readonly llm?: Script | Scripts | LLM
  /** When it answers, unless an answer says otherwise. */
  readonly answers?: AnswerTiming
  /** The voice: how it speaks, a voice of your own, or `null` for text only. */
  readonly tts?: Omit<ScriptedTTSOptions, 'clock'> | TTS | null
  /** The recogniser: when it writes, one of your own, or `null` for typed words only. */
  readonly stt?: EarTiming | STT | null
  /** The voice detector: when it is sure, one of your own, or `null` for none. */
  readonly vad?: ScriptedVADOptions | VAD | null
  /** End-of-turn probabilities: one for each question (the last for all further ones), or a model. Default: nobody is asked. */
  readonly turnDetector?:
    | readonly (number | null)[]
    | { readonly delay: number; readonly says: readonly (number | null)[] }
    | TurnDetector
  /** What the line can do, and how fast. */
  readonly line?: Omit<TestLineOptions, 'clock'>
  /** Options of the session. What stands here is added to those of the bench. */
  readonly options?: Omit<SessionOptions, 'line' | 'llm' | 'tts' | 'stt' | 'vad' | 'turnDetector' | 'clock'>
  /** Runs as soon as the session was started: for listeners, say. */
  readonly start?: (session: AgentSession, stage: Stage) => void
  /**
   * When the scene ends. Default: ten seconds after the last thing in the timeline, or as soon after that as nothing is said,
   * made or worked at; two minutes later at the latest.
   */
  readonly until?: number
  /** Whether the session is closed after the scene, to see what it leaves behind. Default true. */
  readonly close?: boolean
}

/** A scene, or a function that makes one: its tools and agents may use the stage, to wait on its clock, say. */
export type SceneMaker = Scene | ((stage: Stage) => Scene)

const list: is.Check = (where, value) => {
  if (!Array.isArray(value)) throw new UsageError(`${where} must be a list`)
}
const something: is.Check = (where, value) => {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
    throw new UsageError(`${where} must be a script (a list or a function), scripts by agent, or a model`)
  }
}

const fields: Record<keyof Scene, is.Check> = {
  bench: is.oneOf(...Object.keys(benches)),
  agent: (where, value) => {
    if (!isAgent(value)) throw new UsageError(`${where} must be an agent: make it with agent({ instructions })`)
  },
  cast: list,
  timeline: list,
  llm: something,
  answers: is.fields({ firstToken: is.duration, total: is.duration, perWord: is.duration }),
  tts: is.orNull(
    unless('speak', {
      firstByte: is.duration,
      duration: is.anything,
      perWord: is.duration,
      speed: is.limit,
      name: is.someText,
      waitsFor: is.oneOf('text', 'sentence'),
      aligned: is.oneOf('words', 'text', 'nothing'),
      takes: list,
      sampleRate: is.limit,
    }),
  ),
  stt: is.orNull(unless('transcribe', { delay: is.orNull(is.duration), interims: is.anything })),
  vad: is.orNull(unless('open', { name: is.someText, start: is.duration, end: is.duration, frame: is.limit })),
  turnDetector: is.anything,
  line: is.fields({
    name: is.someText,
    canPause: is.yesOrNo,
    canDuck: is.yesOrNo,
    startDelay: is.duration,
    stopDelay: is.duration,
    clearDelay: is.duration,
    losesClears: is.anything,
    losesEnds: is.anything,
    buffer: is.limit,
    frame: is.limit,
  }),
  options: is.anything,
  start: is.aFunction,
  until: is.duration,
  close: is.yesOrNo,
}

/** Fields, unless it has `member`: then it is a provider. */
function unless(member: string, known: Readonly<Record<string, is.Check>>): is.Check {
  return (where, value) => {
    if (typeof value === 'object' && value !== null && member in value) return
    is.fields(known)(where, value)
  }
}

const ear: Record<keyof EarTiming, is.Check> = { delay: is.orNull(is.duration), interims: is.anything }
const span = { from: is.duration, to: is.duration }

/** By the field that tells what kind of act it is. */
const acts: Readonly<Record<string, Readonly<Record<string, is.Check>>>> = {
  user: { user: is.someText, ...span, ...ear },
  noise: { noise: is.oneOf(true), ...span },
  heard: { heard: is.anything, at: is.duration },
  typed: { typed: is.someText, at: is.duration, interrupt: is.yesOrNo },
  do: { do: is.aFunction, at: is.duration, name: is.someText },
  hangUp: { hangUp: is.oneOf(true), at: is.duration },
}

/** @throws {UsageError} that names the field that cannot be. */
export function checkScene(scene: Scene): Scene {
  is.fields(fields)('scene', scene)
  if ((scene as Partial<Scene>).agent === undefined)
    throw new UsageError('scene.agent is missing: who has the conversation at first?')
  for (const [index, act] of (scene.timeline ?? []).entries()) checkAct(`scene.timeline[${index}]`, act)
  return scene
}

export function checkAct(where: string, act: Act): void {
  const kind = typeof act === 'object' ? Object.keys(acts).find((key) => key in act) : undefined
  const known = kind === undefined ? undefined : acts[kind]
  if (!known)
    throw new UsageError(`${where} is nothing that can happen: make it with user, noise, heard, typed, at or hangUp`)
  is.fields(known)(where, act)
  const missing = Object.keys(known).find((key) => ['from', 'to', 'at'].includes(key) && !(key in act))
  if (missing) throw new UsageError(`${where}.${missing} is missing`)
  if ('to' in act && act.to <= act.from)
    throw new UsageError(`${where} ends at ${act.to}, and begins only at ${act.from}`)
}
