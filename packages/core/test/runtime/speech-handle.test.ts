import { describe, expect, test } from 'vitest'
import { agent, SessionClosed, tool, UsageError } from '../../src/index.js'
import { call, world } from './world.js'

const host = agent({ name: 'host', instructions: 'You are the host.', greet: false })

describe('a speech handle', () => {
  test('says what was heard so far, and what was not', async () => {
    const { clock, session } = world(host, [], { speaks: true })
    const handle = session.say('One two three four.')
    await clock.advance(900)
    expect(handle.heard).toBe('One two')
    handle.interrupt()
    expect(handle.interrupted).toBe(true)
    expect(await handle.done).toEqual({ heard: 'One two', interrupted: true })
    expect(handle.unheard).toBe('three four.')
    expect(await handle.playedOut).toEqual({ interrupted: true })
    await session.close()
  })

  test('that nobody interrupts is heard whole', async () => {
    const { clock, session } = world(host, ['Good evening.'], { speaks: true })
    const handle = session.generateReply({ userInput: 'hello', instructions: 'Be brief.' })
    await clock.advance(3_000)
    expect(await handle.done).toEqual({ heard: 'Good evening.', interrupted: false })
    expect(handle.unheard).toBe('')
    expect(handle.chatItems).toMatchObject([{ type: 'assistant', text: 'Good evening.' }])
    await session.close()
  })

  test('is no promise', async () => {
    const { clock, session } = world(host, [])
    const handle = session.say('Hello.')
    expect('then' in handle).toBe(false)
    expect(await Promise.resolve(handle)).toBe(handle)
    await clock.advance(10)
    await session.close()
  })

  test('counts what its tools add, and is done when what follows from them was heard', async () => {
    const look = tool({ description: 'Looks.', execute: () => clock.sleep(500).then(() => 'free') })
    const { clock, session } = world(
      agent({ instructions: 'x', greet: false, tools: { look } }),
      [['Let me look.', call('look')], 'It is free.'],
      {
        speaks: true,
      },
    )
    await clock.advance(0)
    const handle = session.generateReply()
    let playedOut = -1
    void handle.playedOut.then(() => {
      playedOut = clock.now()
    })
    await clock.advance(5_000)
    expect(await handle.done).toEqual({ heard: 'Let me look. It is free.', interrupted: false })
    expect(handle.chatItems.map(({ type }) => type)).toEqual(['assistant', 'call', 'output', 'assistant'])
    expect(playedOut).toBe(1_300)
    await session.close()
  })

  test('that is protected is interrupted by force only', async () => {
    const { clock, session } = world(host, [], { speaks: true })
    const handle = session.say('One two three.', { allowInterruptions: false })
    await clock.advance(500)
    expect(() => handle.interrupt()).toThrow(UsageError)
    expect(() => session.interrupt()).toThrow(/protected/)
    expect(handle.interrupted).toBe(false)
    handle.interrupt({ force: true })
    expect(await handle.done).toEqual({ heard: 'One', interrupted: true })
    await session.close()
  })

  test('can be protected, and let go again, until it is interrupted', async () => {
    const { clock, session } = world(host, [], { speaks: true })
    const handle = session.say('One two three.')
    await clock.advance(500)
    handle.allowInterruptions = false
    expect(handle.allowInterruptions).toBe(false)
    expect(() => handle.interrupt()).toThrow(UsageError)
    handle.allowInterruptions = true
    handle.interrupt()
    expect(() => {
      handle.allowInterruptions = false
    }).toThrow(/interrupted already/)
    await clock.advance(100)
    await session.close()
  })

  test('that waits in the queue and is interrupted is never heard, and adds nothing', async () => {
    const { clock, session } = world(host, [], { speaks: true })
    session.say('One two three.')
    const second = session.say('Four five six.')
    await clock.advance(500)
    second.interrupt()
    expect(await second.done).toEqual({ heard: '', interrupted: true })
    await clock.advance(3_000)
    expect(second.chatItems).toEqual([])
    expect(session.history.at(-1)).toMatchObject({ text: 'One two three.' })
    await session.close()
  })

  test('that is over is interrupted by nothing', async () => {
    const { clock, session } = world(host, [], { speaks: true })
    const handle = session.say('One.')
    await clock.advance(1_000)
    handle.interrupt()
    handle.allowInterruptions = false
    expect(await handle.done).toEqual({ heard: 'One.', interrupted: false })
    await session.close()
  })

  test('is done when the session closes', async () => {
    const { clock, session } = world(host, [], { speaks: true })
    const sounding = session.say('One two three.')
    const waiting = session.say('Four.')
    await clock.advance(500)
    await session.close()
    expect(await sounding.done).toEqual({ heard: 'One', interrupted: true })
    expect(await waiting.done).toEqual({ heard: '', interrupted: true })
    expect(() => session.say('Too late.')).toThrow(SessionClosed)
  })

  test('of what is not to be remembered leaves no trace in the history', async () => {
    const { clock, session } = world(host, [], { speaks: true })
    const handle = session.say('Psst.', { addToHistory: false })
    await clock.advance(1_000)
    expect(await handle.done).toEqual({ heard: 'Psst.', interrupted: false })
    expect(session.history.filter(({ type }) => type === 'assistant')).toEqual([])
    await session.close()
  })
})

test('words that are none cannot be said', async () => {
  const { session } = world(host, [])
  expect(() => session.say(' ')).toThrow(/needs words/)
  expect(() => session.say(3 as never)).toThrow(/needs a string/)
  expect(() => session.text('')).toThrow(/needs words/)
  await session.close()
})

test('options that cannot be are told of', async () => {
  const { session } = world(host, [])
  expect(() => session.say('hi', { allowInterruption: true } as never)).toThrow('did you mean "allowInterruptions"?')
  expect(() => session.say('hi', { priority: 'urgent' as never })).toThrow(
    'priority must be "low" or "normal" or "high"',
  )
  expect(() => session.generateReply({ toolChoice: 'any' as never })).toThrow('toolChoice must be "auto"')
  expect(() => session.generateReply({ userInput: ' ' })).toThrow('userInput must be a text that is not empty')
  await session.close()
})
