import { ToolError } from '../api/errors.js'
import type { ToolSpec } from '../api/models.js'
import type { Id } from '../conversation/protocol.js'
import type { State } from '../conversation/state.js'
import type { Call } from '../conversation/work.js'
import type { Called } from './run.js'

/** The tool with which a model stops what the caller does not want any more. */
export const cancelCall = 'cancel_call'

/** Characters of its arguments by which a call is told from others. */
const enough = 200

/** What the model of the agent in `frame` is told of the calls that it may stop. null: there are none. */
export function cancelSpec(state: State, frame: Id): ToolSpec | null {
  const calls = cancellable(state, frame)
  if (calls.length === 0) return null
  const which = calls.map(({ id, name, args }) => `${id} is ${name} with ${args.slice(0, enough)}`).join('; ')
  return {
    name: cancelCall,
    description: 'Stops a call that is still running. Use it when the caller does not want it any more.',
    input: {
      type: 'object',
      properties: { call: { type: 'string', enum: calls.map(({ id }) => id), description: `Which one: ${which}.` } },
      required: ['call'],
      additionalProperties: false,
    },
  }
}

/** Stops the call that `args` name, by its id or, where there is only one such, by its tool. Resolves when it has ended. */
export async function cancelOther({ kernel, call: own }: Called, args: unknown): Promise<string> {
  const { state } = kernel
  const calls = cancellable(state, state.calls.find(({ id }) => id === own)?.frame ?? '')
  const wanted = typeof args === 'object' && args !== null && 'call' in args ? args.call : undefined
  const [call, ...others] = calls.filter(({ id, name }) => id === wanted || name === wanted)
  if (!call) throw new ToolError(`No call "${String(wanted)}" runs that can be cancelled. ${listed(calls)}`)
  if (others.length > 0) throw new ToolError(`Several calls of "${String(wanted)}" run: say which. ${listed(calls)}`)
  kernel.send({ type: 'call-cancel', call: call.id, reason: 'The caller does not want it any more.' })
  await kernel.watch.until(() => kernel.over || !state.calls.some(({ id }) => id === call.id) || undefined)
  return `Cancelled ${call.name}.`
}

const cancellable = ({ calls }: State, frame: Id): Call[] =>
  calls.filter(
    ({ kind, frame: its, traits, status }) =>
      kind === 'tool' && its === frame && traits.cancellable && (status === 'running' || status === 'waiting'),
  )

const listed = (calls: readonly Call[]): string =>
  calls.length > 0 ? `There are ${calls.map(({ id, name }) => `${id} (${name})`).join(', ')}.` : 'There are none.'
