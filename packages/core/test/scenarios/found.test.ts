import { z } from 'zod'
import { agent, task, tool } from '../../src/index.js'
import { at, hangUp, heard, noise, type Stage, toolCall, user } from '../../src/testing/index.js'
import { cast, durations, opening, PRE, silent, works } from './cast.js'
import { must, scenarios, whole } from './runner.js'

/** A has `collect`, which awaits T; a tool of T's ends it at `time`. */
function settling(stage: Stage, time: number) {
  const settle = tool({
    description: 'Ends the task.',
    async execute(_, run) {
      await stage.sleep(time - stage.clock.now())
      await run.finish({ value: 'ok' })
    },
  })
  const result = z.object({ value: z.string() })
  const T = task({ name: 'T', instructions: 'You are T.', result, tools: { settle } })
  const collect = tool({
    description: 'Collects the details.',
    async execute(_, run) {
      await run.task(T)
      return 'collected'
    },
  })
  return { A: silent('A', { collect }), T }
}

scenarios('what moving events around each other has found', [
  {
    id: 'found-1',
    what: 'final words that come while a close waits for a tool are recorded',
    scene: (stage) => ({
      bench: 'scenario',
      agent: silent('A', { slow: works(stage, 4_000, 'finished') }),
      llm: [['Let me check', toolCall('slow')]],
      tts: { duration: 500 },
      timeline: [
        opening,
        noise(4_000, 4_900),
        at(6_000, (session) => session.close(), 'close'),
        heard(6_500, 'one more thing'),
      ],
    }),
    expect: {
      history: [
        'user: book me',
        'agent: Let me check',
        'call: slow {}',
        ['user: one more thing', 6_500],
        ['output: finished', 7_000],
      ],
      requests: [{ agent: 'A' }],
      closed: 7_000,
    },
  },
  {
    id: 'found-2',
    what: 'a hand-off that waits for a task beside it keeps no drain open',
    scene(stage) {
      const B = agent({ name: 'B', instructions: 'You are B.' })
      const transfer = tool({ description: 'Transfers.', execute: () => B })
      const { A, T } = cast(stage, { tools: { transfer } })
      return {
        bench: 'scenario',
        agent: A,
        cast: [T, B],
        tts: { duration: durations },
        timeline: [opening, at(9_000, (session) => session.close({ drain: true }), 'close')],
        llm: { A: [[PRE, toolCall('collect'), toolCall('transfer')]], T: ['What is it?'] },
      }
    },
    expect: {
      audible: [whole(PRE, 3_200, 8_210), whole('What is it?', 8_710, 9_720)],
      tools: { collect: { end: 9_720, status: 'error' }, transfer: { end: 9_720 } },
      closed: 9_720,
    },
  },
  {
    id: 'found-3',
    what: 'a caller who hangs up in the middle of a sound is not waited for longer than a close may wait for words',
    scene: {
      bench: 'scenario',
      agent: silent('A'),
      timeline: [noise(1_000, 3_000), hangUp(2_000)],
      options: { turnHandling: { endpointing: { minDelay: 5_000 } }, limits: { closeTranscript: 1_000 } },
    },
    expect: { closed: 3_000 },
  },
  {
    id: 'found-4',
    what: 'who has the conversation again with words that nobody has answered answers them once, with the result of the task',
    scene(stage) {
      const { A, T } = settling(stage, 12_550)
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        tts: { duration: durations },
        timeline: [opening, user(11_000, 12_000, 'never mind')],
        llm: { A: [[PRE, toolCall('collect')], 'All done.'], T: [['What is it?', toolCall('settle')], 'Not said.'] },
        options: { speculation: false },
      }
    },
    expect: {
      audible: [whole(PRE, 3_500, 8_510), whole('What is it?', 9_010, 10_010), whole('All done.', 13_050, 14_050)],
      requests: [
        { agent: 'A' },
        { agent: 'T' },
        { agent: 'A', at: 12_550, holds: ['user: never mind', 'call: collect {}', 'output: collected'] },
      ],
    },
  },
  {
    id: 'found-5',
    what: 'an agent that takes over in the middle of a task is shown at once how the tool has ended, and not told of it again',
    scene(stage) {
      const B = agent({ name: 'B', instructions: 'You are B.' })
      const { A, T } = cast(stage)
      return {
        bench: 'scenario',
        agent: A,
        cast: [T, B],
        tts: { duration: durations },
        timeline: [opening, at(10_500, (session) => session.updateAgent(B), 'update')],
        llm: { A: [[PRE, toolCall('collect')]], T: ['What is it?'], B: ['Yes.'] },
      }
    },
    expect: {
      audible: [whole(PRE, 3_200, 8_210), whole('What is it?', 8_710, 9_720), whole('Yes.', 11_000, 12_010)],
      requests: [
        { agent: 'A' },
        { agent: 'T' },
        { agent: 'B', at: 10_500, holds: ['call: collect {}', 'error: the agent was replaced'] },
      ],
    },
  },
  {
    id: 'found-6',
    what: 'the words of a task that are heard after it has returned are the words of the task',
    scene(stage) {
      const { A, T } = cast(stage)
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        tts: { duration: durations },
        timeline: [opening],
        llm: {
          A: [[PRE, toolCall('collect')], 'All done.'],
          T: [['What is it?', toolCall('finish', { value: 'ok' })]],
        },
      }
    },
    expect: {
      agents: [
        [8_210, 'T'],
        [8_510, 'A'],
      ],
      also: ({ history }) => {
        const by = history.flatMap((item) => (item.type === 'assistant' ? [`${item.agent}: ${item.text}`] : []))
        must(by.join() === `A: ${PRE},T: What is it?,A: All done.`, `the history says ${by.join()}`)
      },
    },
  },
  {
    id: 'found-7',
    what: 'words that come long after their sound are waited for until they are final',
    scene: {
      bench: 'scenario',
      agent: silent('A'),
      timeline: [
        noise(1_000, 1_100),
        heard(3_200, { type: 'transcript', text: 'wait stop', final: false }),
        heard(3_300, 'wait stop please'),
      ],
      llm: ['Yes.'],
      tts: { duration: 1_000 },
    },
    expect: { history: [['user: wait stop please', 3_300], 'agent: Yes.'], audible: [whole('Yes.', 3_800, 4_810)] },
  },
  {
    id: 'found-8',
    what: 'an agent that takes over before the task of a tool could begin is not told of it again',
    scene(stage) {
      const B = agent({ name: 'B', instructions: 'You are B.' })
      const { A, T } = cast(stage)
      return {
        bench: 'scenario',
        agent: A,
        cast: [T, B],
        tts: { duration: durations },
        timeline: [opening, at(5_000, (session) => session.updateAgent(B), 'update')],
        llm: { A: [[PRE, toolCall('collect')]], B: ['Yes.', 'Once more.'] },
      }
    },
    expect: {
      audible: [whole(PRE, 3_200, 8_210), whole('Yes.', 8_710, 9_720)],
      requests: [
        { agent: 'A' },
        { agent: 'B', at: 8_210, holds: ['call: collect {}', 'error: the agent has handed the conversation over'] },
      ],
    },
  },
  {
    id: 'found-9',
    what: 'words that a close has given up waiting for, and that come after all, stand in the history once',
    scene: (stage) => ({
      bench: 'scenario',
      agent: silent('A', { slow: works(stage, 4_000, 'finished') }),
      llm: [['Let me check', toolCall('slow')]],
      tts: { duration: 500 },
      timeline: [
        opening,
        noise(4_000, 4_900),
        at(5_200, (session) => session.close(), 'close'),
        heard(5_300, { type: 'transcript', text: 'one more', final: false }),
        heard(6_500, 'one more thing'),
      ],
      options: { limits: { closeTranscript: 500 } },
    }),
    expect: {
      closed: 7_000,
      also: ({ history }) => {
        const words = history.flatMap((item) => (item.type === 'user' ? item.text.split(' ') : [])).sort()
        must(words.join() === 'book,me,more,one,thing', `the words are ${words.join()}`)
      },
    },
  },
  {
    id: 'found-10',
    what: 'a line that takes little sound at a time is given all of it, and nobody takes the voice for silent',
    scene: {
      bench: 'scenario',
      agent: silent('A'),
      timeline: [at(0, (session) => void session.say('one two three four five'), 'say')],
      llm: [],
      tts: { firstByte: 100, perWord: 400, aligned: 'nothing' },
      line: { buffer: 40 },
    },
    expect: { audible: [whole('one two three four five', 100, 2_100)], history: ['agent: one two three four five'] },
  },
])
