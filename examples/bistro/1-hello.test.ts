import type { Line } from 'antiphon'
import { expect, test, vi } from 'vitest'
import { record } from '../recording.js'

vi.mock('@antiphon/local', async (original) => {
  const { recordedLine } = await original<typeof import('@antiphon/local')>()
  const caller = await record([{ text: 'Good morning.', cue: { when: 'agent-rests', after: 500 } }])
  return { microphone: (): Line => recordedLine({ caller }) }
})

test('the host opens, hears the caller, and answers', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  await import('./1-hello.js')
  expect(log.mock.calls).toEqual([
    ['host:', expect.stringMatching(/^Hello! I am a scripted demo, .* How are you\?$/)],
    ['user:', expect.stringMatching(/good morning/i)],
    ['host:', 'Hello! It is nice to hear you. How are you?'],
  ])
})
