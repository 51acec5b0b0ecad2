import type { MessagePort, Transferable } from 'node:worker_threads'

/** What passes between a `Thread` and its program. */
export interface Question<Request> {
  readonly id: number
  readonly request: Request
}
export type Reply<Answer> = { readonly id: number } & ({ readonly value: Answer } | { readonly error: string })

/** In the program of a thread: answers the questions that come, one after another. */
export function answering<Request, Answer>(
  port: MessagePort | null,
  answer: (request: Request) => Promise<Answer>,
  /** What moves instead of being copied. */
  transfers: (answer: Answer) => Transferable[] = () => [],
): void {
  if (!port) throw new Error('this file is the program of a worker thread')
  let last = Promise.resolve()
  port.on('message', ({ id, request }: Question<Request>) => {
    last = last.then(async () => {
      const reply = await replyTo(id, () => answer(request))
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
