import { describe, expect, test } from 'vitest'
import { type AgentSession, agent, type SessionReport, tool } from '../../src/index.js'
import { Reporter } from '../../src/report/reporter.js'
import { Usage } from '../../src/report/usage.js'
import { at, play, type Scene, toolCall, user } from '../../src/testing/index.js'

const book = tool({ description: 'Books.', execute: () => 'booked' })
const scene: Scene = {
  bench: 'scenario',
  agent: agent({ name: 'desk', instructions: 'You are the desk.', tools: { book }, greet: false }),
  timeline: [user(500, 2_500, 'book me'), at(12_000, (session) => session.close())],
  llm: [['One moment.', toolCall('book')], 'It is booked.'],
  tts: { duration: 1_000 },
  options: { id: 'call-7' },
}

/** What JSON makes of it. */
const stored = (report: SessionReport): SessionReport => JSON.parse(JSON.stringify(report)) as SessionReport

describe('the report of a session', () => {
  test('says who talked with whom, when, how, what came of it and what it cost', async () => {
    const { session } = await play(scene)
    const report = session.report()
    expect(report).toMatchObject({
      version: 1,
      session: 'call-7',
      final: true,
      startedAt: 0,
      endedAt: 12_000,
      agent: 'desk',
      providers: {
        line: 'test line',
        llm: 'scripted',
        tts: 'scripted voice',
        stt: 'scripted ear',
        vad: 'scripted VAD',
        turnDetector: null,
      },
      closed: { reason: 'application', error: null },
    })
    expect(new Date(report.date).toISOString()).toBe(report.date)
    expect(report.settings.turnHandling.endpointing.minDelay).toBe(500)
    expect(report.history).toEqual(session.history)
    expect(report.metrics.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
    expect(report.usage).toEqual(session.usage)
    expect(report.explanations).toEqual(session.explain())
    expect(report.events).toMatchObject({ 'call-end': 1, metrics: 3, closed: 1 })
  })

  test('loses nothing in JSON', async () => {
    const { session } = await play(scene)
    expect(stored(session.report())).toEqual(session.report())
  })

  test('is written once: after the end it is the same each time', async () => {
    const { session } = await play(scene)
    expect(session.report()).toBe(session.report())
  })

  test('is final when the end is told, and not before', async () => {
    const reports: SessionReport[] = []
    const read = (session: AgentSession) => () => void reports.push(session.report())
    await play({
      ...scene,
      start(session) {
        session.on('closing', read(session))
        session.on('closed', read(session))
      },
    })
    expect(reports.map(({ final }) => final)).toEqual([false, true])
    expect(reports[1]!.usage.requests.every(({ end }) => end !== null)).toBe(true)
    expect(reports[1]!.events).toMatchObject({ closed: 1 })
  })

  test('can be read while the session goes on, up to the present moment', async () => {
    const early: SessionReport[] = []
    const { session } = await play({
      ...scene,
      timeline: [...scene.timeline!, at(10_000, (now: AgentSession) => void early.push(now.report()))],
    })
    expect(early[0]).toMatchObject({ final: false, endedAt: null, closed: null })
    expect(early[0]!.explanations.at(-1)).toMatchObject({ kind: 'silence', to: 10_000, cause: 'nothing' })
    expect(early[0]!.usage.requests.find(({ kind }) => kind === 'stt')).toMatchObject({ end: null, status: 'running' })
    expect(session.report().explanations.at(-1)).toMatchObject({ to: 12_000 })
  })

  test('names the error that ended the session', async () => {
    const { session } = await play({
      ...scene,
      llm: () => ({ error: 'overloaded' }),
      timeline: [
        user(500, 1_500, 'one'),
        user(3_500, 4_500, 'two'),
        user(6_500, 7_500, 'three'),
        user(9_500, 10_500, 'four'),
      ],
    })
    expect(session.report().closed).toEqual({
      reason: 'error',
      error: expect.objectContaining({ message: 'overloaded' }),
    })
  })
})

describe('an observer that breaks', () => {
  test('sees no more, is reported once, and disturbs nobody', () => {
    const failures: unknown[] = []
    const reporter = new Reporter({ now: () => 0, tell: () => {}, failed: (error) => failures.push(error) })
    const broken = { at: 0, input: { type: 'tick' }, commands: null, state: null } as never
    reporter.see(broken)
    reporter.see(broken)
    expect(failures).toHaveLength(1)
  })
})

describe('usage that is still open when the session ends', () => {
  test('is closed, and what comes later changes nothing', () => {
    const usage = new Usage(
      () => 5,
      () => {},
    )
    const draft = usage.begin<never>({ kind: 'stt', provider: 'ear', estimated: true, audioSeconds: 1 } as never)
    usage.close()
    usage.end(draft, 'failed')
    expect(usage.requests).toEqual([expect.objectContaining({ end: 5, status: 'done' })])
  })
})
