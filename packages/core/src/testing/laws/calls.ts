import type { Message } from '../../conversation/history.js'
import { type Evidence, inputs, itemsOf, ms } from './evidence.js'

/** L3: each call has exactly one outcome, and each model that is shown it is shown exactly one answer. */
export function oneOutcome(evidence: Evidence): string[] {
  return [...inHistory(evidence), ...inLog(evidence), ...inRequests(evidence)]
}

function inHistory(evidence: Evidence): string[] {
  const { history, endedAt, atRest } = evidence
  const calls = itemsOf(evidence, 'call')
  const outputs = itemsOf(evidence, 'output').filter(({ progress }) => !progress)
  const ended = new Set(inputs(evidence, 'call-end').map(({ input }) => input.call))
  const open = calls.flatMap(({ id, name }) => {
    const count = outputs.filter(({ call }) => call === id).length
    if (count > 1) return [`the call ${id} of ${name} has ${count} outputs`]
    if (count === 1) return []
    if (endedAt !== null) return [`the call ${id} of ${name} has no output, and the session has ended`]
    return ended.has(id) && atRest ? [`the call ${id} of ${name} has ended, and has no output`] : []
  })
  const orphans = outputs.flatMap((output) => {
    const call = calls.find(({ id }) => id === output.call)
    if (!call) return [`the output ${output.id} belongs to the call ${output.call}, which is not there`]
    return history.indexOf(call) > history.indexOf(output)
      ? [`the output ${output.id} stands before its call ${call.id}`]
      : []
  })
  return [...open, ...orphans]
}

function inLog(evidence: Evidence): string[] {
  const ends = inputs(evidence, 'call-end').map(({ input }) => input.call)
  const twice = [...new Set(ends.filter((call, index) => ends.indexOf(call) !== index))]
  return twice.map((call) => `the call ${call} ended twice`)
}

function inRequests({ requests = [] }: Evidence): string[] {
  return requests.flatMap(({ at, messages }) => unpaired(messages).map((wrong) => `the request at ${ms(at)}: ${wrong}`))
}

function unpaired(messages: readonly Message[]): string[] {
  const answers = messages.flatMap((message, index) =>
    message.role === 'output' ? [{ call: message.call, index }] : [],
  )
  const calls = messages.flatMap((message, index) => (message.role === 'call' ? [{ call: message.call, index }] : []))
  return [
    ...calls.flatMap(({ call, index }) => {
      const mine = answers.filter((answer) => answer.call === call)
      if (mine.length !== 1) return [`the call ${call} stands beside ${mine.length} outputs`]
      return mine[0]!.index < index ? [`the output of the call ${call} stands before it`] : []
    }),
    ...answers
      .filter(({ call }) => !calls.some((each) => each.call === call))
      .map(({ call }) => `an output of the call ${call}, which is not there`),
  ]
}
