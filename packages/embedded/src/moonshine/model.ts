import tokenizer from 'llama-tokenizer-js'
import { loadOnnx } from '../onnx.js'

/**
 * @typedef {import('../onnx.js').Onnx} Onnx
 * @typedef {import('../onnx.js').Session} Session
 * @typedef {import('../onnx.js').Tensor} Tensor
 * @typedef {import('../onnx.js').Tensors} Tensors
 *
 * @typedef {{ layers: number, heads: number, width: number }} Shape
 * @typedef {{ encoder: string, decoder: string, shape: Shape, runtime?: import('../onnx.js').Runtime | undefined }} Weights
 * @typedef {{ text: string, logProbability: number }} Hypothesis `logProbability`: the mean of its tokens
 */

const START = 1
const END = 2
const RATE = 16_000
/** Faster than anybody talks; it ends a model that repeats itself. */
const TOKENS_PER_SECOND = 6.5
/** ms; shorter sound is filled up with silence, because the encoder fails on less. */
const SHORTEST = 500

/**
 * Moonshine as an encoder and a decoder with a cache: sound in, the likeliest words out.
 *
 * @param {Weights} weights
 */
export async function loadMoonshine({ encoder, decoder, shape, runtime }) {
  const onnx = await loadOnnx(runtime)
  const encoding = await onnx.open(encoder)
  const decoding = await onnx.open(decoder)
  const nothingPast = emptyCache(onnx, shape)

  /** @param {Float32Array} samples */
  const encode = async (samples) => {
    const sound = new Float32Array(Math.max(samples.length, (SHORTEST * RATE) / 1_000))
    sound.set(samples)
    const input = new onnx.Tensor('float32', sound, [1, sound.length])
    return /** @type {Tensor} */ ((await encoding.run({ input_values: input }))['last_hidden_state'])
  }

  /** @param {number} token @param {Tensor} hidden @param {Tensors} past @param {boolean} first */
  const step = async (token, hidden, past, first) => {
    const output = await decoding.run({
      input_ids: new onnx.Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: hidden,
      use_cache_branch: new onnx.Tensor('bool', [!first], [1]),
      ...past,
    })
    const logits = /** @type {Float32Array} */ (output['logits']?.data)
    return { logits, past: nextCache(past, output, first) }
  }

  /**
   * The caller is sure that somebody speaks: an empty answer, which the model likes to give to digits, is not taken.
   *
   * @param {Float32Array} samples at 16 kHz, from -1 to 1; no more than about 15 s, or words are made up
   * @returns {Promise<Hypothesis>}
   */
  return async (samples) => {
    const hidden = await encode(samples)
    const most = Math.max(2, Math.ceil((samples.length / RATE) * TOKENS_PER_SECOND))
    /** @type {number[]} */
    const tokens = []
    let sum = 0
    let count = 0
    let past = nothingPast
    let token = START
    while (tokens.length <= most) {
      const first = tokens.length === 0
      const next = await step(token, hidden, past, first)
      const best = likeliest(next.logits, first ? END : null)
      past = next.past
      token = best.token
      sum += best.logProbability
      count += 1
      if (token === END) break
      tokens.push(token)
    }
    return { text: modern(tokenizer.decode([START, ...tokens]).trim()), logProbability: sum / count }
  }
}

/** @param {Onnx} onnx @param {Shape} shape @returns {Tensors} */
function emptyCache(onnx, { layers, heads, width }) {
  const names = Array.from({ length: layers }, (_, layer) =>
    ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((part) => `past_key_values.${layer}.${part}`),
  ).flat()
  return Object.fromEntries(names.map((name) => [name, new onnx.Tensor('float32', [], [0, heads, 1, width])]))
}

/**
 * What the decoder has seen so far. What it has seen of the sound is the same in each step, so it is taken once.
 *
 * @param {Tensors} past @param {Tensors} output @param {boolean} first
 * @returns {Tensors}
 */
function nextCache(past, output, first) {
  /** @type {Tensors} */
  const next = {}
  for (const [name, old] of Object.entries(past)) {
    const present = output[name.replace('past_key_values', 'present')]
    next[name] = present && (first || name.includes('decoder')) ? present : old
  }
  return next
}

/** @param {Float32Array} logits of the one step @param {number | null} forbidden */
function likeliest(logits, forbidden) {
  let token = -1
  let highest = Number.NEGATIVE_INFINITY
  for (let index = 0; index < logits.length; index++) {
    const value = /** @type {number} */ (logits[index])
    if (value > highest && index !== forbidden) {
      token = index
      highest = value
    }
  }
  let sum = 0
  for (const value of logits) sum += Math.exp(value - highest)
  return { token, logProbability: -Math.log(sum) }
}

/** Some of the books that the model has learnt from are old. @param {string} text */
const modern = (text) => text.replace(/\bto-(night|day|morrow)\b/gi, 'to$1').replace(/\bgood-by(e?)\b/gi, 'goodbye')
