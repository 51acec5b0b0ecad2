import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { recordedLine } from '@antiphon/local'
import { agent, bytesOf, ProviderError, start } from 'antiphon'
import { assertLaws, rehearse } from 'antiphon/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acme, parrot } from './6-provider.js'

const asked: unknown[] = []
let url: string

/** Acme, as far as a test needs it: a sixth of a second of sound for each sentence. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization } = request.headers
  asked.push(JSON.parse(await text(request)))
  if (authorization !== 'Bearer secret') response.writeHead(401, 'Unauthorized').end()
  else response.end(bytesOf(new Int16Array(4_000).fill(1_000)))
}

const server = createServer((request, response) => void answer(request, response))

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address?.port}/speak`
})
afterAll(() => {
  server.close()
})

const silence = { samples: new Int16Array(160), rate: 16_000 }
const host = agent({ name: 'host', instructions: 'You are the host of a small bistro.' })

test('a voice of your own speaks sentence by sentence', async () => {
  await using session = start(host, {
    line: recordedLine({ caller: silence }), // who hears the host out, and leaves
    llm: parrot,
    tts: acme({ apiKey: 'secret', voice: 'amelie', url }),
  })
  await session.closed
  expect(asked).toEqual([
    { voice: 'amelie', text: expect.stringContaining('Good evening.') },
    { voice: 'amelie', text: expect.stringContaining('What may I bring you?') },
  ])
  expect(session.history).toContainEqual(
    expect.objectContaining({ type: 'assistant', text: 'Good evening. What may I bring you?', interrupted: false }),
  )
  assertLaws(session)
})

test('a language model of your own says what it likes', async () => {
  await using call = rehearse(agent({ name: 'echo', instructions: 'Say it again.', llm: parrot }), [])
  await call.rest()
  expect(await call.user('The lasagne')).toEqual(['You said: The lasagne What may I bring you?'])
  assertLaws(call.session)
})

test('an error of the service says whether it helps to try again', async () => {
  const voice = acme({ apiKey: 'wrong', voice: 'amelie', url })
  const spoken = voice.speak(one('Hello.'), { signal: new AbortController().signal })
  await expect(spoken[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 401, retryable: false })
})

test('whoever does not want the voice any more aborts its request', async () => {
  const spoken = acme({ apiKey: 'secret', voice: 'amelie', url }).speak(one('Hello.'), { signal: AbortSignal.abort() })
  await expect(spoken[Symbol.asyncIterator]().next()).rejects.not.toSatisfy(ProviderError.is)
})

async function* one(sentence: string): AsyncGenerator<string> {
  yield sentence
}
