import { assertLaws, rehearse, toolCall } from 'antiphon/testing'
import { expect, test } from 'vitest'
import { host } from './4-hand-off.js'

test('an agent among the tools takes over when the model calls it, and a tool that returns one gives the call back', async () => {
  await using call = rehearse(host, [], {
    scripts: {
      host: ['Good evening.', toolCall('sommelier'), 'Welcome back.'],
      sommelier: ['What do you eat?', 'Then a Barolo.', toolCall('backToHost')],
    },
  })
  await call.rest()
  expect(await call.user('What should I drink?')).toEqual(['What do you eat?'])
  expect(await call.user('The lasagne')).toEqual(['Then a Barolo.'])
  expect(await call.user('Perfect, thank you')).toEqual(['Welcome back.'])
  expect(call.transcript).toContain('handoff: sommelier')
  assertLaws(call.session)
})

test.each([
  [4, 'host', { table: 2 }],
  [12, 'banquets', { guests: 12 }],
])('a table for %i is a matter for the %s', async (guests, agent, told) => {
  await using call = rehearse(host, ['Good evening.', toolCall('reserve', { guests }), 'Very well.'])
  await call.rest()
  expect(await call.user(`A table for ${guests}`)).toEqual(['Very well.'])
  expect(call.session.agent.name).toBe(agent)
  expect(call.transcript).toContain(`output: ${JSON.stringify(told)}`)
  assertLaws(call.session)
})
