import type { Interruption } from './settings.js'

/** Joins two pieces of what somebody said. */
export const join = (left: string, right: string): string =>
  left === '' || right === '' ? left + right : `${left} ${right}`

/** Counts words; in scripts without spaces, characters. */
export function countWords(text: string): number {
  const spaceless = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu,
  )
  const rest = text.replace(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu,
    ' ',
  )
  return (spaceless?.length ?? 0) + rest.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

/** Whether `text` says nothing but "I am listening". */
export function isBackchannel(text: string, { backchannels }: Interruption): boolean {
  const words = text
    .toLowerCase()
    .split(/[\s.,!?…]+/u)
    .filter((word) => word !== '')
  return words.length > 0 && words.every((word) => backchannels.includes(word))
}
