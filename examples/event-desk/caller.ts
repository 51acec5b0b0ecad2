import { flite } from '@antiphon/embedded'
import type { Cue, Utterance } from '@antiphon/local'
import type { Audio } from 'antiphon'

const LINES: readonly { readonly text: string; readonly cue: Cue }[] = [
  {
    text: 'Hello, I would like to register for the summer conference, please.',
    cue: { when: 'agent-rests', after: 700 },
  },
  { text: 'Wait, how much does it cost?', cue: { when: 'agent-speaks', after: 1_500 } },
  { text: 'My address is peter dot baker at example dot org.', cue: { when: 'agent-speaks', after: 2_500 } },
  { text: "Yes, that's right.", cue: { when: 'agent-rests', after: 700 } },
  { text: 'That is all. Thank you, goodbye.', cue: { when: 'agent-rests', after: 700 } },
]

/** Records a caller with another voice than the agent's. The second and the third line are said while the agent speaks. */
export async function recordCaller(): Promise<Utterance[]> {
  const voice = flite({ voice: 'rms' })
  const utterances: Utterance[] = []
  for (const { text, cue } of LINES) utterances.push({ cue, sound: await record(voice, text) })
  await voice.close()
  return utterances
}

async function record(voice: ReturnType<typeof flite>, text: string): Promise<Audio> {
  const signal = new AbortController().signal
  const samples: number[] = []
  for await (const { audio } of voice.speak(one(text), { signal })) samples.push(...audio)
  return { samples: Int16Array.from(samples), rate: voice.sampleRate }
}

async function* one(text: string): AsyncGenerator<string> {
  yield text
}
