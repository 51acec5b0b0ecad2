import type { Utterance } from '@antiphon/local'
import { type Line, record } from '../recording.js'

/** The second and the third are said while the agent speaks; then the caller corrects himself, and leaves after the answer. */
const LINES: readonly Line[] = [
  { text: 'Hello, I would like to register for the summer conference.', cue: { when: 'agent-rests', after: 500 } },
  { text: 'Wait, how much does it cost?', cue: { when: 'agent-speaks', after: 1_500 } },
  { text: 'My address is peter at example dot net.', cue: { when: 'agent-speaks', after: 2_500 } },
  { text: 'No, it ends with dot org.', cue: { when: 'agent-rests', after: 500 } },
  { text: "Yes, that's right.", cue: { when: 'agent-rests', after: 500 } },
]

export const recordCaller = (): Promise<Utterance[]> => record(LINES)
