import { agent, task, tool } from 'antiphon'
import { z } from 'zod'
import { events } from './events.js'

export const collectEmail = task({
  name: 'e-mail',
  instructions: 'Ask for the e-mail address, read it back, and have it confirmed.',
  result: z.object({ email: z.email() }),
})

export const register = tool({
  description: 'Register the caller for an event.',
  inputSchema: z.object({ event: z.string() }),
  async execute({ event }, run) {
    const { email } = await run.task(collectEmail)
    await events.register(event, email, { signal: run.signal, idempotencyKey: run.idempotencyKey })
    return `Registered ${email} for the ${event}.`
  },
})

export const desk = agent({
  name: 'desk',
  instructions: 'You answer the telephone of an event desk. Be brief and friendly.',
  tools: { register },
})
