import { flite } from '@antiphon/embedded'
import type { Cue, Utterance } from '@antiphon/local'
import type { Audio, TTS } from 'antiphon'

/** Something that a caller says, and when. */
export interface Line {
  readonly text: string
  readonly cue: Cue
}

/** Records a caller with another voice than the agent's. */
export async function record(lines: readonly Line[]): Promise<Utterance[]> {
  const voice = flite({ voice: 'rms' })
  const utterances: Utterance[] = []
  for (const { text, cue } of lines) utterances.push({ cue, sound: await say(voice, text) })
  await voice.close()
  return utterances
}

async function say(voice: TTS, text: string): Promise<Audio> {
  const samples: number[] = []
  for await (const { audio } of voice.speak(one(text), { signal: new AbortController().signal })) samples.push(...audio)
  return { samples: Int16Array.from(samples), rate: voice.sampleRate }
}

async function* one(text: string): AsyncGenerator<string> {
  yield text
}
