import type { STT } from '../api/models.js'
import type { Failure } from '../conversation/protocol.js'
import { type Ear, type Hearing, hear } from '../hearing/hear.js'
import { meterEar } from '../report/meters.js'
import { failureOf } from './failure.js'
import type { Kernel } from './kernel.js'

/** Begins to hear the caller, with the ears of whoever has the conversation. Closes the session when there is no more to hear. */
export function listen(kernel: Kernel): Hearing {
  const { line, clock } = kernel.setup
  const counted = new Map<STT, STT>()
  let broken: Failure | null = null
  const failed = (error: unknown) => {
    broken = failureOf(error, 'provider')
  }
  const hearing = hear({
    incoming: watched(line.incoming, failed),
    ear: () => earOf(kernel, counted),
    clock,
    signal: kernel.scope.signal,
    worthTelling: () => minDuration(kernel),
    send: (input) => kernel.send(input),
    failed: (source, error) => kernel.send({ type: 'provider-error', source, error: failureOf(error, 'provider') }),
  })
  void hearing.ended.then(() => {
    const end = broken ? ({ reason: 'error', error: broken } as const) : ({ reason: 'caller-left' } as const)
    kernel.send({ type: 'close', ...end })
  })
  return hearing
}

/** The same stream; `failed` is told what it throws. */
function watched<T>(stream: AsyncIterable<T>, failed: (error: unknown) => void): AsyncIterable<T> {
  const next = async (source: AsyncIterator<T>) => {
    try {
      return await source.next()
    } catch (error) {
      failed(error)
      throw error
    }
  }
  return {
    [Symbol.asyncIterator]() {
      const source = stream[Symbol.asyncIterator]()
      return {
        next: () => next(source),
        return: async () => (await source.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}

/** What is used is counted. `counted`: what was made of each recogniser, so that it stays the same. */
function earOf({ state, agents, usage }: Kernel, counted: Map<STT, STT>): Ear {
  const { vad, stt } = agents.ear(agents.holding(state))
  if (!stt) return { vad, stt }
  const ear = counted.get(stt) ?? meterEar(stt, usage)
  counted.set(stt, ear)
  return { vad, stt: ear }
}

function minDuration({ state, agents }: Kernel): number {
  const own = agents.holding(state).turnHandling.interruption?.minDuration
  return own ?? state.settings.turnHandling.interruption.minDuration
}
