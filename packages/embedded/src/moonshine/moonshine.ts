import type { Audio, STT, Transcript, VoiceSegment } from 'antiphon'
import { packageFile } from '../files.js'
import type { Loaded } from '../loaded.js'
import type { Runtime } from '../onnx.js'
import { Thread } from '../thread.js'
import { Listener, type Recognise } from './listener.js'
import type { Hypothesis, Weights } from './model.js'

export interface MoonshineOptions {
  /** `base` makes about half as many mistakes as `tiny`, and takes twice the time. Default `base`. */
  readonly model?: 'base' | 'tiny'
  /** Default: native if it is installed. */
  readonly runtime?: Runtime
}

const RATE = 16_000

const shapes = {
  base: { layers: 8, heads: 8, width: 52 },
  tiny: { layers: 6, heads: 8, width: 36 },
}

/**
 * Moonshine, English speech recognition in a worker thread. It hears whole utterances, so it needs a VAD beside it; while
 * one goes on, it tells the words of which it has become sure.
 */
export function moonshine({ model = 'base', runtime }: MoonshineOptions = {}): STT & Loaded {
  const weights = (part: string) =>
    packageFile('@usefulsensors/moonshine-js', `dist/model/${model}/quantized/${part}.onnx`)
  const thread = new Thread<Float32Array, Hypothesis | null>(new URL('./thread.js', import.meta.url), {
    encoder: weights('encoder_model'),
    decoder: weights('decoder_model_merged'),
    shape: shapes[model],
    runtime,
  } satisfies Weights)
  const recognise: Recognise = (samples, signal) => thread.ask(samples, { transfers: [samples.buffer], signal })
  return {
    name: `moonshine ${model}`,
    sampleRate: RATE,
    transcribe: (audio, { signal, segments }) => transcripts(recognise, audio, segments, signal),
    async ready() {
      await recognise(new Float32Array(RATE), new AbortController().signal)
    },
    close: () => thread.close(),
  }
}

/** Listens to both streams at once, until the sound ends or the signal aborts. */
function transcripts(
  recognise: Recognise,
  audio: AsyncIterable<Audio>,
  segments: AsyncIterable<VoiceSegment>,
  signal: AbortSignal,
): AsyncIterable<Transcript> {
  let gone = false
  return new ReadableStream<Transcript>({
    start(told) {
      const leave = (error?: unknown) => {
        if (gone) return
        gone = true
        if (error === undefined) told.close()
        else told.error(error)
      }
      const listener = new Listener(recognise, {
        tell: (transcript) => gone || told.enqueue(transcript),
        fail: leave,
      })
      const follow = async () => {
        for await (const segment of segments) {
          if (gone) return
          listener.voice(segment)
        }
      }
      const hear = async () => {
        for await (const { samples } of audio) {
          if (gone) return
          listener.hear(samples)
        }
        await listener.finish()
        leave()
      }
      signal.addEventListener('abort', () => leave(), { once: true })
      if (signal.aborted) leave()
      follow().catch(leave)
      hear().catch(leave)
    },
    cancel() {
      gone = true
    },
  })
}
