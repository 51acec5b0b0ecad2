import type { Transcript } from '../../api/models.js'
import type { AgentSession } from '../../api/session.js'
import type { VirtualClock } from '../clock.js'
import type { ScriptedLLM } from '../llm.js'
import type { AnswerTiming, Script } from '../script.js'
import type { ScriptedTTS, ScriptedTTSOptions } from '../voice.js'

/** Something that happens at a time of its own: see `user`, `noise`, `heard`, `typed`, `at` and `hangUp`. Times: ms from the start. */
export type Act = UserAct | NoiseAct | HeardAct | TypedAct | DoAct | HangUpAct

/** When a recogniser writes down what it heard. ms. */
export interface EarTiming {
  /** From the end of the voice to the final words. `null`: they never come. */
  readonly delay?: number | null
  /**
   * Words before the final ones: every so many ms while the voice sounds, all that were spoken so far; `'halfway'`: the first
   * two, in the middle of the delay; `false`: none.
   */
  readonly interims?: number | 'halfway' | false
}

/** The user says something. */
export interface UserAct extends EarTiming {
  readonly user: string
  readonly from: number
  readonly to: number
}
/** A sound that is taken for a voice, and has no words. */
export interface NoiseAct {
  readonly noise: true
  readonly from: number
  readonly to: number
}
/** The recogniser hears something, or fails, whatever sounds. */
export interface HeardAct {
  readonly heard: Transcript | Error
  readonly at: number
}
/** The user types something: a turn that needs no ear. */
export interface TypedAct {
  readonly typed: string
  readonly at: number
  readonly interrupt?: boolean
}
/** The application does something. */
export interface DoAct {
  readonly do: (session: AgentSession, stage: Stage) => unknown
  readonly at: number
  readonly name?: string
}
/** The caller leaves. */
export interface HangUpAct {
  readonly hangUp: true
  readonly at: number
}

/** What the agents, tools and hooks of a scene may use of the world that it is played in. */
export interface Stage {
  readonly clock: VirtualClock
  /** The session that is played. @throws {UsageError} before it was started. */
  readonly session: AgentSession
  /** Waits: a tool that works for three seconds awaits `stage.sleep(3_000, run.signal)`. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Notes that something happened: it stands in `observed.marks`, with its time. */
  mark(name: string, data?: unknown): void
  /** Adds to the timeline while it is played. */
  perform(act: Act): void
  /** A model of an agent's own: `agent({ llm: stage.llm(['Hello.']) })`. */
  llm(script: Script, options?: AnswerTiming & { readonly name?: string }): ScriptedLLM
  /** A voice of an agent's own. */
  tts(options?: Omit<ScriptedTTSOptions, 'clock'>): ScriptedTTS
}

/**
 * The user says `text`, with a voice that sounds from one time to another.
 *
 * ```ts
 * user(500, 2_500, 'book me')
 * user(3_600, 4_400, 'hmm ok', { delay: 500 })       // the final words come half a second after the voice
 * user(3_600, 4_400, 'hmm ok', { delay: null })      // they never come
 * user(3_600, 4_400, 'hmm ok', { interims: 100 })    // what was said so far comes every 100 ms
 * ```
 */
export const user = (from: number, to: number, text: string, timing: EarTiming = {}): UserAct => ({
  user: text,
  from,
  to,
  ...timing,
})

/** A cough, a door, a voice in the room: it is taken for a voice, and has no words. */
export const noise = (from: number, to: number): NoiseAct => ({ noise: true, from, to })

/**
 * The recogniser hears something, whatever sounds: words of a text (final ones), or any `Transcript`; or it fails.
 *
 * ```ts
 * noise(0, 2_000), heard(1_000, 'to Rome'), heard(2_200, 'no to Paris')   // two sentences in one breath
 * heard(600, { type: 'speech-start' })                                    // a recogniser that hears where speech begins
 * heard(600, new ProviderError('connection lost'))
 * ```
 */
export const heard = (time: number, what: string | Transcript | Error): HeardAct => ({
  heard: typeof what === 'string' ? { type: 'transcript', text: what, final: true } : what,
  at: time,
})

/** The user types `text`. */
export const typed = (time: number, text: string, options: { readonly interrupt?: boolean } = {}): TypedAct => ({
  typed: text,
  at: time,
  ...options,
})

/**
 * The application does something. What it returns or throws, and when, stands in `observed.acts` under `name`.
 *
 * ```ts
 * at(5_000, (session) => session.interrupt(), 'interrupt')
 * at(8_000, (session) => session.updateAgent(other))
 * at(9_000, (session) => session.close(), 'close')
 * ```
 */
export const at = (time: number, act: DoAct['do'], name?: string): DoAct => ({
  do: act,
  at: time,
  ...(name !== undefined && { name }),
})

/** The caller leaves. */
export const hangUp = (time: number): HangUpAct => ({ hangUp: true, at: time })

/** When an act is over. */
export const endOf = (act: Act): number => ('to' in act ? act.to : act.at)

/** What a recogniser makes of what a user says, and when. */
export function transcriptsOf(
  { user: text, from, to, ...own }: UserAct,
  usual: EarTiming,
): { readonly at: number; readonly heard: Transcript }[] {
  const { delay = 200, interims = false } = { ...usual, ...own }
  const words = text.trim().split(/\s+/)
  const hear = (time: number, count: number, final: boolean) => ({
    at: time,
    heard: { type: 'transcript' as const, text: words.slice(0, count).join(' '), final },
  })
  const heardSo: { at: number; heard: Transcript }[] = []
  if (typeof interims === 'number') {
    for (let time = from + interims; time < to; time += interims) {
      const count = Math.round(((time - from) / (to - from)) * words.length)
      if (count > 0) heardSo.push(hear(time, count, false))
    }
  }
  if (interims === 'halfway' && delay !== null) heardSo.push(hear(to + delay / 2, 2, false))
  if (delay !== null) heardSo.push(hear(to + delay, words.length, true))
  return heardSo
}
