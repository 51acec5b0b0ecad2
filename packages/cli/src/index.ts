export type { TalkModule } from './module.js'
export { type Paint, type Style, styleFor } from './style.js'
export { type TalkOptions, talk } from './talk.js'
