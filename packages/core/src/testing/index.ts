/**
 * Everything to test a conversation with: a virtual clock, models that do as they are told, a line that remembers what was
 * heard, whole conversations in a few lines (`rehearse`), to the millisecond (`play`), and the laws that hold for all of them.
 */
export { VirtualClock } from './clock.js'
export { type ScriptedSTT, type ScriptedSTTOptions, type ScriptedVADOptions, scriptedSTT, scriptedVAD } from './ears.js'
export { type Evidence, evidenceOf } from './laws/evidence.js'
export { assertLaws, type Law, laws, type Violation, violations } from './laws/laws.js'
export { TestLine, type TestLineOptions } from './line.js'
export { type ModelRequest, type ScriptedLLM, type ScriptedLLMOptions, scriptedLLM } from './llm.js'
export {
  type Act,
  at,
  type DoAct,
  type EarTiming,
  type HangUpAct,
  type HeardAct,
  hangUp,
  heard,
  type NoiseAct,
  noise,
  type Stage,
  type TypedAct,
  typed,
  type UserAct,
  user,
} from './play/acts.js'
export { type Bench, type BenchName, benches } from './play/benches.js'
export type { Scripts } from './play/cast.js'
export type {
  ActRun,
  Audible,
  Leftovers,
  Observed,
  ObservedRequest,
  TaskRun,
  TimedEvent,
  ToolRun,
} from './play/observed.js'
export { play } from './play/play.js'
export type { Scene, SceneMaker } from './play/scene.js'
export { Rehearsal, type RehearsalOptions, rehearse } from './rehearse.js'
export {
  type AnswerFaults,
  type AnswerTiming,
  type Condition,
  flush,
  type Script,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptLine,
  type ScriptRule,
  toolCall,
} from './script.js'
export type { Sound, SpokenWord } from './sound.js'
export {
  type ScriptedTTS,
  type ScriptedTTSOptions,
  scriptedTTS,
  type VoiceRequest,
  type VoiceTake,
  type VoiceTiming,
} from './voice.js'
