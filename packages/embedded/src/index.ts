export { type Embedded, embedded } from './embedded.js'
export { type FliteOptions, flite } from './flite/flite.js'
export type { Loaded } from './loaded.js'
export { type MoonshineOptions, moonshine } from './moonshine/moonshine.js'
export type { Runtime } from './onnx.js'
export {
  type Answer,
  type Deed,
  type Intent,
  type Script,
  type ScriptedOptions,
  scriptedModel,
  type Talk,
} from './scripted/scripted.js'
export type { Slots } from './scripted/slots.js'
export { smallTalk } from './scripted/small-talk.js'
export { type SileroOptions, silero } from './silero.js'
