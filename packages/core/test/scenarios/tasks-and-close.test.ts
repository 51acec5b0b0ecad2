import { z } from 'zod'
import { agent, SessionClosed, task, tool } from '../../src/index.js'
import { at, noise, type Observed, type Stage, toolCall, user } from '../../src/testing/index.js'
import { cast, collecting, durations, opening, PRE } from './cast.js'
import { cut, scenarios, whole } from './runner.js'

/** A task that notes when it leaves. */
const question = (stage: Stage, name: string, tools = {}) =>
  task({
    name,
    instructions: `You are ${name}.`,
    result: z.object({ value: z.string() }),
    tools,
    exit: () => stage.mark(`exit of ${name}`),
  })

/** A tool that awaits a task, and notes what that throws. */
const asks = (stage: Stage, inner: ReturnType<typeof question>) =>
  tool({
    description: 'Asks.',
    async execute(_, run) {
      try {
        return (await run.task(inner, { speech: 'finish' })).value
      } catch (error) {
        stage.mark(`${inner.name} threw`, error instanceof SessionClosed)
        throw error
      }
    },
  })

const close = (time: number, drain = false) => at(time, (session) => session.close({ drain }), 'close')

/** @throws {Error} unless each of `names` was noted at `time`, and before those behind it in its row. */
function inOrder({ marks }: Observed, time: number, ...rows: readonly (readonly string[])[]): void {
  const seen = marks.map(({ at: when, name, data }) => `${when} ${name}${data === true ? ' closed' : ''}`)
  for (const names of rows) {
    const places = names.map((name) => seen.indexOf(`${time} ${name}`))
    if (places.some((place, n) => place < 0 || place < (places[n - 1] ?? 0)))
      throw new Error(`noted was ${seen.join(', ')}; expected ${names.join(' before ')}, at ${time}`)
  }
}

scenarios('a close while tools and tasks run', [
  {
    id: 'A-10',
    what: 'a close while speech is held cuts it, lets the tool end, records its result, and ends with it',
    scene(stage) {
      const slow = tool({
        description: 'Works.',
        async execute() {
          await stage.sleep(4_000)
          return 'slowresult'
        },
      })
      return {
        bench: 'scenario',
        agent: agent({
          name: 'A',
          instructions: 'You are A.',
          greet: false,
          tools: { slow },
          exit: () => stage.mark('exit of A'),
        }),
        tts: { duration: { 'Let me check': 10_000 } },
        timeline: [opening, noise(3_600, 4_400), close(4_600)],
        llm: [['Let me check that for you right away', toolCall('slow')]],
      }
    },
    expect: {
      audible: [{ ...cut('', 3_200, 4_150), held: [[4_150, null]] }],
      history: ['user: book me', 'call: slow {}', ['output: slowresult', 7_000]],
      tools: { slow: { start: 3_000, end: 7_000, status: 'done', output: 'slowresult', aborted: null } },
      events: [
        [4_600, { type: 'closing' }],
        [4_600, { type: 'speech-end', interrupted: true }],
        [7_000, { type: 'call-end', name: 'slow', status: 'done' }],
        [7_000, { type: 'closed' }],
      ],
      closed: 7_000,
      acts: { close: { at: 7_000, outcome: 'done' } },
      also: (observed) => inOrder(observed, 7_000, ['exit of A']),
    },
  },
  {
    id: 'A-16',
    what: 'a close that drains hears the words of the task out, and ends with them: the task is cancelled, and its tool told so',
    scene(stage) {
      const { A, T } = cast(stage)
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        tts: { duration: durations },
        timeline: [opening, close(9_000, true)],
        llm: collecting(),
      }
    },
    expect: {
      audible: [whole(PRE, 3_200, 8_210), whole('What is it?', 8_710, 9_720)],
      history: [
        'user: book me',
        `agent: ${PRE}`,
        'call: collect {}',
        'agent: What is it?',
        ['error: the session closed', 9_720],
      ],
      events: [
        [9_720, { type: 'speech-end', interrupted: false, heard: 'What is it?' }],
        [9_720, { type: 'closing' }],
        [9_720, { type: 'agent-change', to: 'A', cause: 'return' }],
        [9_720, { type: 'closed' }],
      ],
      tools: { collect: { start: 3_000, end: 9_720, status: 'error', output: /closed/ } },
      requests: [{ agent: 'A' }, { agent: 'T', at: 8_210 }],
      closed: 9_720,
    },
  },
  {
    id: 'K-01b',
    what: 'a close while a second task waits for its turn ends both, each with its reason, and both calls have an output',
    scene(stage) {
      const [T1, T2] = [question(stage, 'T1'), question(stage, 'T2')]
      const P = agent({
        name: 'P',
        instructions: 'You are P.',
        greet: false,
        tools: { one: asks(stage, T1), two: asks(stage, T2) },
      })
      return {
        bench: 'scenario',
        agent: P,
        cast: [T1, T2],
        timeline: [opening, close(6_000)],
        llm: { P: [['One moment', toolCall('one', {}, 'c1'), toolCall('two', {}, 'c2')]], T1: ['Name?'] },
        tts: { duration: { 'One moment': 1_000, 'Name?': 500 } },
      }
    },
    expect: {
      audible: [whole('One moment', 3_200, 4_210), whole('Name?', 4_710, 5_220)],
      agents: [
        [4_210, 'T1'],
        [6_000, 'P'],
      ],
      tools: {
        one: { start: 3_000, end: 6_000, status: 'error', output: /closed/ },
        two: { start: 3_000, end: 6_000, status: 'error', output: /closed/ },
      },
      history: [
        'user: book me',
        'agent: One moment',
        'call: one {}',
        'call: two {}',
        'agent: Name?',
        'error: the session closed',
        'error: the session closed',
      ],
      closed: 6_000,
      also: (observed) => inOrder(observed, 6_000, ['exit of T1'], ['T1 threw closed'], ['T2 threw closed']),
    },
  },
  {
    id: 'K-02b',
    what: 'a close during a task of a task unwinds from the inside: each exit hook runs, and each tool hears of it',
    scene(stage) {
      const Inner = question(stage, 'Inner')
      const Outer = question(stage, 'Outer', { deeper: asks(stage, Inner) })
      const A = agent({
        name: 'A',
        instructions: 'You are A.',
        greet: false,
        tools: { collect: asks(stage, Outer) },
        exit: () => stage.mark('exit of A'),
      })
      return {
        bench: 'scenario',
        agent: A,
        cast: [Outer, Inner],
        timeline: [opening, user(6_000, 7_000, 'dana'), close(9_500)],
        llm: {
          A: [['One moment', toolCall('collect')]],
          Outer: ['Name?', toolCall('deeper')],
          Inner: ['Birth date?'],
        },
        tts: { duration: { 'One moment': 1_000, 'Name?': 500, 'Birth date?': 500 } },
      }
    },
    expect: {
      audible: [whole('One moment', 3_200, 4_210), whole('Name?', 4_710, 5_220), whole('Birth date?', 8_000, 8_510)],
      agents: [
        [4_210, 'Outer'],
        [7_500, 'Inner'],
        [9_500, 'Outer'],
        [9_500, 'A'],
      ],
      tools: {
        collect: { start: 3_000, end: 9_500, status: 'error', output: /closed/ },
        deeper: { start: 7_500, end: 9_500, output: /closed/i },
      },
      closed: 9_500,
      also: (observed) =>
        inOrder(
          observed,
          9_500,
          ['exit of Inner', 'exit of Outer', 'exit of A'],
          ['Inner threw closed', 'exit of A'],
          ['Outer threw closed', 'exit of A'],
        ),
    },
  },
  {
    id: 'K-19',
    what: 'a close while the enter hook of the first agent awaits a task cuts the question, and is no failure of the hook',
    scene(stage) {
      const T = question(stage, 'T')
      const A = agent({
        name: 'A',
        instructions: 'You are A.',
        async enter(run) {
          await run.task(T).catch((error: unknown) => {
            stage.mark('T threw', error instanceof SessionClosed)
            throw error
          })
        },
        exit: () => stage.mark('exit of A'),
      })
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        timeline: [close(1_000)],
        llm: { T: ['What is it?'] },
        tts: { duration: 1_000 },
      }
    },
    expect: {
      audible: [cut('What', 500, 1_000)],
      history: [['agent: What…', 500]],
      agents: [
        [0, 'T'],
        [1_000, 'A'],
      ],
      closed: 1_000,
      also: (observed) => inOrder(observed, 1_000, ['exit of T', 'exit of A'], ['T threw closed', 'exit of A']),
    },
  },
])
