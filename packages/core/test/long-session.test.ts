import { expect, test } from 'vitest'
import { measure } from '../bench/long-session.js'

test('an input after ten thousand others costs about what the first did', () => {
  // generous, for machines that do other work beside; `npm run bench` asks for more
  expect(measure(10, 1_000, 5).ratio).toBeLessThan(3)
})
