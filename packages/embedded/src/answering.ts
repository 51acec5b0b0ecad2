/**
 * Answers the requests that a `Thread` sends, one after another.
 *
 * @template Request, Answer
 * @param {import('node:worker_threads').MessagePort | null} port
 * @param {(request: Request) => Promise<Answer>} answer
 * @param {(answer: Answer) => import('node:worker_threads').Transferable[]} [transfers] what moves instead of being copied
 */
export function answering(port, answer, transfers = () => []) {
  if (!port) throw new Error('this file is the program of a worker thread')
  let last = Promise.resolve()
  port.on('message', ({ id, request }) => {
    last = last.then(async () => {
      try {
        const value = await answer(request)
        port.postMessage({ id, value }, transfers(value))
      } catch (error) {
        port.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
      }
    })
  })
}
