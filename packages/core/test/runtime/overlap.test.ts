import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, task, tool, type VAD } from '../../src/index.js'
import { call, of, type World, world } from './world.js'

const collect = task({ name: 'email', instructions: 'Ask for the address.', result: z.object({ email: z.string() }) })
const register = tool({ description: 'Registers.', execute: async (_, run) => (await run.task(collect)).email })
const desk = agent({ name: 'desk', instructions: 'You are the desk.', greet: false, tools: { register } })

const loudness: VAD = {
  name: 'test detector',
  sampleRate: 16_000,
  open: () => ({ frameSize: 800, process: (frame) => frame[0] ?? 0 }),
}

/** The caller speaks for `ms`, and is understood 200 ms later. */
async function says({ clock, hear }: World, ms: number, text: string): Promise<void> {
  hear.push({ type: 'speech-start' })
  await clock.advance(ms)
  hear.push({ type: 'speech-end' })
  await clock.advance(200)
  hear.push({ type: 'transcript', text, final: true })
  await clock.advance(0)
}

describe('a caller who talks over the agent', () => {
  test('stops the words beside a call, and not the tool; the words are the task’s that the tool awaits', async () => {
    const made = world(
      desk,
      [
        ['Let me take down your details, this will not take long at all.', call('register')],
        'What is your address?',
        [call('finish', { email: 'ann@example.com' })],
        'Thank you.',
      ],
      { speaks: true, hears: true },
    )
    const { clock, session, llm, events } = made
    await clock.advance(0)
    await says(made, 500, 'register me')
    await clock.advance(2_000)
    expect(session.agentState).toBe('speaking')
    await says(made, 800, 'it is ann at example com')
    await clock.advance(8_000)
    expect(session.history.filter(({ type }) => type === 'output').at(-1)).toMatchObject({
      text: 'ann@example.com',
      error: false,
    })
    expect(of(events, 'speech-end')[0]).toMatchObject({ interrupted: true })
    expect(of(events, 'task-end')).toMatchObject([{ outcome: 'done' }])
    const shown = llm.requests.flatMap(({ messages }) =>
      messages.map((message) => ('text' in message ? message.text : '')),
    )
    expect(shown).toContain('it is ann at example com')
    expect(of(events, 'error')).toEqual([])
    await session.close()
  })

  test('without a word holds the sound, which goes on from the same place; the words shown wait with it', async () => {
    const made = world(desk, [], { speaks: true, hears: true, vad: loudness })
    const { clock, session, events, line } = made
    session.say('One two three four five six seven eight.')
    const sound = async (ms: number, loud: boolean) => {
      for (let frame = 0; frame < ms; frame += 50) {
        line.incoming.push({ samples: new Int16Array(800).fill(loud ? 1 : 0), rate: 16_000 })
        await clock.advance(50)
      }
    }
    await sound(1_000, false)
    await sound(800, true)
    const before = of(events, 'agent-transcript').length
    await sound(1_000, false)
    expect(of(events, 'agent-transcript')).toHaveLength(before)
    await sound(8_000, false)
    const position = events.flatMap((event) => (event.type === 'speech-pause' ? [event.position] : []))
    expect(position).toHaveLength(1)
    expect(events.flatMap((event) => (event.type === 'speech-resume' ? [event.position] : []))).toEqual(position)
    expect(of(events, 'false-interruption')).toMatchObject([{ resumed: true }])
    const whole = { text: 'One two three four five six seven eight.', interrupted: false }
    expect(session.history.at(-1)).toMatchObject(whole)
    await session.close()
  })
})
