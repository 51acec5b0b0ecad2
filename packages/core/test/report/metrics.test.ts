import { describe, expect, test } from 'vitest'
import { agent, type MessageMetrics, tool } from '../../src/index.js'
import {
  at,
  noise,
  play,
  type Scene,
  type SceneMaker,
  type Stage,
  toolCall,
  typed,
  user,
} from '../../src/testing/index.js'

const host = (options = {}) => agent({ name: 'host', instructions: 'You are the host.', greet: false, ...options })
const scenario = (scene: Partial<Scene>): Scene => ({ bench: 'scenario', agent: host(), ...scene })

/** The metrics, without what tells whose they are. They came as events, each after its message, and stand in the report. */
async function metricsOf(scene: SceneMaker): Promise<Partial<MessageMetrics>[]> {
  const { session, events, problems } = await play(scene)
  expect(problems).toEqual([])
  const told = events.flatMap(({ event }) => (event.type === 'metrics' ? [event.metrics] : []))
  const { metrics, history } = session.report()
  expect(metrics.slice(0, told.length)).toEqual(told)
  for (const { item, role } of told) {
    expect(history).toContainEqual(expect.objectContaining({ id: item, type: role }))
    const place = (type: string) =>
      events.findIndex(
        ({ event }) =>
          event.type === type &&
          (event.type === 'metrics' ? event.metrics.item : event.type === 'history-item' && event.item.id) === item,
      )
    expect(place('metrics')).toBeGreaterThan(place('history-item'))
  }
  return told.map(({ item: _, ...rest }) => {
    const { turn: __, reply: ___, ...times } = rest as Record<string, unknown>
    return times
  })
}

describe('metrics of a turn', () => {
  test('B-01: a plain turn and its answer', async () => {
    const reply = "I'm doing well, thank you!"
    const metrics = await metricsOf(
      scenario({
        timeline: [user(500, 2_500, 'Hello, how are you?')],
        llm: [reply],
        tts: { duration: { [reply]: 2_000 } },
      }),
    )
    expect(metrics).toEqual([
      {
        role: 'user',
        startedSpeakingAt: 500,
        stoppedSpeakingAt: 2_500,
        transcriptionDelay: 200,
        endOfTurnDelay: 500,
      },
      {
        role: 'assistant',
        startedSpeakingAt: 3_200,
        stoppedSpeakingAt: 5_200,
        timeToFirstToken: 100,
        timeToFirstByte: 200,
        timeToFirstSound: 500,
        endToEnd: 700,
      },
    ])
  })

  test('E-04: words that come after the end of the voice was seen end the turn', async () => {
    const [turn] = await metricsOf(scenario({ timeline: [user(500, 2_500, 'hi', { delay: 1_300 })], llm: ['Hi.'] }))
    expect(turn).toMatchObject({ transcriptionDelay: 1_300, endOfTurnDelay: 1_300 })
  })

  test('E-05: a detector that is slow to see the end of the voice delays the turn', async () => {
    const [turn] = await metricsOf(
      scenario({ timeline: [user(500, 2_500, 'hi')], llm: ['Hi.'], vad: { start: 50, end: 1_000 } }),
    )
    expect(turn).toMatchObject({ stoppedSpeakingAt: 2_500, transcriptionDelay: 200, endOfTurnDelay: 1_000 })
  })

  test('E-14: what a hook takes is told apart', async () => {
    const [turn, answer] = await metricsOf((stage) =>
      scenario({
        agent: host({ userTurn: () => stage.sleep(1_000) }),
        timeline: [user(500, 2_500, 'hi')],
        llm: ['Hi.'],
      }),
    )
    expect(turn).toMatchObject({ endOfTurnDelay: 500, hookDelay: 1_000 })
    expect(answer).toMatchObject({ startedSpeakingAt: 4_200, endToEnd: 1_700 })
  })

  test('a turn of two voices begins with the first and ends with the second', async () => {
    const [turn] = await metricsOf(
      scenario({
        timeline: [user(500, 2_500, 'I want'), user(2_800, 4_000, 'a pizza')],
        vad: { start: 50, end: 250 },
        llm: ['Sure.', 'Sure.'],
      }),
    )
    expect(turn).toMatchObject({ startedSpeakingAt: 500, stoppedSpeakingAt: 4_000, endOfTurnDelay: 500 })
  })

  test('E-20: the end of a voice that has gone on, or belongs to another turn, is no anchor: delays are left out', async () => {
    const manual = { turnDetection: 'manual' } as const
    const [speaking] = await metricsOf(
      scenario({
        timeline: [
          user(500, 1_500, 'hello'),
          noise(3_000, 6_000),
          at(4_000, (session) => void session.commitUserTurn()),
        ],
        options: manual,
        llm: ['Hi.'],
      }),
    )
    expect(speaking).toEqual({ role: 'user', startedSpeakingAt: 500 })
    const silent = await metricsOf(
      scenario({ timeline: [typed(1_000, 'hello')], llm: ['Hi.'], options: manual, tts: { duration: 500 } }),
    )
    expect(silent).toEqual([
      {
        role: 'assistant',
        startedSpeakingAt: 1_500,
        stoppedSpeakingAt: 2_000,
        timeToFirstToken: 100,
        timeToFirstByte: 200,
        timeToFirstSound: 500,
      },
    ])
  })
})

const works = (stage: Stage, ms: number) =>
  tool({ description: 'Works.', execute: () => stage.sleep(ms).then(() => 'result') })

describe('metrics of an answer', () => {
  test('the first sound that answers the caller has the whole delay, though a tool without words came first', async () => {
    const metrics = await metricsOf((stage) =>
      scenario({
        agent: host({ tools: { look: works(stage, 1_000) } }),
        timeline: [user(500, 2_500, 'hi')],
        llm: [toolCall('look'), 'There.'],
      }),
    )
    expect(metrics[1]).toMatchObject({ startedSpeakingAt: 4_500, timeToFirstSound: 500, endToEnd: 2_000 })
  })

  test('what follows it has none', async () => {
    const metrics = await metricsOf((stage) =>
      scenario({
        agent: host({ tools: { look: works(stage, 3_000) } }),
        timeline: [user(500, 2_500, 'hi')],
        llm: [['One moment.', toolCall('look')], 'There.'],
      }),
    )
    expect(metrics[1]).toMatchObject({ endToEnd: 700 })
    expect(metrics[2]).not.toHaveProperty('endToEnd')
  })

  test('what the application says answers nobody, and no model was asked for it', async () => {
    const metrics = await metricsOf(
      scenario({ timeline: [at(1_000, (session) => void session.say('Welcome.'))], tts: { duration: 500 } }),
    )
    expect(metrics).toEqual([
      { role: 'assistant', startedSpeakingAt: 1_200, stoppedSpeakingAt: 1_700, timeToFirstByte: 200 },
    ])
  })

  test('a turn that is not to be answered is no anchor for what is said later', async () => {
    const metrics = await metricsOf(
      scenario({
        timeline: [
          user(500, 2_500, 'hi'),
          at(3_000, (session) => void session.commitUserTurn({ reply: false })),
          at(6_000, (session) => session.text('now')),
        ],
        options: { turnDetection: 'manual' },
        llm: ['There.'],
      }),
    )
    expect(metrics[1]).not.toHaveProperty('endToEnd')
  })

  test('speech that was held and then cut stopped where it was held', async () => {
    const metrics = await metricsOf(
      scenario({
        timeline: [user(500, 2_500, 'hi'), user(5_000, 6_000, 'Stop!')],
        llm: ['Here is a long story.', 'Okay.'],
        tts: { duration: { Here: 9_000 } },
      }),
    )
    expect(metrics[1]).toMatchObject({ startedSpeakingAt: 3_200, stoppedSpeakingAt: 5_500 })
  })

  test('in writing there is no voice to measure', async () => {
    const metrics = await metricsOf(scenario({ tts: null, timeline: [user(500, 2_500, 'hi')], llm: ['Hello.'] }))
    expect(metrics[1]).toEqual({
      role: 'assistant',
      startedSpeakingAt: 3_000,
      stoppedSpeakingAt: 3_000,
      timeToFirstToken: 100,
      timeToFirstSound: 300,
      endToEnd: 500,
    })
  })
})
