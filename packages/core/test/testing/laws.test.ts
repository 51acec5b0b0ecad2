import { beforeAll, describe, expect, test } from 'vitest'
import { type AgentSession, agent, tool } from '../../src/index.js'
import {
  assertLaws,
  at,
  type Evidence,
  evidenceOf,
  type Observed,
  play,
  toolCall,
  user,
  violations,
} from '../../src/testing/index.js'

/** A conversation with everything in it: an answer that is cut, a tool, and a close. */
async function conversation(): Promise<Observed> {
  const book = tool({ description: 'Books.', execute: () => 'booked' })
  return await play({
    bench: 'scenario',
    agent: agent({ name: 'A', instructions: 'You are A.', tools: { book }, greet: false }),
    timeline: [
      user(500, 2_500, 'tell me a story'),
      user(5_000, 6_000, 'book me instead'),
      at(12_000, (session) => session.close()),
    ],
    llm: ['Here is a long story for you', toolCall('book'), 'It is booked.'],
    tts: { duration: { 'Here is': 7_000, 'It is': 1_000 } },
  })
}

let session: AgentSession
let evidence: Evidence

beforeAll(async () => {
  ;({ session } = await conversation())
  evidence = evidenceOf(session)
})

/** The laws that are broken by `changed` evidence. */
const broken = (changed: Partial<Evidence>): string[] => [
  ...new Set(violations({ ...evidence, ...changed }).map(({ law }) => law)),
]

const without = <T extends { type: string }>(entries: readonly T[], type: string): T[] =>
  entries.filter((entry) => entry.type !== type)

const changed = <T>(entries: readonly T[], fits: (entry: T) => boolean, change: (entry: T) => T): T[] =>
  entries.map((entry) => (fits(entry) ? change(entry) : entry))

describe('the laws', () => {
  test('hold for a conversation as it was', () => {
    expect(violations(evidence)).toEqual([])
    expect(() => assertLaws(session)).not.toThrow()
  })

  test('hold by the log and the history alone', () => {
    const { log, history, now, settings } = evidence
    expect(violations({ log, history, now, settings, endedAt: null, atRest: true })).toEqual([])
  })

  test('say which of them was broken, and what was seen', () => {
    const history = without(evidence.history, 'output')
    expect(() => assertLaws(session, { history })).toThrow(
      /^the conversation breaks a law:\nL3 \(each tool call has exactly one outcome, and one answer to the model\): the call call-1 of book has no output, and the session has ended$/,
    )
  })

  describe('L1', () => {
    const open = { endedAt: null, atRest: true }
    const log = () => evidence.log.filter(({ input }) => input.type !== 'close')

    test('is broken when nobody answers the last words', () => {
      const last = evidence.history.findLastIndex(({ type }) => type === 'user')
      expect(broken({ ...open, log: log(), history: evidence.history.slice(0, last + 1), sounds: [] })).toContain('L1')
    })

    test('is not broken while the answer is being made, or after a close', () => {
      const last = evidence.history.findLastIndex(({ type }) => type === 'user')
      const history = evidence.history.slice(0, last + 1)
      expect(broken({ ...open, log: log(), atRest: false, history, sounds: [] })).not.toContain('L1')
      expect(broken({ ...open, history, sounds: [] })).not.toContain('L1')
    })

    test('is not broken when the model failed', () => {
      const last = evidence.history.findLastIndex(({ type }) => type === 'user')
      const error = { blame: 'provider', message: 'overloaded', retryable: false } as const
      const failed = { at: 20_000, input: { type: 'model-end', generation: 'g', error } } as const
      const history = evidence.history.slice(0, last + 1)
      expect(broken({ ...open, log: [...log(), failed], history, sounds: [] })).not.toContain('L1')
    })
  })

  describe('L2', () => {
    const said = (text: string) => (entry: Evidence['history'][number]) =>
      entry.type === 'assistant' ? { ...entry, text } : entry
    const isCut = (entry: Evidence['history'][number]) => entry.type === 'assistant' && entry.interrupted

    test('is broken when the history claims a word too many', () => {
      expect(broken({ history: changed(evidence.history, isCut, said('Here is a long')) })).toEqual(['L2'])
    })

    test('is broken when the history forgets a word', () => {
      expect(broken({ history: changed(evidence.history, isCut, said('Here')) })).toEqual(['L2'])
    })

    test('is broken when something was heard that the history does not know', () => {
      expect(broken({ history: without(evidence.history, 'assistant') })).toContain('L2')
    })

    test('is broken when something is remembered that was not heard', () => {
      expect(broken({ sounds: [] })).toEqual(['L2'])
    })

    test('is broken by the reports of the line alone', () => {
      const { sounds: _, ...silent } = evidence
      const history = changed(evidence.history, isCut, said('Here is a long story for you'))
      expect(violations({ ...silent, history }).map(({ law }) => law)).toEqual(['L2'])
    })
  })

  describe('L3', () => {
    test('is broken by a second output', () => {
      const output = evidence.history.find(({ type }) => type === 'output')!
      const last = evidence.history.at(-1)!
      expect(broken({ history: [...evidence.history, { ...output, id: 'twice', at: last.at }] })).toEqual(['L3'])
    })

    test('is broken by an output without a call', () => {
      expect(broken({ history: without(evidence.history, 'call') })).toEqual(['L3'])
    })

    test('is broken when a model is shown a call without its output', () => {
      const requests = changed(
        evidence.requests!,
        ({ messages }) => messages.some(({ role }) => role === 'output'),
        (request) => ({ ...request, messages: request.messages.filter(({ role }) => role !== 'output') }),
      )
      expect(broken({ requests })).toEqual(['L3'])
    })

    test('is broken by a call that ended twice', () => {
      const end = evidence.log.find(({ input }) => input.type === 'call-end')!
      expect(broken({ log: [...evidence.log, end] })).toContain('L3')
    })
  })

  describe('L4', () => {
    test('is broken by two speeches at once', () => {
      const [first, second] = evidence.sounds!
      const early = { ...second!, stretches: [{ from: 4_000, to: 5_000, start: 0, end: 1_000 }] }
      expect(violations({ ...evidence, sounds: [first!, early] }).map(({ law }) => law)).toEqual(['L4'])
    })

    test('is broken by speech that begins over the user', () => {
      const sounds = changed(
        evidence.sounds!,
        ({ end }) => end === 'whole',
        (sound) => ({ ...sound, from: 5_500 }),
      )
      expect(broken({ sounds })).toContain('L4')
    })

    test('is broken by sound that comes after its end', () => {
      expect(broken({ sounds: evidence.sounds!.map((sound) => ({ ...sound, late: 3 })) })).toEqual(['L4'])
    })

    test('is broken by a line that goes back to an earlier speech, by its reports alone', () => {
      const position = (speech: string) =>
        ({ at: 12_000, input: { type: 'playout-position', speech, position: 5 } }) as const
      const { sounds: _, ...silent } = evidence
      const log = [...evidence.log, position('x'), position('y'), position('x')]
      expect(violations({ ...silent, log }).map(({ law }) => law)).toEqual(['L4'])
    })
  })

  test('L5 is broken by a close that takes longer than its limits allow', () => {
    expect(broken({ endedAt: 40_000 })).toEqual(['L5'])
    expect(broken({ endedAt: null, now: 60_000 })).toEqual(['L5'])
  })

  test('L6 is broken by whatever is left', () => {
    expect(broken({ open: { ...evidence.open!, timers: 1 } })).toEqual(['L6'])
    expect(broken({ open: { ...evidence.open!, tracks: 2 } })).toEqual(['L6'])
    expect(broken({ open: { ...evidence.open!, lineClosed: false } })).toEqual(['L6'])
  })

  describe('L7', () => {
    test('is broken by items out of order', () => {
      expect(broken({ history: evidence.history.toReversed() })).toContain('L7')
    })

    test('is broken by an item that does not stand where it was heard', () => {
      const history = changed(
        evidence.history,
        (entry) => entry.type === 'assistant' && entry.interrupted,
        (entry) => ({ ...entry, at: entry.at - 150 }),
      )
      expect(broken({ history })).toEqual(['L7'])
    })

    test('is broken by an id that is there twice', () => {
      expect(broken({ history: evidence.history.map((entry) => ({ ...entry, id: 'same' })) })).toContain('L7')
    })
  })

  describe('L8', () => {
    test('is broken when words are lost', () => {
      const first = evidence.history.findIndex(({ type }) => type === 'user')
      expect(broken({ history: evidence.history.filter((_, index) => index !== first) })).toEqual(['L8'])
    })

    test('is broken when words are there twice', () => {
      const last = evidence.history.at(-1)!
      const again = { type: 'user', id: 'again', at: last.at, text: 'book me instead' } as const
      expect(broken({ history: [...evidence.history, again] })).toEqual(['L8'])
    })
  })
})
