import { z } from 'zod'
import { agent, handoff, StopResponse, ToolError, type Tools, tool } from '../../src/index.js'
import { heard, noise, type Scene, toolCall, user } from '../../src/testing/index.js'
import { silent, works } from './cast.js'
import { cut, linesOf, must, scenarios, whole } from './runner.js'

/** A conversation that begins with "go", which is committed at 3,000; everything that is said takes a second. */
const played = (tools: Tools, scene: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: silent('A', tools),
  tts: { duration: 1_000 },
  ...scene,
  timeline: [user(500, 2_500, 'go'), ...(scene.timeline ?? [])],
})

scenarios('tools', [
  {
    id: 'T-01',
    what: 'calls of one answer run at the same time, and are told together when the last has ended',
    scene: (stage) =>
      played(
        { a: works(stage, 2_000, 'A'), b: works(stage, 1_000, 'B') },
        { llm: [['Checking', toolCall('a', {}, 'c1'), toolCall('b', {}, 'c2')], 'Both are done.'] },
      ),
    expect: {
      audible: [whole('Checking', 3_200, 4_210), whole('Both are done.', 5_500, 6_510)],
      tools: {
        a: { start: 3_000, end: 5_000, status: 'done', output: 'A' },
        b: { start: 3_000, end: 4_000, status: 'done', output: 'B' },
      },
      events: [
        [4_000, { type: 'call-end', name: 'b' }],
        [4_210, { type: 'agent-state', to: 'thinking' }],
        [5_000, { type: 'call-end', name: 'a' }],
        [5_500, { type: 'agent-state', to: 'speaking' }],
        [6_510, { type: 'agent-state', to: 'listening' }],
      ],
      history: [
        'user: go',
        'agent: Checking',
        'call: a {}',
        'call: b {}',
        ['output: B', 4_000],
        ['output: A', 5_000],
        'agent: Both are done.',
      ],
      also: ({ events }) => {
        const told = events.flatMap(({ event }) =>
          event.type === 'tools-end' ? [event.calls.map(({ name }) => name)] : [],
        )
        must(told.join(';') === 'b,a', `the calls were told as ${JSON.stringify(told)}`)
      },
    },
  },
  {
    id: 'T-02',
    what: 'calls that cannot be carried out each have an output that helps, and no secret leaves a tool; the caller hears of it 500 ms sooner, for the reply to it is made while the words before it sound',
    scene() {
      const fails = tool({
        description: 'Fails.',
        execute() {
          throw new ToolError('There is no such city.')
        },
      })
      const breaks = tool({
        description: 'Breaks.',
        execute() {
          throw new Error('secret')
        },
      })
      const counts = tool({
        description: 'Counts.',
        inputSchema: z.object({ guests: z.number().int() }),
        execute: ({ guests }) => guests,
      })
      return played(
        { fails, breaks, counts },
        {
          llm: [
            [
              'Checking',
              toolCall('fails'),
              toolCall('breaks'),
              toolCall('invented'),
              toolCall('counts', { guests: 'many' }),
              toolCall('counts', '{"guests": 2'),
            ],
            'That did not work.',
          ],
        },
      )
    },
    expect: {
      audible: [whole('Checking', 3_200, 4_210), whole('That did not work.', 4_210, 5_220)],
      tools: {
        fails: { status: 'error', output: 'There is no such city.' },
        breaks: { status: 'error', output: /internal/i },
        invented: { status: 'error', output: /Unknown tool "invented".*fails, breaks, counts/ },
        counts: [
          { status: 'error', output: /guests/ },
          { status: 'error', output: /JSON/ },
        ],
      },
      errors: [/secret/],
      also: ({ events, requests, history }) => {
        const told = events.filter(({ event }) => event.type !== 'error')
        must(!JSON.stringify([told, requests, history]).includes('secret'), 'the secret was told')
        must(requests.length === 2, `${requests.length} requests`)
      },
    },
  },
  {
    id: 'T-03',
    what: 'a tool that wants no answer has an empty output, and nobody answers',
    scene: () =>
      played(
        {
          stop: tool({
            description: 'Stops.',
            execute() {
              throw new StopResponse()
            },
          }),
        },
        { llm: [['Checking', toolCall('stop')]] },
      ),
    expect: {
      audible: [whole('Checking', 3_200, 4_210)],
      tools: { stop: { status: 'done', output: '' } },
      history: ['user: go', 'agent: Checking', 'call: stop {}', 'output: '],
      events: [[4_210, { type: 'agent-state', to: 'listening' }]],
      requests: [{ agent: 'A' }],
    },
  },
  {
    id: 'T-04',
    what: 'a tool that returns nothing has an empty output, and nobody answers',
    scene: () =>
      played(
        { quiet: tool({ description: 'Says nothing.', execute() {} }) },
        { llm: [['Checking', toolCall('quiet')]] },
      ),
    expect: {
      audible: [whole('Checking', 3_200, 4_210)],
      tools: { quiet: { status: 'done', output: '' } },
      history: ['user: go', 'agent: Checking', 'call: quiet {}', 'output: '],
      events: [[4_210, { type: 'agent-state', to: 'listening' }]],
      requests: [{ agent: 'A' }],
    },
  },
  {
    id: 'T-05',
    what: 'a model that never stops calling is offered no tools at last, and what it calls then is not run',
    scene: () =>
      played(
        { loop: tool({ description: 'Goes on.', execute: () => 'again' }) },
        {
          llm: ({ messages }) => [messages.length === 1 ? 'Checking' : 'Again', toolCall('loop')],
        },
      ),
    expect: {
      audible: [
        whole('Checking', 3_200, 4_210),
        whole('Again', 4_210, 5_220),
        whole('Again', 5_220, 6_230),
        whole('Again', 6_230, 7_240),
        whole('Again', 7_240, 8_250),
      ],
      events: [[8_250, { type: 'agent-state', to: 'listening' }]],
      tools: { loop: [1, 2, 3, 4].map(() => ({ status: 'done', output: 'again' })) },
      also: ({ requests }) => {
        const choices = requests.map(({ toolChoice }) => toolChoice)
        must(choices.join() === 'auto,auto,auto,auto,none', `the models might choose ${choices.join()}`)
      },
    },
  },
  {
    id: 'T-06',
    what: 'words before a tool and words after it are two messages with the call between them',
    scene: (stage) =>
      played(
        { get_weather: works(stage, 2_210, 'sunny') },
        {
          llm: [['Let me check the weather for you.', toolCall('get_weather')], 'It is sunny all day.'],
          tts: { duration: { 'Let me check': 2_000, 'It is sunny': 3_000 } },
        },
      ),
    expect: {
      audible: [whole('Let me check the weather for you.', 3_200, 5_210), whole('It is sunny all day.', 5_710, 8_720)],
      events: [
        [3_000, { type: 'agent-state', to: 'thinking' }],
        [3_200, { type: 'agent-state', to: 'speaking' }],
        [5_210, { type: 'agent-state', to: 'thinking' }],
        [5_710, { type: 'agent-state', to: 'speaking' }],
        [8_720, { type: 'agent-state', to: 'listening' }],
      ],
      history: [
        'user: go',
        'agent: Let me check the weather for you.',
        'call: get_weather {}',
        'output: sunny',
        'agent: It is sunny all day.',
      ],
    },
  },
  {
    id: 'T-07',
    what: 'a hook may say something and a tool may ask for a reply: all of it is heard in its order',
    scene() {
      const goodbye = tool({
        description: 'Says goodbye.',
        async execute(_, { session }) {
          await session.generateReply({ instructions: 'Say goodbye.' }).done
        },
      })
      const A = agent({
        name: 'A',
        instructions: 'You are A.',
        tools: { goodbye },
        enter: ({ session }) => void session.generateReply({ instructions: 'Say hello.' }),
        userTurn: (_, { session }) => void session.say('Let me see.'),
      })
      return {
        bench: 'scenario',
        agent: A,
        timeline: [user(3_000, 4_000, 'bye')],
        llm: ['What can I do for you!', toolCall('goodbye'), 'Goodbye! Have a nice day!'],
        tts: { duration: { 'What can': 2_000, 'Let me see.': 1_000, Goodbye: 3_000 } },
      }
    },
    expect: {
      audible: [
        whole('What can I do for you!', 500, 2_510),
        whole('Let me see.', 4_700, 5_710),
        whole('Goodbye! Have a nice day!', 5_710, 8_720),
      ],
      tools: { goodbye: { start: 4_500, end: 8_720, status: 'done', output: '' } },
      history: [
        'agent: What can I do for you!',
        'user: bye',
        'call: goodbye {}',
        'agent: Let me see.',
        'agent: Goodbye! Have a nice day!',
        'output: ',
      ],
    },
  },
  {
    id: 'T-08',
    what: 'a tool that waits for its own speech to be over is told so at once; the wait for its words ends with them',
    scene: (stage) =>
      played(
        {
          wait: tool({
            description: 'Waits.',
            async execute(_, run) {
              try {
                await run.speech.done
              } catch (error) {
                stage.mark('refused', String(error))
              }
              await run.waitForPlayout()
              stage.mark('heard')
              return 'heard'
            },
          }),
        },
        { llm: [['Checking', toolCall('wait')], 'There.'] },
      ),
    expect: {
      audible: [whole('Checking', 3_200, 4_210), whole('There.', 4_710, 5_720)],
      tools: { wait: { end: 4_210, status: 'done', output: 'heard' } },
      history: ['user: go', 'agent: Checking', 'call: wait {}', ['output: heard', 4_210], 'agent: There.'],
      also: ({ marks }) => {
        const [refused, heard] = marks
        must(refused?.at === 3_000 && /waitForPlayout/.test(String(refused.data)), 'it was not refused at once')
        must(Math.abs((heard?.at ?? 0) - 4_210) <= 60, `it waited until ${heard?.at}`)
      },
    },
  },
  {
    id: 'T-09',
    what: 'once it has reported progress, a tool may wait for the speech that asked for it',
    scene: (stage) =>
      played(
        {
          wait: tool({
            description: 'Waits.',
            async execute(_, run) {
              run.update('started')
              const { heard } = await run.speech.done
              stage.mark('over', heard)
              return 'finished'
            },
          }),
        },
        { llm: [['Checking', toolCall('wait')], 'It has begun.', 'It is finished.'] },
      ),
    expect: {
      audible: [
        whole('Checking', 3_200, 4_210),
        whole('It has begun.', 4_210, 5_220),
        whole('It is finished.', 5_710, 6_720),
      ],
      also: ({ marks }) => {
        must(marks[0]?.data === 'Checking It has begun.', `the speech ended as ${String(marks[0]?.data)}`)
        must(Math.abs(marks[0]!.at - 5_220) <= 60, `the speech ended at ${marks[0]?.at}`)
      },
    },
  },
  {
    id: 'T-10',
    what: 'a tool may say something and wait until it was heard',
    scene: () =>
      played(
        {
          wait: tool({
            description: 'Waits.',
            async execute(_, { session }) {
              await session.say('Hold on').done
              return 'ready'
            },
          }),
        },
        { llm: [['Checking', toolCall('wait')], 'There.'] },
      ),
    expect: {
      audible: [whole('Checking', 3_200, 4_210), whole('Hold on', 4_410, 5_420), whole('There.', 5_920, 6_930)],
      history: [
        'user: go',
        'agent: Checking',
        'call: wait {}',
        'agent: Hold on',
        ['output: ready', 5_420],
        'agent: There.',
      ],
    },
  },
  {
    id: 'T-11',
    what: 'an agent with a value: the new agent is told it and answers, so that the caller hears one voice go and one come',
    scene() {
      const Y = agent({ name: 'Y', instructions: 'You are Y.' })
      return played(
        { move: tool({ description: 'Moves.', execute: () => handoff(Y, 'moved') }) },
        { cast: [Y], llm: { A: [['Checking', toolCall('move')]], Y: ['This is Y.'] } },
      )
    },
    expect: {
      audible: [whole('Checking', 3_200, 4_210), whole('This is Y.', 4_710, 5_720)],
      tools: { move: { status: 'done', output: 'moved' } },
      agents: [[4_210, 'Y']],
      requests: [{ agent: 'A' }, { agent: 'Y', at: 4_210, holds: ['call: move {}', 'output: moved'] }],
    },
  },
  {
    id: 'T-12',
    what: 'an agent alone: the call has an empty output, the agent takes over, and nobody answers for the old one',
    scene() {
      const Y = agent({ name: 'Y', instructions: 'You are Y.', greet: false })
      return played(
        { move: tool({ description: 'Moves.', execute: () => Y }) },
        { cast: [Y], llm: { A: [['Checking', toolCall('move')]] } },
      )
    },
    expect: {
      audible: [whole('Checking', 3_200, 4_210)],
      tools: { move: { status: 'done', output: '' } },
      agents: [[4_210, 'Y']],
      events: [[4_210, { type: 'agent-state', to: 'listening' }]],
      history: ['user: go', 'agent: Checking', 'call: move {}', 'output: '],
      requests: [{ agent: 'A' }],
    },
  },
  {
    id: 'T-14',
    what: 'a failure that could not be told because the caller spoke is known to the answer, and not told by itself',
    scene: () =>
      played(
        {
          fails: tool({
            description: 'Fails.',
            execute() {
              throw new ToolError('no such city')
            },
          }),
        },
        {
          timeline: [user(5_000, 6_000, 'never mind')],
          line: { canPause: false },
          llm: [['Let me check that for you right away', toolCall('fails')], 'There is none.', 'Fine.'],
          tts: { duration: { 'Let me check': 10_000, 'Fine.': 1_000 } },
        },
      ),
    expect: {
      audible: [cut('Let me', 3_200, 5_550), whole('Fine.', 6_700, 7_710)],
      tools: { fails: { status: 'error', output: 'no such city' } },
      history: [
        'user: go',
        'agent: Let me…',
        'call: fails {}',
        'error: no such city',
        'user: never mind',
        'agent: Fine.',
      ],
      also: ({ requests }) => {
        const last = linesOf(requests.at(-1)!)
        must(last.includes('error: no such city') && last.at(-1) === 'user: never mind', `it sees ${last.join(' | ')}`)
      },
    },
  },
  ...((['continue', 'cancel'] as const).map((onInterrupt) => ({
    id: onInterrupt === 'continue' ? 'T-15' : 'T-15b',
    what:
      onInterrupt === 'continue'
        ? 'a hand-off goes on though the words beside it are talked over: the caller who was promised it gets it'
        : 'with onInterrupt "cancel", a hand-off whose words are talked over does not happen, and its call says so',
    scene() {
      const Y = agent({ name: 'Y', instructions: 'You are Y.' })
      return played(
        {
          move: tool({
            description: 'Moves.',
            onInterrupt,
            async execute(_, run) {
              await run.waitForPlayout()
              return Y
            },
          }),
        },
        {
          cast: [Y],
          timeline: [user(5_000, 6_000, 'wait')],
          line: { canPause: false },
          llm: { A: [['I will put you through to my colleague', toolCall('move')], 'Yes?'], Y: ['This is Y.'] },
          tts: { duration: { 'I will': 10_000, 'Yes?': 1_000, 'This is Y.': 1_000 } },
        },
      )
    },
    expect:
      onInterrupt === 'continue'
        ? {
            audible: [cut('I will', 3_200, 5_550), whole('This is Y.', 6_700, 7_710)],
            tools: { move: { end: 5_550, status: 'done', output: '' } },
            agents: [[5_550, 'Y']],
            history: ['user: go', 'agent: I will…', 'call: move {}', 'output: ', 'user: wait', 'agent: This is Y.'],
          }
        : {
            audible: [cut('I will', 3_200, 5_550), whole('Yes?', 6_700, 7_710)],
            tools: { move: { end: 5_550, status: 'error', output: /interrupted/ } },
            agents: [],
          },
  })) satisfies Parameters<typeof scenarios>[1]),
  {
    id: 'T-28',
    what: 'a reply may go without some tools, in its later steps too; what its model calls of them all the same is refused',
    scene(stage) {
      const A = agent({
        name: 'A',
        instructions: 'You are A.',
        tools: { look: works(stage, 100, 'seen'), leave: works(stage, 100, 'left') },
        enter: ({ session }) => void session.generateReply({ withoutTools: ['leave'] }),
      })
      return {
        bench: 'scenario',
        agent: A,
        timeline: [user(4_500, 5_500, 'go')],
        llm: [['Hello.', toolCall('look')], ['I see.', toolCall('leave')], 'I may not.', 'You said go.'],
        tts: { duration: 1_000 },
      }
    },
    expect: {
      audible: [
        whole('Hello.', 500, 1_510),
        whole('I see.', 1_510, 2_520),
        whole('I may not.', 2_520, 3_530),
        whole('You said go.', 6_200, 7_210),
      ],
      tools: { look: { status: 'done', output: 'seen' }, leave: { status: 'error', returned: null } },
      also({ requests }) {
        const offered = requests.map(({ tools }) => tools.map(({ name }) => name).join('+'))
        must(offered.join() === 'look,look,look,look+leave', `the models were offered ${offered.join()}`)
      },
    },
  },
  {
    id: 'T-28b',
    what: 'a reply that is to have no tools calls none',
    scene(stage) {
      const A = agent({
        name: 'A',
        instructions: 'You are A.',
        tools: { slow: works(stage, 1_000) },
        enter: ({ session }) => void session.generateReply({ toolChoice: 'none' }),
      })
      return {
        bench: 'scenario',
        agent: A,
        timeline: [user(2_500, 3_500, 'go')],
        llm: [['Hello.', toolCall('slow')], 'You said go.'],
        tts: { duration: 1_000 },
      }
    },
    expect: {
      audible: [whole('Hello.', 500, 1_510), whole('You said go.', 4_200, 5_210)],
      tools: { slow: [] },
      also({ requests }) {
        const choices = requests.map(({ toolChoice }) => toolChoice)
        must(choices.join() === 'none,auto', `the models might choose ${choices.join()}`)
      },
    },
  },
  {
    id: 'T-29',
    what: 'a call of a guess that is dropped never runs, and stands nowhere',
    scene: (stage) => ({
      bench: 'scenario',
      agent: silent('A', { order: works(stage, 100) }),
      timeline: [noise(500, 2_500), heard(1_500, 'order it'), heard(2_700, 'no wait')],
      llm: [
        { when: { user: 'wait' }, text: 'I wait.' },
        { when: { user: 'order' }, calls: toolCall('order') },
      ],
      tts: { duration: 1_000 },
    }),
    expect: {
      audible: [whole('I wait.', 3_200, 4_210)],
      tools: { order: [] },
      history: ['user: order it no wait', 'agent: I wait.'],
      also({ requests }) {
        const [guess] = requests
        must(guess?.at === 1_500 && guess.called.join() === 'order', 'the guess called no tool')
      },
    },
  },
  {
    id: 'T-30',
    what: 'a noise over a step without words holds nothing of the step that follows',
    scene: (stage) =>
      played({ slow: works(stage, 3_000) }, { timeline: [noise(3_200, 4_000)], llm: [toolCall('slow'), 'There.'] }),
    expect: {
      audible: [{ ...whole('There.', 6_500, 7_510), held: [] }],
      tools: { slow: { start: 3_000, end: 6_000, status: 'done' } },
      never: [{ type: 'false-interruption' }],
    },
  },
])
