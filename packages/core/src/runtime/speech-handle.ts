import { UsageError } from '../api/errors.js'
import type { SpeechHandle } from '../api/session.js'
import { type Item, isShown } from '../conversation/history.js'
import type { Id } from '../conversation/protocol.js'
import type { Reply } from '../conversation/work.js'
import type { Kernel } from './kernel.js'

/** What is known of a reply besides what the state says, which forgets what has ended. */
export interface Memory {
  readonly id: Id
  /** Where the history was when it began: none of its items stands before that. */
  readonly from: number
  readonly calls: Set<Id>
  /** A speech of it has ended: the first, since they sound in order. */
  spoken: boolean
  interruptible: boolean
  /** Tools that it may not use. */
  readonly withoutTools: readonly string[]
  end: (Awaited<SpeechHandle['done']> & { readonly unheard: string }) | null
}

/** A reply as the application sees it: what the state says of it while it lives, and what was kept when it ended. */
export class Handle implements SpeechHandle {
  readonly #kernel: Kernel
  readonly #memory: Memory
  readonly #waitedFor: () => boolean
  #firstOver = false
  #playedOut: SpeechHandle['playedOut'] | null = null
  #done: SpeechHandle['done'] | null = null

  constructor(kernel: Kernel, memory: Memory, waitedFor: () => boolean = () => false) {
    this.#kernel = kernel
    this.#memory = memory
    this.#waitedFor = waitedFor
  }

  get id(): Id {
    return this.#memory.id
  }

  get allowInterruptions(): boolean {
    const reply = this.#reply
    return reply ? reply.interruptible && reply.protectors.length === 0 : this.#memory.interruptible
  }

  set allowInterruptions(allow: boolean) {
    if (this.interrupted) throw new UsageError('allowInterruptions cannot be set: the speech was interrupted already')
    if (!this.#reply) return
    this.#kernel.request({ type: 'reply-protect', reply: this.id, interruptible: allow }, this.id)
    this.#memory.interruptible = allow
  }

  get interrupted(): boolean {
    return this.#memory.end?.interrupted ?? this.#reply?.interrupted ?? false
  }

  interrupt({ force = false }: { readonly force?: boolean } = {}): void {
    if (!this.#reply || this.interrupted) return
    this.#kernel.request({ type: 'interrupt', reply: this.id, force }, this.id)
  }

  get heard(): string {
    if (this.#memory.end) return this.#memory.end.heard
    const sounding = this.#kernel.state.speeches.filter(({ reply }) => reply === this.id)
    return joined([this.#reply?.heard ?? '', ...sounding.map(({ text, heard }) => text.slice(0, heard))])
  }

  get unheard(): string {
    return this.#memory.end?.unheard ?? this.#reply?.unheard ?? ''
  }

  get chatItems(): readonly Item[] {
    const { from, calls } = this.#memory
    return this.#kernel.state.history.slice(from).filter((item) => {
      if (item.type === 'assistant') return item.reply === this.id && isShown(item)
      if (item.type === 'call') return calls.has(item.id)
      return item.type === 'output' && calls.has(item.call)
    })
  }

  get playedOut(): SpeechHandle['playedOut'] {
    this.#playedOut ??= this.#kernel.watch.until(() => {
      const over = this.#memory.end !== null || this.#firstIsOver() || this.#kernel.over
      return over ? { interrupted: this.interrupted } : undefined
    })
    return this.#playedOut
  }

  get done(): SpeechHandle['done'] {
    if (this.#waitedFor()) {
      throw new UsageError(
        'a tool cannot wait for the speech that asked for it, which waits for the tool. ' +
          'Await run.waitForPlayout() for the words beside the call, or call run.update(text) first',
      )
    }
    this.#done ??= this.#kernel.watch.until(() => {
      const { end } = this.#memory
      if (!end) return this.#kernel.over ? { heard: this.heard, interrupted: true } : undefined
      return { heard: end.heard, interrupted: end.interrupted, ...(end.error && { error: end.error }) }
    })
    return this.#done
  }

  get #reply(): Reply | undefined {
    return this.#memory.end ? undefined : this.#kernel.state.replies.find(({ id }) => id === this.id)
  }

  /** The words of its first step have ended, or it had none. */
  #firstIsOver(): boolean {
    const reply = this.#reply
    const { requests, generations, speeches } = this.#kernel.state
    const own = (each: { readonly reply: Id }) => each.reply === this.id
    const made = requests.some(own) || generations.some((each) => own(each) && each.step === 1)
    this.#firstOver ||= this.#memory.spoken || (reply !== undefined && !made && !speeches.some(own))
    return this.#firstOver
  }
}

const joined = (texts: readonly string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ')
