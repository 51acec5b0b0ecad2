import type { AgentSession } from 'antiphon'
import { brain } from './brain.js'
import { recordCaller } from './caller.js'
import { desk } from './desk.js'
import { events } from './events.js'

/** `npm run talk`: what `antiphon talk` needs to hold this conversation, and to see that it went well. */
export { desk as agent, recordCaller as caller }

export const options = { llm: brain }

export function check({ history }: AgentSession): void {
  const [registration, ...others] = events.registrations
  if (registration?.email !== 'peter@example.org' || others.length > 0) {
    throw new Error(
      `the caller should be registered once, by the right address: ${JSON.stringify(events.registrations)}`,
    )
  }
  const calls = history.filter((item) => item.type === 'call' && item.name === 'register')
  const outputs = history.filter((item) => item.type === 'output' && item.call === calls[0]?.id)
  if (calls.length !== 1 || outputs.length !== 1) {
    throw new Error(
      `the tool should be called once and end once; there are ${calls.length} calls and ${outputs.length} ends`,
    )
  }
  const interrupted = history.flatMap((item) => (item.type === 'assistant' && item.interrupted ? [item.agent] : []))
  if (interrupted.join() !== 'desk,e-mail') {
    throw new Error(
      `the caller should talk over the words beside the tool, and over the task's question; it was [${interrupted}]`,
    )
  }
}
