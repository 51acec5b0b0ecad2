import type { Hook, Id, ToolTraits } from './protocol.js'
import type { Frame } from './state.js'
import type { Step } from './step.js'
import type { Call } from './work.js'

const traits: ToolTraits = {
  key: '',
  duplicates: 'allow',
  onInterrupt: 'continue',
  announce: 'never',
  cancellable: false,
  effect: 'repeatable',
  timeout: 0,
}

/** Runs user code that no model asked for, as a call of the frame. An enter hook may take its time: next to nothing waits for it. */
export function startHook(step: Step, frame: Frame, hook: Hook, text: string | null = null): Call {
  const id = step.id('k')
  const call: Call = {
    id,
    kind: hook,
    name: hook,
    args: '',
    frame: frame.id,
    holder: frame.holder,
    reply: '',
    group: '',
    step: 0,
    traits,
    status: 'running',
    joins: null,
    aborted: null,
    interrupted: false,
    held: false,
    backAt: null,
    released: false,
    quiet: true,
    left: step.state.settings.limits.hook,
    since: step.now,
    filler: null,
  }
  step.state.calls.push(call)
  step.do({ type: 'hook', call: id, agent: frame.agent.id, hook, text })
  return call
}

/** The holder of a frame is leaving it: its exit hook has its say, once. */
export function startExit(step: Step, frame: Frame): boolean {
  if (frame.exit !== null || !frame.agent.hooks.includes('exit')) return false
  frame.exit = startHook(step, frame, 'exit').id
  return true
}

/** A hook has run. A turn that its hook stopped, or broke over, is recorded all the same, and not answered. */
export function hookEnded(step: Step, id: Id): Call | undefined {
  const { calls } = step.state
  const call = step.call(id)
  if (!call || call.kind === 'tool') return undefined
  calls.splice(calls.indexOf(call), 1)
  return call
}
