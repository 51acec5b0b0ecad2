/** How many words must be changed, left out or put in to make what was heard into what was said. */
export function wordErrors(said: string, heard: string): number {
  const [reference, words] = [plain(said), plain(heard)]
  let row = words.map((_, index) => index + 1)
  let corner = 0
  row.unshift(0)
  for (const [index, word] of reference.entries()) {
    const next = [index + 1]
    corner = row[0]!
    for (const [column, other] of words.entries()) {
      const change = corner + (word === other ? 0 : 1)
      corner = row[column + 1]!
      next.push(Math.min(change, corner + 1, next[column]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}

/** Case and punctuation are a matter of taste; an address may be written or said. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/(\w)\.(?=\w)/g, '$1 dot ')
    .replace(/@/g, ' at ')
    .match(/[a-z0-9']+/g) ?? []
