import { type Agent, agent, handoff, tool } from 'antiphon'
import { z } from 'zod'

const sommelier = agent({
  name: 'sommelier',
  description: 'Recommends wines, and knows all about them.',
  instructions: 'You are the sommelier of a small bistro. Recommend one wine, not five.',
  tools: { backToHost: tool({ description: 'There is nothing more to say about wine.', execute: (): Agent => host }) },
})

const banquets = agent({
  name: 'banquets',
  instructions: 'You plan large parties for a small bistro. Ask for the occasion first.',
})

const reserve = tool({
  description: 'Reserve a table.',
  inputSchema: z.object({ guests: z.number().int().positive() }),
  execute: ({ guests }) => (guests > 8 ? handoff(banquets, { guests }) : { table: guests > 4 ? 7 : 2 }),
})

export const host = agent({
  name: 'host',
  instructions: 'You are the host of a small bistro. Be brief and warm.',
  tools: { reserve, sommelier },
})
