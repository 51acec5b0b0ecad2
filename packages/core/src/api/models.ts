import type { Message } from '../conversation/history.js'
import type { ToolChoice } from '../conversation/protocol.js'
import type { Json } from './schema.js'

/** A piece of sound: signed 16-bit mono samples at `rate` Hz. */
export interface Audio {
  readonly samples: Int16Array
  readonly rate: number
}

/** What every request to a provider carries: it stops as soon as `signal` aborts. */
export interface Running {
  readonly signal: AbortSignal
  /** Tells the session whom a provider that stands for others asks, by name: what is used is that one's. */
  readonly asks?: (provider: string) => void
  /** Tells the session of a failure that nobody else will hear of. */
  readonly failedOver?: (failover: Failover) => void
}

/** A provider has failed, and `to` is asked in its stead: another, or the same once more. Both by name. */
export interface Failover {
  readonly from: string
  readonly to: string
  readonly error: unknown
}

export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema (draft 2020-12) of the arguments. */
  readonly input: Json
}

export interface GenerateRequest {
  readonly instructions: string
  /** The conversation as this agent may see it; each call stands beside exactly one output. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  readonly toolChoice: ToolChoice
}

export interface LLM {
  readonly name: string
  /** Streams the answer. A failure is thrown, as a `ProviderError` if it can. */
  generate(request: GenerateRequest, running: Running): AsyncIterable<LLMPart>
}

export type LLMPart =
  | { readonly type: 'text'; readonly text: string }
  /** `args`: the JSON text of the arguments. `id`: the provider's own, kept if it is new to the session. */
  | { readonly type: 'call'; readonly name: string; readonly args: string; readonly id?: string }
  /** What follows is spoken as a passage of its own. */
  | { readonly type: 'flush' }
  | {
      readonly type: 'usage'
      readonly inputTokens: number
      readonly outputTokens: number
      readonly cachedTokens?: number
    }

export interface TTS {
  readonly name: string
  /** Hz of the sound it makes. */
  readonly sampleRate: number
  /** Turns pieces of text, cut at the ends of sentences, into sound. */
  speak(text: AsyncIterable<string>, running: Running): AsyncIterable<Spoken>
}

export interface Spoken {
  /** Mono samples at the voice's `sampleRate`. */
  readonly audio: Int16Array
  /** The part of the text that this sound says, if the voice knows. The parts in a row make up the text. */
  readonly text?: string
  /** When each word of `text` is said, ms from the start of this `audio`. */
  readonly words?: readonly WordTime[]
}

export interface WordTime {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface STT {
  readonly name: string
  /** Hz it wants; what the line hears is resampled to it. */
  readonly sampleRate: number
  /** Reads what the line hears until it ends. */
  transcribe(
    audio: AsyncIterable<Audio>,
    running: Running & { readonly segments: AsyncIterable<VoiceSegment> },
  ): AsyncIterable<Transcript>
}

/** What the VAD says, for recognisers that work on whole utterances. `at`: ms from the start of the audio. */
export type VoiceSegment = { readonly type: 'start' | 'end' | 'flush'; readonly at: number }

export type Transcript =
  | {
      readonly type: 'transcript'
      readonly text: string
      readonly final: boolean
      readonly language?: string
      /** 0 to 1. */
      readonly confidence?: number
    }
  /** Recognisers that hear where speech begins and ends; used where there is no VAD. */
  | { readonly type: 'speech-start' | 'speech-end' }
  /** Seconds of audio recognised since the last such report. */
  | { readonly type: 'usage'; readonly audioSeconds: number }

export interface VAD {
  readonly name: string
  /** Hz it wants. */
  readonly sampleRate: number
  /** What its probabilities mean. */
  readonly detection?: Partial<Detection>
  /** Opens a detector for one stream of audio. */
  open(): Promise<VADStream> | VADStream
}

/** When a row of probabilities is a voice. */
export interface Detection {
  /** Probability from which a frame is voice. Default 0.5. */
  readonly on: number
  /** Probability below which it is silence. Default 0.35. */
  readonly off: number
  /** ms of voice, within twice that time, that make a beginning. Default 96. */
  readonly start: number
  /** ms of silence that make an end. Default 400. */
  readonly silence: number
}

export interface VADStream {
  /** Samples to be given at a time. */
  readonly frameSize: number
  /** The probability, 0 to 1, that the frame is a voice. */
  process(frame: Int16Array): Promise<number> | number
  close?(): Promise<void> | void
}

/** Decides from words whether somebody has finished. */
export interface TurnDetector {
  readonly name: string
  /** The probability, 0 to 1, that the turn is over; null when it cannot tell (another language, say). */
  predict(
    turn: { readonly text: string; readonly messages: readonly Message[] },
    running: Running,
  ): Promise<number | null>
}
