import type { HookContext } from '../api/agent.js'
import { type Check, duration, fields, texts } from '../api/check.js'
import { InterruptedError, UsageError } from '../api/errors.js'
import type { RunContext } from '../api/tool.js'
import type { Id } from '../conversation/protocol.js'
import type { Kernel } from './kernel.js'
import type { Replies } from './replies.js'
import type { Tasks } from './tasks.js'

/** What a call has to do with. */
export interface Called {
  readonly kernel: Kernel
  readonly tasks: Tasks
  readonly replies: Replies
  readonly call: Id
  readonly signal: AbortSignal
}

/** What a hook is given. Its functions can be taken out of it. */
export function hookContext(called: Called): HookContext {
  const { kernel, tasks, call, signal } = called
  const { session } = kernel
  return {
    session,
    userData: session.userData,
    signal,
    task: (task, options) => tasks.start(call, task, options),
    async finish(value) {
      await tasks.finish(ownTask(called), value)
    },
    fail(error) {
      tasks.fail(ownTask(called), error)
    },
  }
}

/** What a tool is given. Its functions can be taken out of it. */
export function runContext(called: Called, reply: Id): RunContext {
  const { kernel, replies, call } = called
  const { session } = kernel
  const own = () => kernel.state.calls.find(({ id }) => id === call)
  const group = own()?.group
  const speech = replies.handle(reply, () => own()?.released === false)
  return {
    ...hookContext(called),
    speech,
    callId: call,
    idempotencyKey: `${session.id}/${call}`,
    update(text) {
      if (typeof text !== 'string' || text.trim() === '')
        throw new UsageError('run.update(text) needs a text for the model')
      kernel.send({ type: 'call-update', call, text })
    },
    filler(words, options = {}) {
      checkFiller('run.filler', options)
      const texts = typeof words === 'string' ? [words] : words
      someTexts('run.filler(texts)', texts)
      const { delay = 1_000, interval = null } = options
      kernel.send({ type: 'call-filler', call, texts, delay, interval })
    },
    waitForPlayout: () =>
      kernel.watch.until(() => {
        const { generations, speeches } = kernel.state
        const making =
          generations.some(({ id }) => id === group) || speeches.some(({ generation }) => generation === group)
        return making && !kernel.over ? undefined : { interrupted: speech.interrupted }
      }),
    disallowInterruptions() {
      if (speech.interrupted) throw new InterruptedError('The caller has interrupted already.')
      speech.allowInterruptions = false
    },
  }
}

const checkFiller = fields({ delay: duration, interval: duration })
const someTexts: Check = (where, value) => {
  texts(where, value)
  const said = value as readonly string[]
  if (said.length > 0 && said.every((text) => text.trim() !== '')) return
  throw new UsageError(`${where} needs words; ${said.length > 0 ? 'one of the texts has none' : 'there are none'}`)
}

/** The task that the frame of a call carries out. @throws {UsageError} when it carries out none. */
export function ownTask({ kernel, call }: Called): Id {
  const { calls, frames } = kernel.state
  const frame = calls.find(({ id }) => id === call)?.frame
  const task = frames.find(({ id }) => id === frame)?.task
  if (task) return task.id
  throw new UsageError('run.finish and run.fail end a task: they are for the tools and hooks of one, while they run')
}
