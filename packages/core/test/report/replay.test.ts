import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Conversation } from '../../src/conversation/conversation.js'
import { explain, type RecordedStep, type Recording, replay } from '../../src/index.js'
import { play, type Scene } from '../../src/testing/index.js'
import type { Row } from '../scenarios/runner.js'
import { gapsIn } from './gaps.js'

/** Rows of all scenarios: what they are expected to be is tested there. */
const rows = vi.hoisted(() => [] as Row[])
vi.mock('../scenarios/runner.js', async (original) => ({
  ...(await original<typeof import('../scenarios/runner.js')>()),
  scenarios: (_: string, more: readonly Row[]) => rows.push(...more),
}))
const scenarios = new URL('../scenarios/', import.meta.url)
for (const file of readdirSync(scenarios)) {
  const url = new URL(file, scenarios)
  if (file.endsWith('.test.ts') && /^scenarios\(/m.test(readFileSync(url, 'utf8'))) await import(url.href)
}

afterEach(() => void vi.restoreAllMocks())

/** Has whatever conversations answer from here on written down. */
function performed(): RecordedStep[] {
  const steps: RecordedStep[] = []
  const receive = Conversation.prototype.receive
  vi.spyOn(Conversation.prototype, 'receive').mockImplementation(function (this: Conversation, input, at) {
    const commands = receive.call(this, input, at)
    steps.push(structuredClone({ at, input, commands }))
    return commands
  })
  return steps
}

const stored = (recording: Recording): Recording => JSON.parse(JSON.stringify(recording)) as Recording

describe('a recording that was stored and read back', () => {
  test('is there for every scenario', () => {
    expect(rows.length).toBeGreaterThan(50)
  })

  for (const { id, what, scene } of rows) {
    test(`${id} (${what}): gives the commands that were performed, and the same explanation`, async () => {
      const steps = performed()
      let played: Scene | undefined
      const observed = await play((stage) => {
        played = typeof scene === 'function' ? scene(stage) : scene
        return played
      })
      vi.restoreAllMocks()
      const { session } = observed
      const recording = stored(session.recording)
      expect([...replay(recording)]).toEqual(steps)
      const explanations = session.explain()
      expect(explain(recording)).toEqual(explanations)

      const silences = explanations.filter(({ kind }) => kind === 'silence')
      const deaf =
        played?.vad === null || played?.stt === null || observed.errors.some(({ source }) => source === 'vad')
      if (!deaf && played?.tts !== null) {
        for (const { from, to } of gapsIn(observed, played!))
          expect(silences).toContainEqual(expect.objectContaining({ from: near(from), to: near(to) }))
      }
      for (const { from, to, parts = [] } of silences) {
        expect(to - from).toBeGreaterThan(1_000)
        expect(parts.map((part) => part.from)).toEqual([from, ...parts.slice(0, -1).map((part) => part.to)])
        expect(parts.at(-1)?.to).toBe(to)
      }
    })
  }
})

const near = (time: number) => ({
  asymmetricMatch: (other: number) => Math.abs(other - time) <= 150,
  toAsymmetricMatcher: () => `about ${time}`,
})
