import type { VAD, VADStream } from 'antiphon'
import { packageFile } from './files.js'
import type { Loaded } from './loaded.js'
import { loadOnnx, type Onnx, type Runtime, type Session } from './onnx.js'

export interface SileroOptions {
  /** Default: native if it is installed. */
  readonly runtime?: Runtime
}

interface Model {
  readonly onnx: Onnx
  readonly session: Session
}

const RATE = 16_000
const FRAME = 512
/** Each frame is judged together with the last samples of the one before. */
const CONTEXT = 64
const STATE = [2, 1, 128] as const

/** Silero VAD, version 6: the probability of a voice for each 32 ms. About 5 ms of work for a second of sound. */
export function silero({ runtime }: SileroOptions = {}): VAD & Loaded {
  let model: Promise<Model> | null = null
  const load = () => {
    model ??= open(runtime).catch((error: unknown) => {
      model = null
      throw error
    })
    return model
  }
  return {
    name: 'silero v6',
    sampleRate: RATE,
    open: async () => stream(await load()),
    async ready() {
      await stream(await load()).process(new Int16Array(FRAME))
    },
    async close() {
      const loaded = await model
      model = null
      await loaded?.session.release()
    },
  }
}

async function open(runtime: Runtime | undefined): Promise<Model> {
  const onnx = await loadOnnx(runtime)
  return { onnx, session: await onnx.open(packageFile('@ricky0123/vad-web', 'dist/silero_vad_v6.onnx')) }
}

function stream({ onnx, session }: Model): VADStream {
  const window = new Float32Array(CONTEXT + FRAME)
  const rate = onnx.int64(BigInt64Array.of(BigInt(RATE)), [])
  let state = onnx.float32(new Float32Array(STATE[0] * STATE[1] * STATE[2]), STATE)
  return {
    frameSize: FRAME,
    async process(frame) {
      window.copyWithin(0, FRAME)
      for (const [index, sample] of frame.entries()) window[CONTEXT + index] = sample / 32_768
      const input = onnx.float32(window.slice(), [1, window.length])
      const answer = await session.run({ input, state, sr: rate })
      state = answer['stateN'] as typeof state
      return (answer['output']!.data as Float32Array)[0]!
    },
  }
}
