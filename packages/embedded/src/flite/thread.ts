/**
 * Flite in a thread of its own, so that a synthesis never holds up the sound of others. Plain JavaScript, because a
 * thread has no TypeScript loader when this repository runs from its sources.
 */
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { answering } from '../answering.js'
import { runProgram } from './wasi.js'

/** The smallest voice; all English voices share what turns text into words. */
const READER = 'kal'
const WAV_HEADER = 44

/**
 * @typedef {{ text: string, voice: string, speed: number }} SynthesisRequest
 * @typedef {{ samples: Int16Array<ArrayBuffer>, rate: number, phones: string, words: string }} Synthesis
 *   `phones`: each with the second at which it ends, as "hh:0.255 ax:0.304"; `words`: as they are said, with spaces
 */

const program = WebAssembly.compile(await readFile(workerData.program))

/** @param {string[]} args */
const flite = async (...args) => runProgram(await program, ['flite', ...args])

/** @type {(request: SynthesisRequest) => Promise<Synthesis>} */
async function synthesize({ text, voice, speed }) {
  const stretch = `duration_stretch=${(1 / speed).toFixed(3)}`
  const said = await flite('-voice', voice, '--setf', stretch, '-psdur', '-t', text, '-o', 'said.wav')
  const read = await flite('-voice', READER, '-pw', '-t', text, '-o', 'none')
  const wav = said.files.get('said.wav')
  if (!wav || wav.length < WAV_HEADER) throw new Error(`Flite has made no sound for ${JSON.stringify(text)}`)
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength)
  const samples = new Int16Array(wav.slice(WAV_HEADER).buffer)
  return { samples, rate: view.getUint32(24, true), phones: said.stdout, words: read.stdout }
}

answering(parentPort, synthesize, ({ samples }) => [samples.buffer])
