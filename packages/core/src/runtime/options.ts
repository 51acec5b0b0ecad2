import type { Agent } from '../api/agent.js'
import { isAgent, isTask } from '../api/agent.js'
import * as is from '../api/check.js'
import { type Clock, systemClock } from '../api/clock.js'
import { UsageError } from '../api/errors.js'
import type { Line } from '../api/line.js'
import type { LLM, STT, TTS, TurnDetector, VAD } from '../api/models.js'
import type { SessionOptions } from '../api/session.js'
import { turnHandling } from '../api/turn-handling.js'
import { defaults, type Limits, type Settings, type TurnHandling } from '../conversation/settings.js'

/** What a session works with: its options, checked and completed. */
export interface Setup {
  readonly id: string
  readonly settings: Settings
  readonly line: Line
  readonly models: Models
  readonly turnDetector: TurnDetector | undefined
  readonly userData: unknown
  readonly signal: AbortSignal | undefined
  readonly clock: Clock
}

/** What an agent uses that has none of its own. */
export interface Models {
  readonly llm: LLM | undefined
  readonly tts: TTS | undefined
  readonly stt: STT | undefined
  readonly vad: VAD | undefined
}

const limits = Object.fromEntries(Object.keys(defaults.limits).map((name) => [name, is.limit])) as Record<
  keyof Limits,
  is.Check
>

const known: Record<keyof SessionOptions, is.Check> = {
  line: is.having('a line', 'incoming', 'open', 'close'),
  llm: is.having('a language model', 'generate'),
  tts: is.having('a voice', 'sampleRate', 'speak'),
  stt: is.having('a speech recogniser', 'sampleRate', 'transcribe'),
  vad: is.having('a voice detector', 'sampleRate', 'open'),
  turnDetector: is.having('an end-of-turn model', 'predict'),
  turnDetection: is.oneOf('voice', 'manual'),
  turnHandling,
  speculation(where, value) {
    if (typeof value !== 'boolean') is.fields({ openings: is.yesOrNo, maxGuesses: is.count })(where, value)
  },
  userTurnLimit: is.fields({ maxWords: is.count, maxDuration: is.duration }),
  maxToolSteps: is.count,
  maxFailures: is.count,
  minConsecutiveSpeechDelay: is.duration,
  userAwayTimeout: is.orNull(is.limit),
  limits: is.fields(limits),
  userData: is.anything,
  signal: is.signal,
  clock: is.having('a clock', 'now', 'at'),
  id: is.someText,
}

/** @throws {UsageError} that says which option cannot be, and what to do. */
export function setUp(root: Agent, options: SessionOptions): Setup {
  checkAgent(root)
  is.fields(known)('options', options)
  if ((options as Partial<SessionOptions>).line === undefined) {
    throw new UsageError(
      'start(agent, { line, … }) needs a `line`: where the session hears and is heard, such as microphone() or browser(…)',
    )
  }
  const models: Models = { llm: options.llm, tts: options.tts, stt: options.stt, vad: options.vad }
  return {
    id: options.id ?? crypto.randomUUID(),
    settings: settingsOf(root, options),
    line: options.line,
    models,
    turnDetector: options.turnDetector,
    userData: options.userData,
    signal: options.signal,
    clock: options.clock ?? systemClock,
  }
}

function checkAgent(root: unknown): void {
  if (!isAgent(root)) throw new UsageError('start(agent, options) needs an agent: make it with agent({ instructions })')
  if (isTask(root)) {
    throw new UsageError(
      `start: "${root.name}" is a task, and nobody would await it; start an agent that awaits it with run.task(task)`,
    )
  }
}

function settingsOf(root: Agent, options: SessionOptions): Settings {
  const { turnDetection: turns = 'voice', line, turnDetector } = options
  const hears = (root.stt ?? options.stt) !== undefined
  const detects = (root.vad ?? options.vad) !== undefined
  if (detects && !hears) {
    throw new UsageError(
      'there is a `vad` and no `stt`: nobody would write down what the caller says. Give an `stt` too, or neither, for typed words',
    )
  }
  if (turnDetector && (turns === 'manual' || !hears)) {
    const why = turns === 'manual' ? 'commitUserTurn ends the turns' : 'it judges words, and there is no `stt`'
    throw new UsageError(`the \`turnDetector\` would never be asked: ${why}. Leave it out`)
  }
  const { userAwayTimeout = defaults.userAwayTimeout, maxToolSteps = defaults.maxToolSteps } = options
  return {
    turns,
    voice: (root.tts ?? options.tts) ? 'tts' : 'none',
    transcribes: hears,
    measuresVoice: detects,
    predicts: turnDetector !== undefined,
    line: { canPause: line.canPause, canDuck: line.canDuck },
    speculation: speculationOf(options.speculation),
    turnHandling: turnHandlingOf(options),
    userTurnLimit: userTurnLimitOf(options.userTurnLimit),
    maxToolSteps,
    maxFailures: options.maxFailures ?? defaults.maxFailures,
    minConsecutiveSpeechDelay: options.minConsecutiveSpeechDelay ?? defaults.minConsecutiveSpeechDelay,
    userAwayTimeout,
    limits: { ...defaults.limits, ...given(options.limits) },
  }
}

function speculationOf(speculation: SessionOptions['speculation']): Settings['speculation'] {
  if (typeof speculation === 'boolean') return { ...defaults.speculation, enabled: speculation }
  return { ...defaults.speculation, ...given(speculation) }
}

function userTurnLimitOf(limit: SessionOptions['userTurnLimit']): Settings['userTurnLimit'] {
  return limit ? { maxWords: limit.maxWords ?? null, maxDuration: limit.maxDuration ?? null } : null
}

function turnHandlingOf({ turnHandling = {}, line }: SessionOptions): Settings['turnHandling'] {
  const wanted = wantedTurnHandling(turnHandling)
  if (wanted.interruption.hold === 'duck' && !line.canDuck) {
    const instead = line.canPause ? "use hold: 'pause'" : 'leave `hold` out: a voice will cut the speech at once'
    throw new UsageError(`options.turnHandling.interruption.hold: the line "${line.name}" cannot duck; ${instead}`)
  }
  const endpointing = { ...defaults.turnHandling.endpointing, ...wanted.endpointing }
  // whoever names only one of the two delays means it
  if (wanted.endpointing.maxDelay === undefined)
    endpointing.maxDelay = Math.max(endpointing.maxDelay, endpointing.minDelay)
  else endpointing.minDelay = Math.min(endpointing.minDelay, endpointing.maxDelay)
  return { endpointing, interruption: { ...defaults.turnHandling.interruption, ...wanted.interruption } }
}

/** A copy of what somebody wants, as the conversation keeps it. */
export function wantedTurnHandling({ endpointing, interruption }: TurnHandling): Required<TurnHandling> {
  const wanted = given(interruption)
  const backchannels = wanted.backchannels?.map((word) => word.toLowerCase())
  return { endpointing: given(endpointing), interruption: { ...wanted, ...(backchannels && { backchannels }) } }
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** Only what is there: a field that is undefined is as good as left out. */
function given<T extends object>(options: T | undefined): Given<T> {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as Given<T>
}
