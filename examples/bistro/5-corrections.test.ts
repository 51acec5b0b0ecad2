import { assertLaws, rehearse, toolCall } from 'antiphon/testing'
import { beforeEach, expect, test } from 'vitest'
import { host } from './3-task.js'
import { kitchen } from './kitchen.js'

beforeEach(() => kitchen.clear())

test('a caller who corrects himself is heard', async () => {
  await using call = rehearse(host, [
    'What may I bring you?',
    toolCall('order', { dish: 'lasagne' }),
    'Where to, please?',
    'High Street one in LS1, is that right?',
    toolCall('finish', { street: 'High Street 2', postcode: 'LS1' }),
    'It is on its way.',
  ])
  await call.rest()
  await call.user('The lasagne')
  await call.user('High Street one in LS one', { patience: 1_200 }) // a little into the answer …
  expect(await call.user('no, number two!')).toEqual(['It is on its way.'])

  expect(call.transcript).toContain('agent: High Street…\nuser: no, number two!') // only what was heard is remembered
  expect(kitchen.orders).toEqual([{ dish: 'lasagne', to: 'High Street 2, LS1' }])
  assertLaws(call.session)
})

test('a result that does not fit is told to the model, and the task goes on', async () => {
  await using call = rehearse(host, [
    'What may I bring you?',
    toolCall('order', { dish: 'soup' }),
    'Where to, please?',
    toolCall('finish', { street: 'High Street 2' }),
    'And the postcode?',
    toolCall('finish', { street: 'High Street 2', postcode: 'LS1' }),
    'It is on its way.',
  ])
  await call.rest()
  await call.user('The soup')
  expect(await call.user('High Street two')).toEqual(['And the postcode?'])
  expect(kitchen.orders).toEqual([])
  await call.user('LS one')
  expect(kitchen.orders).toEqual([{ dish: 'soup', to: 'High Street 2, LS1' }])
  assertLaws(call.session)
})
