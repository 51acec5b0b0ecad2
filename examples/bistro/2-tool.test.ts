import { assertLaws, rehearse, toolCall } from 'antiphon/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { host } from './2-tool.js'

afterEach(() => {
  vi.unstubAllGlobals()
})

const script = [
  'Good evening. What can I do for you?',
  ['Let me see.', toolCall('findTable', { guests: 2, at: '19:30' })],
]

test('the model is told which table is free', async () => {
  const fetch = vi.fn(async (_url: string, _options: RequestInit) => Response.json({ table: 7 }))
  vi.stubGlobal('fetch', fetch)
  await using call = rehearse(host, [...script, 'You have table seven.'])
  await call.rest()
  expect(await call.user('A table for two at half past seven')).toEqual(['Let me see.', 'You have table seven.'])
  expect(fetch).toHaveBeenCalledExactlyOnceWith('https://bistro.example/tables?guests=2&at=19:30', {
    signal: expect.any(AbortSignal),
  })
  expect(call.transcript).toContain('output: {"table":7}')
  assertLaws(call.session)
})

test('an error that a tool throws is told to the model, and the caller gets an answer', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 503 }))
  await using call = rehearse(host, [...script, 'I cannot look it up right now. May I call you back?'])
  await call.rest()
  await call.user('A table for two at half past seven')
  expect(call.transcript).toContain('error: The book of tables is closed right now.\nagent: I cannot look it up')
  assertLaws(call.session)
})

test('arguments that do not fit the schema never reach the tool', async () => {
  const fetch = vi.fn()
  vi.stubGlobal('fetch', fetch)
  await using call = rehearse(host, [
    'Good evening. What can I do for you?',
    toolCall('findTable', { guests: -1, at: 'noon' }),
    'For how many, please?',
  ])
  await call.rest()
  expect(await call.user('A table at noon')).toEqual(['For how many, please?'])
  expect(fetch).not.toHaveBeenCalled()
  assertLaws(call.session)
})
