/** The program of Moonshine's thread: its work is long and must not hold up the sound. */
import { answering } from '../answering.js'
import { type Hypothesis, Model, type Weights } from './model.js'

answering<Weights, Float32Array, Hypothesis | null>(async (weights) => {
  const model = await Model.load(weights)
  return (samples, isAbandoned) => model.transcribe(samples, isAbandoned)
})
