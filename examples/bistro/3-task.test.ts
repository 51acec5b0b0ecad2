import { assertLaws, rehearse, toolCall } from 'antiphon/testing'
import { beforeEach, expect, test } from 'vitest'
import { host } from './3-task.js'
import { kitchen } from './kitchen.js'

beforeEach(() => kitchen.clear())

test('whoever talks over the words beside a tool stops the words, and the food is cooked once', async () => {
  await using call = rehearse(host, [
    'What may I bring you?',
    ['The lasagne is a very good choice today.', toolCall('order', { dish: 'lasagne' })],
    'Where does it go, please?', // prepared while the host still speaks, and dropped when the caller asks
    'Yes, fresh out of the oven. Where does it go, please?',
    'High Street 2 in LS1. Is that right?',
    toolCall('finish', { street: 'High Street 2', postcode: 'LS1' }),
    'It is on its way.',
  ])
  await call.rest()
  await call.user('The lasagne', { patience: 2_000 })
  await call.user('Is it hot?')
  await call.user('To High Street two in LS one')
  expect(await call.user('Yes')).toEqual(['It is on its way.'])

  expect(call.transcript).toMatch(/agent: The lasagne.*…\n/)
  expect(kitchen.orders).toEqual([{ dish: 'lasagne', to: 'High Street 2, LS1' }])
  assertLaws(call.session)
})
