import { describe, expect, test } from 'vitest'
import { agent, type RunContext, tool } from '../../src/index.js'
import { call, of, silent, type World, world } from './world.js'

/** A tool of 8 s that bridges the time; when what was said began and ended. */
async function bridged(
  begin: (run: RunContext) => unknown,
  during: (made: World) => Promise<unknown> = async () => {},
) {
  const slow = tool({
    description: 'Slow.',
    async execute(_, run) {
      await begin(run)
      await made.clock.sleep(8_000, run.signal)
      return 'done'
    },
  })
  const root = agent({ instructions: 'Work.', greet: false, tools: { slow } })
  const made = world(root, [['Checking.', call('slow')], 'Here it is.'], { speaks: true, hears: true })
  const said: string[] = []
  made.session.on('speech-start', () => said.push(`${made.clock.now()}`))
  made.session.on('speech-end', ({ heard }) => {
    said[said.length - 1] += `–${made.clock.now()} ${heard}`
  })
  made.session.text('go')
  await during(made)
  await made.clock.advance(20_000)
  await made.session.close()
  return { said, made }
}

describe('a filler', () => {
  test('T-23: is said after the silence that it was given, and again, until the call has ended', async () => {
    const { said, made } = await bridged((run) => run.filler('One moment.', { delay: 1_000, interval: 3_000 }))
    expect(said).toEqual([
      '100–1000 Checking.',
      '2000–3100 One moment.',
      '6000–7100 One moment.',
      '8200–9300 Here it is.',
    ])
    expect(made.session.history.slice(1).map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'call',
      'assistant',
      'assistant',
      'output',
      'assistant',
    ])
    expect(of(made.events, 'reply-start').map(({ source }) => source)).toEqual(['answer', 'filler', 'filler'])
  })

  test('is said once when there is no interval, after a second when there is no delay', async () => {
    const { said } = await bridged((run) => run.filler('One moment.'))
    expect(said.slice(1)).toEqual(['2000–3100 One moment.', '8200–9300 Here it is.'])
  })

  test('goes through its texts and stays with the last', async () => {
    const { said } = await bridged((run) => run.filler(['A moment.', 'Still.'], { delay: 500, interval: 500 }))
    expect(said.map((line) => line.split(' ').slice(1).join(' '))).toEqual([
      'Checking.',
      'A moment.',
      'Still.',
      'Still.',
      'Still.',
      'Still.',
      'Still.',
      'Here it is.',
    ])
  })

  test('is given up when the call has reported how it goes', async () => {
    const { said } = await bridged((run) => {
      run.filler('One moment.')
      run.update('half done')
    })
    expect(said.join()).not.toContain('One moment')
  })

  test('waits while the caller has the floor', async () => {
    const { said } = await bridged(
      (run) => run.filler('One moment.'),
      async ({ clock, session }) => {
        await clock.advance(1_500)
        const claim = session.claimUserTurn()
        await clock.advance(1_500)
        claim[Symbol.dispose]()
      },
    )
    expect(said[1]).toMatch(/^4000–/)
  })

  test('needs words, and times that are some', async () => {
    const errors = async (begin: (run: RunContext) => unknown) =>
      of((await bridged(begin)).made.events, 'error').map(({ error }) => error.message)
    expect(await errors((run) => run.filler(' '))).toEqual(['run.filler(texts) needs words; one of the texts has none'])
    expect(await errors((run) => run.filler([]))).toEqual(['run.filler(texts) needs words; there are none'])
    expect(await errors((run) => run.filler('Wait.', { delay: -1 }))).toEqual([
      'run.filler.delay must be a number of milliseconds, 0 or more; it is -1',
    ])
  })
})

describe('a turn that the application claims for the caller', () => {
  test('X-04: has the floor until it is given back', async () => {
    const { clock, session, events } = world(silent, ['Hello.'], { speaks: true })
    await clock.advance(1_000)
    {
      using _ = session.claimUserTurn()
      expect(session.userState).toBe('speaking')
      session.say('Welcome.')
      await clock.advance(2_000)
      expect(of(events, 'speech-start')).toEqual([])
    }
    expect(session.userState).toBe('listening')
    await clock.advance(0)
    expect(of(events, 'speech-start')).toHaveLength(1)
    expect(of(events, 'user-state')).toMatchObject([{ to: 'speaking', at: expect.any(Number) }, { to: 'listening' }])
    await session.close()
  })

  test('may be claimed twice, and each claim is given back once', async () => {
    const { clock, session } = world(silent, [])
    await clock.advance(0)
    const [one, two] = [session.claimUserTurn(), session.claimUserTurn()]
    one[Symbol.dispose]()
    one[Symbol.dispose]()
    expect(session.userState).toBe('speaking')
    two[Symbol.dispose]()
    expect(session.userState).toBe('listening')
    await session.close()
    expect(() => session.claimUserTurn()).toThrow('closed')
  })
})
