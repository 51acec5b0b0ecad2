import { readFile } from 'node:fs/promises'

/**
 * @typedef {import('onnxruntime-web').InferenceSession} Session
 * @typedef {import('onnxruntime-web').Tensor} Tensor
 * @typedef {Record<string, Tensor>} Tensors
 * @typedef {'native' | 'wasm'} Runtime
 *
 * @typedef {object} Onnx
 * @property {Runtime} runtime
 * @property {typeof import('onnxruntime-web').Tensor} Tensor
 * @property {(file: string) => Promise<Session>} open loads a model from a file
 */

/**
 * Two runtimes with one interface: the native one is faster and optional, the one in WebAssembly is always there. Each
 * works on one core, so that the sound of a conversation keeps the other.
 *
 * @param {Runtime} [wanted] default: native if it is installed
 * @returns {Promise<Onnx>}
 */
export async function loadOnnx(wanted) {
  const native = wanted === 'wasm' ? null : await loadNative(wanted === 'native')
  return native ?? loadWasm()
}

/** @param {boolean} needed @returns {Promise<Onnx | null>} */
async function loadNative(needed) {
  try {
    const { InferenceSession, Tensor } = (await import('onnxruntime-node')).default
    return {
      runtime: 'native',
      Tensor,
      open: (file) =>
        InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 }),
    }
  } catch (cause) {
    if (needed) throw new Error('onnxruntime-node does not load; run `npm install onnxruntime-node`', { cause })
    return null
  }
}

/** @returns {Promise<Onnx>} */
async function loadWasm() {
  const { env, InferenceSession, Tensor } = await import('onnxruntime-web')
  env.wasm.numThreads = 1
  env.logLevel = 'error'
  return {
    runtime: 'wasm',
    Tensor,
    // The full optimisation of a graph takes three times as long as it can save in a conversation.
    open: async (file) =>
      InferenceSession.create(await readFile(file), { executionProviders: ['wasm'], graphOptimizationLevel: 'basic' }),
  }
}
