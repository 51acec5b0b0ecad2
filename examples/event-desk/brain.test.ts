import type { Message } from 'antiphon'
import { expect, test } from 'vitest'
import { brain } from './brain.js'

const desk = (text: string): Message => ({ role: 'assistant', text, interrupted: false })
const caller = (text: string): Message => ({ role: 'user', text })

const tools = [{ name: 'finish', description: 'Ends the task.', input: {} }]
const address = [caller('My address is Peter at example.net'), desk('I have peter@example.net. Is that right?')]

/** What the brain says and calls while it asks for the address. */
async function answer(...messages: Message[]): Promise<string> {
  const request = { instructions: '', messages, tools, toolChoice: 'auto' } as const
  let said = ''
  for await (const part of brain.generate(request, { signal: new AbortController().signal })) {
    if (part.type === 'text') said += part.text
    if (part.type === 'call') said += `${part.name} ${part.args}`
  }
  return said
}

test('an address is registered when it was read back and confirmed', async () => {
  expect(await answer(...address, caller("Yes, that's right."))).toBe('finish {"email":"peter@example.net"}')
})

test('an address that is corrected is read back again', async () => {
  const corrected = [...address, caller('No, it ends with dot org.')]
  expect(await answer(...corrected)).toBe('I have peter@example.org. Is that right?')
  const confirmed = [...corrected, desk('I have peter@example.org. Is that right?'), caller('Yes.')]
  expect(await answer(...confirmed)).toBe('finish {"email":"peter@example.org"}')
})

test('a yes to something else confirms no address', async () => {
  const refused = [...address, caller('No, that is wrong.')]
  expect(await answer(...refused)).toBe('I am sorry. Would you say it again, please?')
  const misunderstood = [...refused, desk('I am sorry. Would you say it again, please?'), caller('Yes.')]
  expect(await answer(...misunderstood)).toBe('I have peter@example.net. Is that right?')
})
