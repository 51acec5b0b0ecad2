import { agent, task, tool } from 'antiphon'
import { z } from 'zod'
import { kitchen } from './kitchen.js'

const askAddress = task({
  name: 'address',
  instructions: 'Ask where the food goes, read the address back, and have it confirmed.',
  result: z.object({ street: z.string(), postcode: z.string() }),
})

const order = tool({
  description: 'Take an order. Asks for the address by itself.',
  inputSchema: z.object({ dish: z.string() }),
  async execute({ dish }, run) {
    const { street, postcode } = await run.task(askAddress)
    await kitchen.cook({ dish, to: `${street}, ${postcode}` }, run)
    return `The ${dish} will be at ${street} in half an hour.`
  },
})

export const host = agent({
  name: 'host',
  instructions: 'You take orders for a small bistro. Be brief and warm.',
  tools: { order },
})
