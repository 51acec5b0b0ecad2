import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, ProviderError, task, tool } from '../../src/index.js'
import {
  assertLaws,
  at,
  hangUp,
  heard,
  noise,
  play,
  type Scene,
  toolCall,
  typed,
  user,
} from '../../src/testing/index.js'

const host = (options: Partial<Parameters<typeof agent>[0]> = {}) =>
  agent({ name: 'host', instructions: 'You are the host.', greet: false, ...options })

const scene = (more: Partial<Scene>): Scene => ({ bench: 'scenario', agent: host(), ...more })

describe('play', () => {
  test('tells who said what when, and what was asked of the models', async () => {
    const observed = await play(
      scene({
        timeline: [user(500, 2_500, 'Hello, how are you?')],
        llm: ['I am well, thank you!'],
        tts: { duration: 2_000 },
      }),
    )
    expect(observed.audible).toMatchObject([
      { text: 'I am well, thank you!', from: 3_200, to: 5_200, end: 'whole', speech: expect.any(String) },
    ])
    expect(observed.requests).toMatchObject([
      { agent: 'host', at: 2_700, outcome: 'done', said: 'I am well, thank you!', instructions: 'You are the host.' },
    ])
    expect(observed.transcript).toBe('start: host\nuser: Hello, how are you?\nagent: I am well, thank you!')
    expect(observed.turns).toEqual([{ at: 3_000, text: 'Hello, how are you?', reason: 'committed' }])
    expect(observed.states.user).toEqual([
      { at: 550, state: 'speaking', since: 500 },
      { at: 3_000, state: 'listening', since: 2_500 },
    ])
    expect(observed.states.agent.map(({ at: time, state }) => [time, state])).toEqual([
      [0, 'listening'],
      [3_000, 'thinking'],
      [3_200, 'speaking'],
      [5_200, 'listening'],
    ])
    expect(observed.voices).toMatchObject([{ text: 'I am well, thank you!', made: 2_000, outcome: 'done' }])
    expect(observed.problems).toEqual([])
    assertLaws(observed.session)
  })

  test('tells when tools began, ended, returned and were asked to stop', async () => {
    const observed = await play((stage) => {
      const slow = tool({
        description: 'Works.',
        timeout: 2_000,
        async execute(_, run) {
          await stage.sleep(10_000, run.signal)
        },
      })
      const quick = tool({ description: 'Works.', inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n + 1 })
      return scene({
        agent: host({ tools: { slow, quick } }),
        timeline: [typed(1_000, 'work')],
        llm: [[toolCall('slow'), toolCall('quick', { n: 1 }, 'q')], 'Done.'],
      })
    })
    expect(observed.tools).toMatchObject([
      { name: 'slow', start: 1_300, end: 3_300, status: 'timeout', aborted: 3_300, returned: 3_300 },
      {
        name: 'quick',
        call: 'q',
        args: '{"n":1}',
        start: 1_300,
        status: 'done',
        output: '2',
        aborted: null,
        returned: 1_300,
      },
    ])
  })

  test('tells which tasks had the conversation, with a script for each agent', async () => {
    const name = task({ name: 'name', instructions: 'You ask for the name.', result: z.object({ name: z.string() }) })
    const observed = await play(
      scene({
        agent: host({ tools: { name } }),
        timeline: [user(500, 1_500, 'hello'), user(6_000, 7_000, 'Ada')],
        llm: { host: [toolCall('name'), 'Hello Ada.'], name: ['Your name?', toolCall('finish', { name: 'Ada' })] },
      }),
    )
    expect(observed.tasks).toMatchObject([{ agent: 'name', outcome: 'done' }])
    expect(observed.agents.map(({ agent: who, cause, depth }) => [who, cause, depth])).toEqual([
      ['host', 'start', 1],
      ['name', 'task', 2],
      ['host', 'return', 1],
    ])
    expect(observed.requests.map(({ agent: who }) => who)).toEqual(['host', 'name', 'name', 'host'])
    expect(observed.audible.map(({ text }) => text)).toEqual(['Your name?', 'Hello Ada.'])
  })

  test('plays a cough, and tells where the speech was held', async () => {
    const observed = await play(
      scene({
        timeline: [at(0, (session) => void session.say('One two three four five.')), noise(1_000, 1_800)],
        tts: { duration: 5_000 },
      }),
    )
    const [sound] = observed.audible
    expect(sound).toMatchObject({ from: 200, end: 'whole', pauses: [{ at: 1_500, position: 1_300, until: 4_300 }] })
    expect(observed.events.filter(({ event }) => event.type === 'false-interruption')).toHaveLength(1)
  })

  test('hears what the recogniser is told to hear, at its time, and its failures', async () => {
    const observed = await play(
      scene({
        timeline: [
          noise(500, 2_000),
          heard(900, { type: 'transcript', text: 'to', final: false }),
          heard(1_000, 'to Rome'),
          heard(6_000, new ProviderError('connection lost')),
        ],
        llm: ['Fine.'],
      }),
    )
    expect(observed.transcript).toContain('user: to Rome\nagent: Fine.')
    expect(observed.errors).toMatchObject([{ source: 'stt', error: { message: 'connection lost' } }])
  })

  test('hears with a recogniser alone, which says where speech begins and ends', async () => {
    const observed = await play(
      scene({
        vad: null,
        timeline: [heard(600, { type: 'speech-start' }), heard(2_600, 'hello'), heard(2_700, { type: 'speech-end' })],
        llm: ['Hi.'],
      }),
    )
    expect(observed.turns).toMatchObject([{ text: 'hello', reason: 'committed' }])
    expect(observed.audible.map(({ text }) => text)).toEqual(['Hi.'])
  })

  test('asks an end-of-turn model', async () => {
    const observed = await play(
      scene({
        timeline: [user(500, 2_500, 'I want'), user(4_000, 5_000, 'a pizza')],
        vad: { end: 300 },
        turnDetector: { delay: 100, says: [0.1, 0.9] },
        llm: ['Here you are.'],
      }),
    )
    expect(observed.turns).toMatchObject([{ text: 'I want a pizza' }])
  })

  test('tells what the application did, and with what it ended', async () => {
    const observed = await play(
      scene({
        timeline: [
          at(
            0,
            () => {
              throw new Error('no')
            },
            'throws',
          ),
          at(100, (_, stage) => stage.sleep(400), 'sleeps'),
          at(200, () => 42, 'returns'),
          at(300, () => new Promise(() => {}), 'hangs'),
        ],
      }),
    )
    expect(observed.acts).toMatchObject([
      { name: 'throws', at: 0, end: 0, outcome: 'threw', error: { message: 'no' } },
      { name: 'sleeps', at: 100, end: 500, outcome: 'done' },
      { name: 'returns', at: 200, end: 200, outcome: 'done', value: 42 },
      { name: 'hangs', at: 300, end: null, outcome: 'running' },
    ])
  })

  test('goes on as the scene does: acts may be added while it is played', async () => {
    const observed = await play(
      scene({
        timeline: [at(0, (session) => void session.say('Your name?'))],
        start: (session, stage) =>
          session.on('speech-end', () => {
            const now = stage.clock.now()
            if (now < 2_000) stage.perform(user(now + 400, now + 1_000, 'Ada'))
          }),
        llm: ['Thank you.'],
        until: 8_000,
      }),
    )
    expect(observed.transcript).toContain('user: Ada\nagent: Thank you.')
  })

  test('gives agents models and voices of their own', async () => {
    const observed = await play((stage) => {
      const other = agent({
        name: 'other',
        instructions: 'You are the other.',
        llm: stage.llm(['Other here.'], { total: 1_000 }),
        tts: stage.tts({ name: 'other voice', perWord: 100 }),
      })
      return scene({ agent: host({ tools: { other } }), timeline: [typed(0, 'change')], llm: [toolCall('other')] })
    })
    expect(observed.requests.map(({ agent: who, model }) => [who, model])).toEqual([
      ['host', 'scripted'],
      ['other', 'own model'],
    ])
    expect(observed.voices).toMatchObject([{ voice: 'other voice', made: 200 }])
  })

  test('plays without a voice, and without an ear', async () => {
    const observed = await play(scene({ tts: null, stt: null, timeline: [typed(0, 'hello')], llm: ['Hi.'] }))
    expect(observed.transcript).toContain('user: hello\nagent: Hi.')
    expect(observed.audible).toEqual([])
    assertLaws(observed.session)
  })

  test('ends when the caller leaves, and tells what was left', async () => {
    const observed = await play(scene({ timeline: [hangUp(1_000)] }))
    expect(observed.closed).toMatchObject({ at: 1_000, reason: 'caller-left' })
    expect(observed.open).toEqual({
      timers: 0,
      tracks: 0,
      requests: 0,
      voices: 0,
      ears: 0,
      lineClosed: true,
      closing: expect.any(Number),
    })
  })

  test('tells of requests that the script has no answer for', async () => {
    const observed = await play(scene({ timeline: [typed(0, 'hello')], llm: [] }))
    expect(observed.problems[0]).toContain('has no answer for its request 1')
  })

  test('takes the same course each time', async () => {
    const make = () =>
      play(
        scene({
          timeline: [user(500, 2_500, 'a story'), noise(4_000, 4_800), user(6_000, 7_000, 'stop')],
          llm: ['Once upon a time there was', 'Fine.'],
        }),
      )
    const [one, two] = [await make(), await make()]
    expect(String(one)).toBe(String(two))
    expect(String(one)).toContain('▶ agent is heard')
  })

  test('leaves tools as they are for sessions that nobody watches', async () => {
    const work = tool({ description: 'Works.', execute: () => 'done' })
    const make = () =>
      play(scene({ agent: host({ tools: { work } }), timeline: [typed(0, 'go')], llm: [toolCall('work'), 'Ok.'] }))
    const [one, two] = await Promise.all([make(), make()])
    expect([one.tools.length, two.tools.length]).toEqual([1, 1])
  })

  describe('refuses a scene that cannot be, and names the field', () => {
    const cases: [what: string, scene: Partial<Scene>, message: string][] = [
      ['an unknown field', { time: [] } as never, 'scene has no "time"'],
      ['a misspelt field', { timelines: [] } as never, 'did you mean "timeline"?'],
      ['no agent', { agent: undefined as never }, 'scene.agent is missing'],
      ['an agent that is none', { agent: {} as never }, 'scene.agent must be an agent'],
      ['an unknown bench', { bench: 'slow' as never }, 'scene.bench must be "scenario" or "field"'],
      ['an act that is none', { timeline: [{ say: 'x' } as never] }, 'scene.timeline[0] is nothing that can happen'],
      ['an act without a time', { timeline: [{ user: 'x', from: 1 } as never] }, 'scene.timeline[0].to is missing'],
      [
        'a voice that ends before it begins',
        { timeline: [user(2, 1, 'x')] },
        'scene.timeline[0] ends at 1, and begins only at 2',
      ],
      [
        'a misspelt option of an act',
        { timeline: [{ ...user(1, 2, 'x'), delays: 3 } as never] },
        'did you mean "delay"?',
      ],
      ['a misspelt option of the voice', { tts: { durations: {} } as never }, 'did you mean "duration"?'],
      ['a time that is none', { until: -1 }, 'scene.until must be a number of milliseconds, 0 or more; it is -1'],
      ['a misspelt option of the line', { line: { canPaus: false } as never }, 'did you mean "canPause"?'],
      ['a misspelt option of the session', { options: { turnHandlin: {} } as never }, 'did you mean "turnHandling"?'],
    ]
    test.each(cases)('%s', async (_, more, message) => {
      await expect(play(scene(more))).rejects.toThrow(message)
    })
  })
})
