/** The program of Moonshine's thread: its work is long and must not hold up the sound. */
import { parentPort, workerData } from 'node:worker_threads'
import { answering } from '../answering.js'
import { Model, type Weights } from './model.js'

const model = Model.load(workerData as Weights)

answering(parentPort, async (samples: Float32Array) => (await model).transcribe(samples))
