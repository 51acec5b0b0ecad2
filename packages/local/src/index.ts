export type { Cue, Stretch, Utterance } from './caller.js'
export { type MicrophoneOptions, microphone } from './microphone.js'
export { type RecordedLine, type RecordedLineOptions, recordedLine } from './recorded-line.js'
