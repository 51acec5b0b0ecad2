export {
  type Agent,
  type AgentHooks,
  type AgentOptions,
  agent,
  type HookContext,
  isAgent,
  isTask,
  type Task,
  type TaskOptions,
  type TaskRunOptions,
  task,
  type UserTurn,
} from './api/agent.js'
export type {
  ChatContext,
  ConfigItem,
  ContextItem,
  CopyOptions,
  Exclusion,
  InstructionsItem,
  NewItem,
  StoredChatContext,
} from './api/chat-context.js'
export { type Clock, systemClock } from './api/clock.js'
export {
  AntiphonError,
  type Blame,
  InterruptedError,
  ProviderError,
  SessionClosed,
  StopResponse,
  ToolError,
  UsageError,
} from './api/errors.js'
export type { Line, Track, TrackEnd, TrackOptions } from './api/line.js'
export type {
  Audio,
  Failover,
  GenerateRequest,
  LLM,
  LLMPart,
  Running,
  Spoken,
  STT,
  ToolSpec,
  Transcript,
  TTS,
  TurnDetector,
  VAD,
  VADStream,
  VoiceSegment,
  WordTime,
} from './api/models.js'
export type {
  AssistantMetrics,
  Cause,
  Explanation,
  LLMTotal,
  LLMUsage,
  MessageMetrics,
  MetricsEvent,
  RecordedStep,
  Recording,
  SessionReport,
  SessionUsage,
  STTTotal,
  STTUsage,
  TTSTotal,
  TTSUsage,
  UsageEvent,
  UsageRecord,
  UsageTotal,
  UserMetrics,
} from './api/report.js'
export type { Infer, Json, Schema } from './api/schema.js'
export type {
  AgentSession,
  ErrorEvent,
  FailoverEvent,
  LogEntry,
  ReplyOptions,
  RunCall,
  RunResult,
  SayOptions,
  SessionEvent,
  SessionOptions,
  SpeechHandle,
  TranscriptEvent,
} from './api/session.js'
export {
  type FillerOptions,
  type Handoff,
  handoff,
  type RunContext,
  type Tool,
  type ToolOptions,
  type ToolResult,
  type Tools,
  tool,
} from './api/tool.js'
export { bytesOf, samplesOf } from './audio/bytes.js'
export { gain, mix } from './audio/mix.js'
export { Resampler, resample } from './audio/resample.js'
export { readWav, type Wav, writeWav } from './audio/wav.js'
export { chatContext, parseChatContext } from './context/chat-context.js'
export type {
  AgentItem,
  AssistantItem,
  CallItem,
  Item,
  Message,
  OutputItem,
  OverheardItem,
  UserItem,
} from './conversation/history.js'
export type {
  AgentChange,
  AgentRef,
  AgentState,
  CallStatus,
  CloseReason,
  Command,
  ConversationEvent,
  Failure,
  Id,
  Input,
  Priority,
  ToolChoice,
  ToolTraits,
  TurnEnd,
  UserState,
} from './conversation/protocol.js'
export type { Endpointing, Interruption, Limits, Settings, TurnHandling } from './conversation/settings.js'
export type { AttemptOptions } from './models/attempts.js'
export { type FallbackOptions, fallback } from './models/fallback.js'
export { type RetryOptions, retry } from './models/retry.js'
export { explain } from './report/explain.js'
export { replay } from './report/recording.js'
export { start } from './runtime/session.js'
