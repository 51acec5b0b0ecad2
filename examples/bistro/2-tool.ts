import { agent, ToolError, tool } from 'antiphon'
import { z } from 'zod'

const findTable = tool({
  description: 'Look for a free table.',
  inputSchema: z.object({ guests: z.number().int().positive(), at: z.iso.time() }),
  async execute({ guests, at }, { signal }) {
    const response = await fetch(`https://bistro.example/tables?guests=${guests}&at=${at}`, { signal })
    if (!response.ok) throw new ToolError('The book of tables is closed right now.')
    return (await response.json()) as { table: number | null }
  },
})

export const host = agent({
  name: 'host',
  instructions: () => `You are the host of a small bistro. Today is ${new Date().toDateString()}.`,
  tools: { findTable },
})
