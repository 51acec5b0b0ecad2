import { parentPort, type Transferable, workerData } from 'node:worker_threads'

/** What a `Thread` gives its program. */
export interface ThreadData<Data> {
  readonly data: Data
  /** The question that nobody wants answered any more. */
  readonly abandoned: Int32Array
}
export interface Question<Request> {
  readonly id: number
  readonly request: Request
}
export type Reply<Answer> = { readonly id: number } & ({ readonly value: Answer } | { readonly error: string })

/** Answers one question; it may return early, with anything, when `isAbandoned` says so. */
export type Answering<Request, Answer> = (request: Request, isAbandoned: () => boolean) => Promise<Answer>

/**
 * The program of a thread: answers the questions that come, one after another.
 *
 * @param prepare is given the data of the thread
 * @param transfers what of an answer moves instead of being copied
 */
export function answering<Data, Request, Answer>(
  prepare: (data: Data) => Promise<Answering<Request, Answer>>,
  transfers: (answer: Answer) => Transferable[] = () => [],
): void {
  const port = parentPort
  if (!port) throw new Error('this file is the program of a worker thread')
  const { data, abandoned } = workerData as ThreadData<Data>
  const prepared = prepare(data)
  // whoever asks is told of it
  prepared.catch(() => {})
  let last = Promise.resolve()
  port.on('message', ({ id, request }: Question<Request>) => {
    last = last.then(async () => {
      const isAbandoned = () => Atomics.load(abandoned, 0) === id
      const reply = await replyTo(id, async () => (await prepared)(request, isAbandoned))
      port.postMessage(reply, 'value' in reply ? transfers(reply.value) : [])
    })
  })
}

async function replyTo<Answer>(id: number, answer: () => Promise<Answer>): Promise<Reply<Answer>> {
  try {
    return { id, value: await answer() }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) }
  }
}
