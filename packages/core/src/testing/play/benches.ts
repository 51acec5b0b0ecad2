import type { SessionOptions } from '../../api/session.js'
import type { ScriptedVADOptions } from '../ears.js'
import type { TestLineOptions } from '../line.js'
import type { AnswerTiming } from '../script.js'
import type { ScriptedTTSOptions } from '../voice.js'
import type { EarTiming } from './acts.js'

/** How the world around a session behaves where a scene says nothing of it. */
export interface Bench {
  readonly llm: AnswerTiming
  readonly tts: Omit<ScriptedTTSOptions, 'clock'>
  readonly stt: EarTiming
  readonly vad: ScriptedVADOptions
  readonly line: Omit<TestLineOptions, 'clock'>
  readonly options: Omit<SessionOptions, 'line'>
}

export type BenchName = 'scenario' | 'field'

/**
 * `scenario`: a slow ear and patient endpointing, for rows that say when each thing happens. A voice is reported 50 ms after
 * its onset and 500 ms after its end; final words come 200 ms after it, the first two of them halfway; a model takes 100 ms to
 * its first word and 300 ms to its end; a voice waits for the whole text, takes 200 ms, and makes all of it at once; only final
 * words prove an interruption; openings are not prepared ahead.
 *
 * `field`: what a session meets outside, with the session's own defaults. A voice is reported 60 ms after its onset and 500 ms
 * after its end; words so far come every 300 ms, final ones 200 ms after the voice; a model takes 300 ms to its first word and
 * 20 ms for each; a voice speaks sentence by sentence, takes 150 ms, and makes 400 ms of sound a word, ten times faster than it
 * sounds; the line begins 20 ms after it is told to, and reports a clear within 20 ms.
 */
export const benches: Readonly<Record<BenchName, Bench>> = {
  scenario: {
    llm: { firstToken: 100, total: 300 },
    tts: { firstByte: 200, waitsFor: 'text', perWord: 300 },
    stt: { delay: 200, interims: 'halfway' },
    vad: { start: 50, end: 500 },
    line: {},
    options: {
      turnHandling: {
        endpointing: { minDelay: 500, maxDelay: 6_000 },
        interruption: { minDuration: 500, minWords: 0, words: 'final', falseInterruptionTimeout: 2_000 },
      },
      speculation: { openings: false },
      userAwayTimeout: 15_000,
    },
  },
  field: {
    llm: { firstToken: 300, perWord: 20 },
    tts: { firstByte: 150, waitsFor: 'sentence', perWord: 400, speed: 10 },
    stt: { delay: 200, interims: 300 },
    vad: { start: 60, end: 500 },
    line: { startDelay: 20, clearDelay: 20 },
    options: {},
  },
}
