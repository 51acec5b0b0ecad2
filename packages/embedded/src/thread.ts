import { type Transferable, Worker } from 'node:worker_threads'
import { ProviderError } from 'antiphon'
import type { Question, Reply, ThreadData } from './answering.js'

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

export interface AskOptions {
  /** What of the request moves instead of being copied. */
  readonly transfers?: Transferable[]
  readonly signal?: AbortSignal
}

/**
 * A worker thread that answers questions. It starts with the first one, keeps the process alive only while it owes an
 * answer, and is replaced by a new one should it break.
 */
export class Thread<Request, Answer> {
  readonly #program: URL
  readonly #data: unknown
  readonly #abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  readonly #waiting = new Map<number, Waiting<Answer>>()
  #worker: Worker | null = null
  #asked = 0

  /** `program`: what it runs, a module that calls `answering`; `data`: what that is given. */
  constructor(program: URL, data: unknown) {
    this.#program = program
    this.#data = data
  }

  /**
   * When `signal` aborts, the answer comes as early as it can and means nothing.
   *
   * @throws {ProviderError} when the question cannot be answered, or the thread has broken.
   */
  ask(request: Request, { transfers = [], signal }: AskOptions = {}): Promise<Answer> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    const id = ++this.#asked
    worker.ref()
    signal?.addEventListener('abort', () => Atomics.store(this.#abandoned, 0, id), { once: true })
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ id, request } satisfies Question<Request>, transfers)
    })
  }

  /** Ends the thread. Who still waits for an answer is told so; a later question starts it anew. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#abandon('it was closed')
    await worker?.terminate()
  }

  #start(): Worker {
    const workerData: ThreadData<unknown> = { data: this.#data, abandoned: this.#abandoned }
    const worker = new Worker(this.#program, { workerData })
    worker.unref()
    worker.on('message', (reply: Reply<Answer>) => {
      const waiting = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if (this.#waiting.size === 0) worker.unref()
      if ('error' in reply) waiting?.reject(new ProviderError(reply.error))
      else waiting?.resolve(reply.value)
    })
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#abandon(`its thread has broken: ${error.message}`)
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#abandon('its thread has ended')
    })
    return worker
  }

  #abandon(why: string): void {
    this.#worker = null
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting)
      reject(new ProviderError(`no answer from ${this.#name}: ${why}`, { retryable: true }))
  }

  get #name(): string {
    return this.#program.pathname.split('/').at(-2) ?? 'the thread'
  }
}
