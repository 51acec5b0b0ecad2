import { agent } from 'antiphon'
import { rehearse } from 'antiphon/testing'
import { describe, expect, test } from 'vitest'
import { Chronicle } from '../src/chronicle.js'
import { score } from '../src/score.js'
import { styleFor } from '../src/style.js'

const style = styleFor({ isTTY: false })
const host = agent({ name: 'host', instructions: 'You are a host.' })

describe('a chronicle', () => {
  test('tells what was said in the order in which it began, and where it was cut', async () => {
    await using call = rehearse(host, ['Hello, and welcome to this house of ours.', 'Of course.'])
    const lines: string[] = []
    const chronicle = new Chronicle(call.session, {
      style,
      write: (line) => lines.push(line),
      began: 0,
      clock: call.clock,
    })
    await call.wait(1_500)
    await call.user('Wait a moment please')
    expect(lines.map((line) => line.replace(/^ +[\d.]+ +/, '').trim())).toEqual([
      expect.stringMatching(/^host {6}Hello.* ✂ .*ours\.$/),
      expect.stringMatching(/^caller {4}over the agent: Wait a moment please$/),
      expect.stringMatching(/^cut after \d\.\d s: the caller has the floor$/),
      expect.stringMatching(/^host {6}Of course\.$/),
    ])
    expect(chronicle.talkOvers).toBe(1)
    expect(chronicle.waits).toHaveLength(1)
  })

  test('tells of a noise that was no interruption', async () => {
    await using call = rehearse(host, ['Hello, and welcome to this house of ours.'])
    const lines: string[] = []
    const chronicle = new Chronicle(call.session, {
      style,
      write: (line) => lines.push(line),
      began: 0,
      clock: call.clock,
    })
    await call.wait(1_500)
    await call.noise(700)
    await call.wait(6_000)
    expect(lines.join('\n')).toContain('it was nothing: the agent goes on')
    expect(chronicle.talkOvers).toBe(0)
  })
})

test('a score shows who spoke when', () => {
  const voices = [
    { who: 'agent', from: 0, to: 1_400 },
    { who: 'caller', from: 1_000, to: 2_500 },
    { who: 'agent', from: 3_000, to: null },
  ] as const
  expect(score(voices, 4_000, style)).toEqual([
    '        caller    ··███···',
    '        agent     ███···██',
    '                  0 s',
  ])
})

test('nothing is coloured for those who do not want it', () => {
  expect(styleFor({ isTTY: true }, {}).red('no')).toBe('\u001b[31mno\u001b[39m')
  expect(styleFor({ isTTY: true }, { NO_COLOR: '1' }).red('no')).toBe('no')
  expect(styleFor({}, {}).red('no')).toBe('no')
})
