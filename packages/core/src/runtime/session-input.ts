import type { Agent } from '../api/agent.js'
import * as is from '../api/check.js'
import { UsageError } from '../api/errors.js'
import type { ReplyOptions, SayOptions } from '../api/session.js'

const spoken = {
  allowInterruptions: is.yesOrNo,
  priority: is.oneOf('low', 'normal', 'high'),
}

const sayOptions: Record<keyof SayOptions, is.Check> = { ...spoken, addToHistory: is.yesOrNo }

const replyOptions: Record<keyof ReplyOptions, is.Check> = {
  ...spoken,
  instructions: is.aText,
  userInput: is.someText,
  toolChoice: is.oneOf('auto', 'none', 'required'),
  withoutTools: is.texts,
}

export const checkVerdict = is.oneOf('backchannel', 'interruption')

/** @throws {UsageError} that says why these words cannot be said, or not like this. */
export function checkSaid(text: unknown, options: SayOptions): void {
  if (typeof text === 'string') {
    if (text.trim() === '') throw new UsageError('session.say(text) needs words; there are none')
  } else if (typeof text !== 'object' || text === null || !(Symbol.asyncIterator in text)) {
    throw new UsageError('session.say(text) needs a string, or an async iterable of strings')
  }
  is.fields(sayOptions)('the options of session.say', options)
}

/** @throws {UsageError} that says why `agent` cannot reply like this. */
export function checkReply({ name, tools }: Agent, options: ReplyOptions): void {
  is.fields(replyOptions)('the options of session.generateReply', options)
  const unknown = options.withoutTools?.find((tool) => !Object.hasOwn(tools, tool))
  if (unknown === undefined) return
  const known = Object.keys(tools).join(', ') || 'none'
  throw new UsageError(`generateReply: agent "${name}" has no tool "${unknown}" to do without; its tools: ${known}`)
}

/** @throws {UsageError} when there are no words. */
export function checkTyped(text: unknown): void {
  if (typeof text !== 'string' || text.trim() === '')
    throw new UsageError('session.text(text) needs words; there are none')
}
