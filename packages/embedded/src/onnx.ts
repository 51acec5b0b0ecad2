import { readFile } from 'node:fs/promises'
import type { InferenceSession, Tensor, TypedTensor } from 'onnxruntime-web'

export type Session = InferenceSession
export type Tensors = Record<string, Tensor>

/** The native runtime is faster and optional; the one in WebAssembly is always there. */
export type Runtime = 'native' | 'wasm'

/** A runtime for models. It works on one core, so that the sound of a conversation keeps the others. */
export interface Onnx {
  readonly runtime: Runtime
  float32(values: Float32Array | readonly number[], dims: readonly number[]): TypedTensor<'float32'>
  int64(values: BigInt64Array, dims: readonly number[]): TypedTensor<'int64'>
  bool(value: boolean): TypedTensor<'bool'>
  /** Loads a model from a file. */
  open(file: string): Promise<Session>
}

/** @param wanted default: native if it is installed */
export async function loadOnnx(wanted?: Runtime): Promise<Onnx> {
  const native = wanted === 'wasm' ? null : await loadNative(wanted === 'native')
  return native ?? loadWasm()
}

async function loadNative(needed: boolean): Promise<Onnx | null> {
  try {
    const native = (await import('onnxruntime-node')).default
    const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 } as const
    return {
      runtime: 'native',
      ...tensors(native.Tensor as typeof Tensor),
      open: (file) => native.InferenceSession.create(file, options) as Promise<Session>,
    }
  } catch (cause) {
    if (needed) throw new Error('onnxruntime-node does not load; run `npm install onnxruntime-node`', { cause })
    return null
  }
}

async function loadWasm(): Promise<Onnx> {
  const web = await import('onnxruntime-web')
  web.env.wasm.numThreads = 1
  web.env.logLevel = 'error'
  // The full optimisation of a graph takes three times as long as it can save in a conversation.
  const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'basic' } as const
  return {
    runtime: 'wasm',
    ...tensors(web.Tensor),
    open: async (file) => web.InferenceSession.create(await readFile(file), options),
  }
}

function tensors(Make: typeof Tensor): Pick<Onnx, 'float32' | 'int64' | 'bool'> {
  return {
    float32: (values, dims) => new Make('float32', values, dims),
    int64: (values, dims) => new Make('int64', values, dims),
    bool: (value) => new Make('bool', [value], [1]),
  }
}
