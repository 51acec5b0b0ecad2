import type { ErrorEvent, SessionEvent } from '../api/session.js'
import { failureOf } from './failure.js'

type Listener = (event: SessionEvent) => unknown

/**
 * Tells the application what happens, in order, and only after the input that made it happen was handled to its end: what
 * a listener asks of the session is answered at once. A listener that throws disturbs nobody.
 */
export class Events {
  readonly #listeners = new Map<SessionEvent['type'], Set<Listener>>()
  readonly #readers = new Set<Reader>()
  readonly #waiting: SessionEvent[] = []
  /** How often each event came. */
  readonly counts: { [Type in SessionEvent['type']]?: number } = {}
  /** What stands on the console. */
  readonly #written = new Set<string>()
  #telling = false
  #open = false

  on(type: SessionEvent['type'], listener: Listener, signal: AbortSignal | undefined): void {
    if (signal?.aborted) return
    const listeners = this.#listeners.get(type) ?? new Set()
    // the same function may be given twice, each time with a life of its own
    const entry: Listener = (event) => listener(event)
    this.#listeners.set(type, listeners.add(entry))
    signal?.addEventListener('abort', () => listeners.delete(entry), { once: true })
  }

  read(): AsyncIterator<SessionEvent> {
    const reader = new Reader(() => this.#readers.delete(reader))
    this.#readers.add(reader)
    return reader
  }

  /** Keeps an event for the next `tell`. */
  put(event: SessionEvent): void {
    this.counts[event.type] = (this.counts[event.type] ?? 0) + 1
    this.#waiting.push(event)
  }

  /** From here on events are told; before, they wait for those who are about to listen. */
  open(): void {
    this.#open = true
    this.tell()
  }

  tell(): void {
    if (this.#telling || !this.#open) return
    this.#telling = true
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) this.#tell(event)
    this.#telling = false
  }

  /** Tells what is left, and that there is no more. */
  end(): void {
    this.open()
    for (const reader of this.#readers) reader.end()
    this.#readers.clear()
    this.#listeners.clear()
  }

  #tell(event: SessionEvent): void {
    const listeners = this.#listeners.get(event.type)
    if (event.type === 'error' && !listeners?.size && this.#readers.size === 0) this.#write(event)
    for (const reader of this.#readers) reader.put(event)
    for (const listener of [...(listeners ?? [])]) {
      try {
        const told: unknown = listener(event)
        // one that is asynchronous throws later
        if (told instanceof Promise) void told.catch((error: unknown) => this.#blameLater(event, error))
      } catch (error) {
        this.#blame(event, error)
      }
    }
  }

  /** A listener for errors that throws is not told of its own error: it would throw again. */
  #blame(event: SessionEvent, error: unknown): void {
    const report: ErrorEvent = { type: 'error', source: 'listener', error: failureOf(error, 'caller'), cause: error }
    if (event.type === 'error') this.#write(report)
    else this.put(report)
  }

  #blameLater(event: SessionEvent, error: unknown): void {
    this.#blame(event, error)
    this.tell()
  }

  /** An error that nobody listens to is not lost. What goes wrong again and again is written once. */
  #write(event: ErrorEvent): void {
    const text = describe(event)
    if (this.#written.has(text)) return
    this.#written.add(text)
    console.error(text, event.cause ?? '')
  }
}

const describe = ({ source, error }: ErrorEvent): string =>
  `antiphon: error in ${source} (blame: ${error.blame}): ${error.message}`

/** The events as a stream, from the moment it is asked for to the end of the session. */
class Reader implements AsyncIterator<SessionEvent, undefined> {
  readonly #events: SessionEvent[] = []
  readonly #left: () => void
  #wake: (() => void) | null = null
  #ended = false

  constructor(left: () => void) {
    this.#left = left
  }

  put(event: SessionEvent): void {
    this.#events.push(event)
    this.#wake?.()
  }

  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  async next(): Promise<IteratorResult<SessionEvent, undefined>> {
    while (this.#events.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const value = this.#events.shift()
    return value === undefined ? { done: true, value } : { done: false, value }
  }

  return(): Promise<IteratorResult<SessionEvent, undefined>> {
    this.#left()
    this.#events.length = 0
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }
}
