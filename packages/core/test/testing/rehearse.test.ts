import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, task, tool } from '../../src/index.js'
import { assertLaws, rehearse, toolCall } from '../../src/testing/index.js'

const address = task({
  name: 'address',
  instructions: 'You ask for the address.',
  result: z.object({ street: z.string(), postcode: z.string(), confirmed: z.literal(true) }),
})
const order = tool({
  description: 'Orders a dish.',
  inputSchema: z.object({ dish: z.string() }),
  async execute({ dish }, run) {
    const { street } = await run.task(address)
    return `${dish} to ${street}`
  },
})
const host = agent({ name: 'host', instructions: 'You are the host.', tools: { order } })

describe('rehearse', () => {
  test('plays a caller who corrects himself', async () => {
    await using call = rehearse(host, [
      'What may I bring you?',
      toolCall('order', { dish: 'Lasagne' }),
      'Where to, please?',
      'High Street one, is that right?',
      toolCall('finish', { street: 'High Street 2', postcode: 'LS1', confirmed: true }),
      'Done.',
    ])
    await call.wait(5_000)
    expect(await call.user('The lasagne')).toEqual(['Where to, please?'])
    await call.user('High Street one in LS1', { patience: 1_200 })
    expect(await call.user('no, number two!')).toEqual(['Done.'])
    expect(call.transcript).toContain('agent: High')
    expect(call.transcript).not.toContain('is that right')
    expect(call.transcript).toContain('output: Lasagne to High Street 2')
    assertLaws(call.session)
  })

  test('lets the caller type, cough and wait', async () => {
    await using call = rehearse(agent({ instructions: 'You are brief.', greet: false }), ['Yes?', 'Well.'])
    expect(await call.type('hello')).toEqual(['Yes?'])
    await call.noise(300)
    expect(await call.user('and now')).toEqual(['Well.'])
    expect(call.requests.map(({ outcome }) => outcome)).toContain('done')
    expect(call.clock.now()).toBeGreaterThan(3_000)
  })

  test('gives agents scripts of their own', async () => {
    await using call = rehearse(host, ['What may I bring you?', toolCall('order', { dish: 'Soup' }), 'Done.'], {
      cast: [address],
      scripts: {
        address: ['Where to?', toolCall('finish', { street: 'S', postcode: 'P', confirmed: true })],
      },
    })
    await call.rest()
    expect(await call.user('soup please')).toEqual(['Where to?'])
    expect(await call.user('to S, P')).toEqual(['Done.'])
  })

  test('fails when the script has no answer for what was asked', async () => {
    await using call = rehearse(agent({ instructions: 'You are brief.', greet: false }), [])
    await expect(call.user('hello')).rejects.toThrow('has no answer for its request 1')
  })
})
