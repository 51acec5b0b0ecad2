import { assertLaws, rehearse, toolCall } from 'antiphon/testing'
import { beforeEach, expect, test } from 'vitest'
import { desk } from './desk.js'
import { events } from './events.js'

beforeEach(() => events.clear())

test('a caller who talks over the agent is registered once, and every word is answered', async () => {
  await using call = rehearse(desk, [
    'What can I do for you?',
    ['I will put you on the list, it will only take a moment.', toolCall('register', { event: 'conference' })],
    'May I have your e-mail address?', // prepared while the desk still speaks, and dropped when the caller asks
    'It is free of charge. May I have your e-mail address?',
    'I have peter@example.org. Is that right?',
    toolCall('finish', { email: 'peter@example.org' }),
    'You are on the list.',
  ])
  await call.wait(5_000)
  await call.user('I would like to register', { patience: 1_500 })
  await call.user('How much is it?', { patience: 2_500 })
  await call.user('It is peter at example dot org')
  expect(await call.user("Yes, that's right")).toEqual(['You are on the list.'])

  expect(events.registrations).toEqual([{ event: 'conference', email: 'peter@example.org' }])
  expect(call.transcript).toContain('agent: It is free of…\nuser: It is peter at example dot org') // what was heard
  assertLaws(call.session)
})
