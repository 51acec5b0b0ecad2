import { beforeAll, describe, expect, test } from 'vitest'
import { agent, tool, type UsageRecord } from '../../src/index.js'
import { at, type Evidence, evidenceOf, play, toolCall, user, violations } from '../../src/testing/index.js'

let evidence: Evidence

beforeAll(async () => {
  const book = tool({ description: 'Books.', execute: () => 'booked' })
  const { session } = await play({
    bench: 'scenario',
    agent: agent({ name: 'A', instructions: 'You are A.', tools: { book }, greet: false }),
    timeline: [
      user(500, 2_500, 'tell me a story'),
      user(5_000, 6_000, 'book me instead'),
      user(7_300, 8_000, 'no wait'),
      at(12_000, (session) => session.close()),
    ],
    llm: ['Here is a long story for you', { calls: toolCall('book'), total: 3_000 }, 'All right, I wait.'],
    tts: { duration: { 'Here is': 7_000 }, speed: 2 },
  })
  evidence = evidenceOf(session)
})

const cost = (usage: readonly UsageRecord[]): string[] =>
  violations({ ...evidence, usage }).flatMap(({ law, seen }) => (law === 'L9' ? [seen] : []))
const changed = (fits: (record: UsageRecord) => boolean, change: object): UsageRecord[] =>
  evidence.usage!.map((record) => (fits(record) ? ({ ...record, ...change } as UsageRecord) : record))

describe('L9, what was used is recorded', () => {
  test('holds for a conversation in which much was cancelled', () => {
    expect(violations(evidence)).toEqual([])
    expect(new Set(evidence.usage!.map(({ status }) => status))).toEqual(new Set(['done', 'cancelled']))
  })

  test('is broken by each request that is missing, or there twice', () => {
    const told = evidence.usage!.filter(({ kind }) => kind !== 'stt')
    expect(told.length).toBeGreaterThan(4)
    for (const record of told) expect(cost(evidence.usage!.filter((each) => each !== record))).not.toEqual([])
    const heard = told.find(({ status }) => status === 'done')!
    expect(cost([...evidence.usage!, heard])).not.toEqual([])
  })

  test('is broken by a cancelled request that counts as nothing, or as if it were known', () => {
    const cancelled = (record: UsageRecord) => record.kind === 'llm' && record.status === 'cancelled'
    expect(cost(changed(cancelled, { estimated: false })).join()).toContain('not marked as an estimate')
    expect(cost(changed(cancelled, { inputTokens: 0 })).join()).toContain('counts as nothing')
  })

  test('is broken by text or sound of a voice that is not counted, and by more that was heard than made', () => {
    const voice = (record: UsageRecord) => record.kind === 'tts'
    expect(cost(changed(voice, { characters: 1 })).join()).toContain('1 are counted')
    expect(cost(changed(voice, { audioMs: 1 })).join()).toContain('1 ms')
    expect(cost(changed(voice, { heardMs: 99_000 })).join()).toContain('were heard')
  })

  test('is broken by a request that outlives its session', () => {
    expect(cost(changed(({ kind }) => kind === 'stt', { end: null })).join()).toContain('has no end')
  })
})
