/** The program of Flite's thread: a synthesis never holds up the sound of others. */
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { answering } from '../answering.js'
import { runProgram } from './wasi.js'
import { WebAssembly } from './web-assembly.js'

export interface SynthesisRequest {
  readonly text: string
  readonly voice: string
  readonly speed: number
}

export interface Synthesis {
  readonly samples: Int16Array<ArrayBuffer>
  /** Each with the second at which it ends, as `hh:0.255 ax:0.304`. */
  readonly phones: string
  /** As they are said, with spaces between them. */
  readonly words: string
}

/** The smallest voice; all English voices share what turns text into words. */
const READER = 'kal'
const WAV_HEADER = 44

const { program: path } = workerData as { readonly program: string }
const program = WebAssembly.compile(await readFile(path))

const flite = async (...args: string[]) => runProgram(await program, ['flite', ...args])

async function synthesize({ text, voice, speed }: SynthesisRequest): Promise<Synthesis> {
  const stretch = `duration_stretch=${(1 / speed).toFixed(3)}`
  const said = await flite('-voice', voice, '--setf', stretch, '-psdur', '-t', text, '-o', 'said.wav')
  const read = await flite('-voice', READER, '-pw', '-t', text, '-o', 'none')
  const wav = said.files.get('said.wav')
  if (!wav || wav.length < WAV_HEADER) throw new Error(`Flite has made no sound for ${JSON.stringify(text)}`)
  return { samples: new Int16Array(wav.slice(WAV_HEADER).buffer), phones: said.stdout, words: read.stdout }
}

answering(parentPort, synthesize, ({ samples }) => [samples.buffer])
