import type { Item } from '../conversation/history.js'

/** A history to read: a line for each item, such as `user: book me` or `agent: Sure let me…` for words that were cut. */
export const transcriptOf = (history: readonly Item[]): string => history.map(lineOf).join('\n')

function lineOf(item: Item): string {
  switch (item.type) {
    case 'user':
      return `user: ${item.text}`
    case 'assistant':
      return `agent: ${item.text}${item.interrupted ? '…' : ''}`
    case 'call':
      return `call: ${item.name} ${item.args}`
    case 'output':
      return `${item.error ? 'error' : item.progress ? 'progress' : 'output'}: ${item.text}`
    case 'agent':
      return `${item.cause}: ${item.agent}`
    case 'overheard':
      return `overheard: ${item.text} (${item.reason})`
  }
}
