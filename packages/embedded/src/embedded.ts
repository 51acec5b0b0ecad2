import type { LLM, STT, TTS, TurnHandling, VAD } from 'antiphon'
import { flite } from './flite/flite.js'
import type { Loaded } from './loaded.js'
import { moonshine } from './moonshine/moonshine.js'
import { scriptedModel } from './scripted/scripted.js'
import { smallTalk } from './scripted/small-talk.js'
import { silero } from './silero.js'

export interface Embedded {
  readonly vad: VAD & Loaded
  readonly stt: STT & Loaded
  readonly tts: TTS & Loaded
  readonly llm: LLM
  /** Words are waited for longer than for those of a service: this machine may be busy. */
  readonly turnHandling: TurnHandling
}

/**
 * Everything a conversation needs, without a key and without a network: Silero, Moonshine, Flite, and a scripted demo
 * brain that can do no more than small talk. Replace it, and whatever else you have something better for.
 */
export const embedded = (): Embedded => ({
  vad: silero(),
  stt: moonshine(),
  tts: flite(),
  llm: scriptedModel(smallTalk),
  turnHandling: { endpointing: { transcriptTimeout: 6_000 } },
})
