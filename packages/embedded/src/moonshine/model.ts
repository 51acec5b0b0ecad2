import tokenizer from 'llama-tokenizer-js'
import type { Tensor } from 'onnxruntime-web'
import { loadOnnx, type Onnx, type Runtime, type Session, type Tensors } from '../onnx.js'

export interface Weights {
  /** Paths of the two halves of the model. */
  readonly encoder: string
  readonly decoder: string
  /** Of the decoder's cache. */
  readonly shape: { readonly layers: number; readonly heads: number; readonly width: number }
  readonly runtime: Runtime | undefined
}

export interface Hypothesis {
  readonly text: string
  /** The mean of its tokens. */
  readonly logProbability: number
}

const START = 1
const END = 2
const RATE = 16_000
/** Faster than anybody talks; it ends a model that repeats itself. */
const TOKENS_PER_SECOND = 6.5
/** Samples; shorter sound is filled up with silence, because the encoder fails on less. */
const SHORTEST = RATE / 2

/** Moonshine as an encoder and a decoder with a cache: sound in, the likeliest words out. */
export class Model {
  readonly #onnx: Onnx
  readonly #encoder: Session
  readonly #decoder: Session
  readonly #nothingPast: Tensors

  private constructor(onnx: Onnx, encoder: Session, decoder: Session, shape: Weights['shape']) {
    this.#onnx = onnx
    this.#encoder = encoder
    this.#decoder = decoder
    this.#nothingPast = emptyCache(onnx, shape)
  }

  static async load({ encoder, decoder, shape, runtime }: Weights): Promise<Model> {
    const onnx = await loadOnnx(runtime)
    return new Model(onnx, await onnx.open(encoder), await onnx.open(decoder), shape)
  }

  /**
   * Writes down what is said in `samples`, from -1 to 1 at 16 kHz, no more than about 15 s, or words are made up. Whoever
   * asks is sure that somebody speaks: an empty answer, which the model likes to give to digits, is not taken.
   *
   * @returns null when it was abandoned
   */
  async transcribe(samples: Float32Array, isAbandoned: () => boolean): Promise<Hypothesis | null> {
    const hidden = await this.#encode(samples)
    const most = Math.max(2, Math.ceil((samples.length / RATE) * TOKENS_PER_SECOND))
    const tokens: number[] = []
    let [sum, count] = [0, 0]
    let past: Tensors | null = null
    while (tokens.length <= most) {
      if (isAbandoned()) return null
      const step = await this.#step(tokens.at(-1) ?? START, hidden, past)
      const best = likeliest(step.logits, tokens.length === 0 ? END : null)
      past = step.past
      sum += best.logProbability
      count += 1
      if (best.token === END) break
      tokens.push(best.token)
    }
    return { text: modern(tokenizer.decode([START, ...tokens]).trim()), logProbability: sum / count }
  }

  async #encode(samples: Float32Array): Promise<Tensor> {
    const sound = new Float32Array(Math.max(samples.length, SHORTEST))
    sound.set(samples)
    const output = await this.#encoder.run({ input_values: this.#onnx.float32(sound, [1, sound.length]) })
    return output['last_hidden_state']!
  }

  async #step(token: number, hidden: Tensor, past: Tensors | null): Promise<{ logits: Float32Array; past: Tensors }> {
    const output = await this.#decoder.run({
      input_ids: this.#onnx.int64(BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: hidden,
      use_cache_branch: this.#onnx.bool(past !== null),
      ...(past ?? this.#nothingPast),
    })
    return { logits: output['logits']!.data as Float32Array, past: this.#remember(past, output) }
  }

  /** What the decoder has seen so far. What it has seen of the sound is the same in each step, so it is taken once. */
  #remember(past: Tensors | null, output: Tensors): Tensors {
    const names = Object.keys(this.#nothingPast)
    const present = (name: string) => output[name.replace('past_key_values', 'present')]!
    const known = (name: string) => (name.includes('encoder') ? past?.[name] : undefined)
    return Object.fromEntries(names.map((name) => [name, known(name) ?? present(name)]))
  }
}

function emptyCache(onnx: Onnx, { layers, heads, width }: Weights['shape']): Tensors {
  const parts = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']
  const names = Array.from({ length: layers }, (_, layer) => parts.map((part) => `past_key_values.${layer}.${part}`))
  return Object.fromEntries(names.flat().map((name) => [name, onnx.float32([], [0, heads, 1, width])]))
}

/** The likeliest token of one step. */
function likeliest(logits: Float32Array, forbidden: number | null): { token: number; logProbability: number } {
  let token = -1
  let highest = Number.NEGATIVE_INFINITY
  for (let index = 0; index < logits.length; index++) {
    const value = logits[index]!
    if (value <= highest || index === forbidden) continue
    token = index
    highest = value
  }
  let sum = 0
  for (const value of logits) sum += Math.exp(value - highest)
  return { token, logProbability: -Math.log(sum) }
}

/** Some of the books that the model has learnt from are old. */
const modern = (text: string) =>
  text.replace(/\bto-(night|day|morrow)\b/gi, 'to$1').replace(/\bgood-by(e?)\b/gi, 'goodbye')
