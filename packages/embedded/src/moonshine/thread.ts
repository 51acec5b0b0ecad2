/** Moonshine in a thread of its own: its work is long and must not hold up the sound. Plain JavaScript, as Flite's. */
import { parentPort, workerData } from 'node:worker_threads'
import { answering } from '../answering.js'
import { loadMoonshine } from './model.js'

const moonshine = loadMoonshine(workerData)

answering(parentPort, async (/** @type {Float32Array} */ samples) => (await moonshine)(samples))
