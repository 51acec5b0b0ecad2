import type { SpeechHandle } from '../api/session.js'
import type { ConversationEvent, Id } from '../conversation/protocol.js'
import type { Kernel } from './kernel.js'
import { Handle, type Memory } from './speech-handle.js'

/** The replies that go on. Each may have any number of handles; whoever holds one keeps what it says when it has ended. */
export class Replies {
  readonly #kernel: Kernel
  readonly #live = new Map<Id, Memory>()

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /** A reply that the application asks for with `ask`. @throws what it is refused with. */
  open(id: Id, options: Pick<Memory, 'interruptible' | 'withoutTools'>, ask: () => void): SpeechHandle {
    const memory = this.#remember(id, options)
    try {
      ask()
    } catch (error) {
      this.#live.delete(id)
      throw error
    }
    return new Handle(this.#kernel, memory)
  }

  /** Whether a reply may not use a tool. */
  hides(reply: Id, tool: string): boolean {
    return this.#live.get(reply)?.withoutTools.includes(tool) ?? false
  }

  /** `waitedFor`: whether the reply waits for the one who is given the handle. */
  handle(id: Id, waitedFor: () => boolean): SpeechHandle {
    return new Handle(this.#kernel, this.#live.get(id) ?? forgotten(id), waitedFor)
  }

  see(event: ConversationEvent): void {
    switch (event.type) {
      case 'reply-start':
        this.#remember(event.reply)
        return
      case 'call-start':
        this.#live.get(event.reply)?.calls.add(event.call)
        return
      case 'speech-end': {
        const memory = this.#live.get(event.reply)
        if (memory) memory.spoken = true
        return
      }
      case 'reply-end': {
        const { reply, heard, unheard, outcome, error } = event
        const memory = this.#live.get(reply)
        if (memory) memory.end = { heard, unheard, interrupted: outcome === 'interrupted', ...(error && { error }) }
        this.#live.delete(reply)
        return
      }
      default:
        return
    }
  }

  #remember(id: Id, { interruptible, withoutTools } = usual): Memory {
    const known = this.#live.get(id)
    if (known) return known
    const memory: Memory = {
      id,
      from: this.#kernel.state.history.length,
      calls: new Set(),
      spoken: false,
      interruptible,
      withoutTools,
      end: null,
    }
    this.#live.set(id, memory)
    return memory
  }
}

const usual: Pick<Memory, 'interruptible' | 'withoutTools'> = { interruptible: true, withoutTools: [] }

/** A reply that was over, and forgotten, before anybody asked for it. */
const forgotten = (id: Id): Memory => {
  const end = { heard: '', unheard: '', interrupted: true }
  return { id, from: Number.POSITIVE_INFINITY, calls: new Set(), spoken: false, ...usual, end }
}
