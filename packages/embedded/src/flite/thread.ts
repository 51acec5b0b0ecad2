/** The program of Flite's thread: a synthesis never holds up the sound of others. */
import { readFile } from 'node:fs/promises'
import { answering } from '../answering.js'
import { type Outcome, runProgram } from './wasi.js'
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

answering<{ readonly program: string }, SynthesisRequest, Synthesis>(
  async ({ program: path }) => {
    const program = await WebAssembly.compile(await readFile(path))
    return (request) => synthesize((...args) => runProgram(program, ['flite', ...args]), request)
  },
  ({ samples }) => [samples.buffer],
)

async function synthesize(
  flite: (...args: string[]) => Promise<Outcome>,
  { text, voice, speed }: SynthesisRequest,
): Promise<Synthesis> {
  const stretch = `duration_stretch=${(1 / speed).toFixed(3)}`
  const said = await flite('-voice', voice, '--setf', stretch, '-psdur', '-t', text, '-o', 'said.wav')
  const read = await flite('-voice', READER, '-pw', '-t', text, '-o', 'none')
  const wav = said.files.get('said.wav')
  if (!wav || wav.length < WAV_HEADER) throw new Error(`Flite has made no sound for ${JSON.stringify(text)}`)
  return { samples: new Int16Array(wav.slice(WAV_HEADER).buffer), phones: said.stdout, words: read.stdout }
}
