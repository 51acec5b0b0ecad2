/**
 * The words on which two hypotheses agree from the beginning, as the later one writes them. What a recogniser says twice of
 * speech that goes on is seldom taken back.
 */
export function agreement(earlier: string, later: string): string {
  const before = words(earlier)
  const after = words(later)
  let count = 0
  while (count < after.length && count < before.length && bare(before[count]!) === bare(after[count]!)) count++
  // A model ends every hypothesis like a sentence; it means nothing as long as the speech goes on.
  return after
    .slice(0, count)
    .join(' ')
    .replace(/[.,!?]+$/, '')
}

const words = (text: string) => text.split(/\s+/).filter(Boolean)

const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}@]/gu, '')
