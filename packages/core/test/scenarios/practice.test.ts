import { z } from 'zod'
import { agent, task, tool } from '../../src/index.js'
import { at, heard, noise, toolCall, user } from '../../src/testing/index.js'
import { field, host, practice, startOf, userLines } from './practice.js'
import { linesOf, must } from './runner.js'

practice([
  {
    id: 'S01',
    what: 'an interrupted line stands before the words that interrupted it, as far as it was heard',
    scene: field({
      agent: host(),
      timeline: [
        at(0, (session) => void session.say('Hi this is John with Acme billing about your invoice')),
        user(1_400, 2_300, 'this is who'),
      ],
      llm: ['I am John from Acme'],
    }),
    expect: {
      tolerance: 100,
      history: ['agent: Hi this is John…', ['user: this is who', 2_800], 'agent: I am John from Acme'],
      requests: [{ agent: 'host', sees: ['agent: Hi this is John…', 'user: this is who'] }],
      audible: [
        { text: 'Hi this is John', from: 170, to: 1_900, end: 'cut' },
        { text: 'I am John from Acme', from: 3_370 },
      ],
    },
  },
  {
    id: 'S02',
    what: 'a reply that is cut before its first word is over was not said',
    scene: (stage) =>
      field({
        agent: host(),
        timeline: [
          user(0, 1_000, 'book me a flight'),
          at(2_200, (session) => session.interrupt()),
          user(3_000, 3_900, 'what did you ask me'),
        ],
        options: { speculation: false },
        llm: ['Would you like the window or the aisle seat', 'I asked nothing yet'],
        start: (session) =>
          session.on('reply-end', ({ outcome, heard: words, unheard }) =>
            stage.mark('reply', { outcome, words, unheard }),
          ),
      }),
    expect: {
      tolerance: 100,
      history: ['user: book me a flight', ['user: what did you ask me', 4_400], 'agent: I asked nothing yet'],
      requests: [
        { agent: 'host', at: 1_500 },
        { agent: 'host', at: 4_400, sees: ['user: book me a flight', 'user: what did you ask me'] },
      ],
      also: ({ marks, audible }) => {
        const { outcome, words, unheard } = marks[0]!.data as Record<string, string>
        must(outcome === 'interrupted' && words === '', `the reply ended as ${outcome} with ${words}`)
        must(unheard === 'Would you like the window or the aisle seat', `kept as unheard: ${unheard}`)
        must(audible[0]!.position > 0 && audible[0]!.position < 400, 'it was cut within its first word')
      },
    },
  },
  {
    id: 'S03',
    what: 'a tool that waits for the words beside it wakes when they are cut, and not before',
    scene(stage) {
      const lookup = tool({
        description: 'Looks it up.',
        async execute(_, run) {
          const { interrupted } = await run.waitForPlayout()
          stage.mark('woken', interrupted)
          await stage.sleep(200, run.signal)
          return 'found'
        },
      })
      return field({
        agent: host({ lookup }),
        timeline: [user(0, 1_000, 'look it up'), user(2_800, 3_400, 'never mind')],
        options: { speculation: false },
        llm: [['Let me check that for you', toolCall('lookup')], 'Fine.'],
      })
    },
    expect: {
      tolerance: 100,
      tools: { lookup: { start: 1_920, status: 'done', output: 'found' } },
      requests: [
        { agent: 'host', at: 1_500 },
        { agent: 'host', at: 3_900 },
      ],
      also: (observed) => {
        const { marks, audible } = observed
        must(marks[0]?.data === true, `woken with interrupted = ${String(marks[0]?.data)}`)
        must(
          marks[0]!.at >= audible[0]!.to! && marks[0]!.at <= audible[0]!.to! + 600,
          `woken at ${marks[0]!.at}, cut at ${audible[0]!.to}`,
        )
        must(startOf(observed, 'Fine.') < 4_600, `the answer starts at ${startOf(observed, 'Fine.')}`)
      },
    },
  },
  {
    id: 'S04',
    what: 'the result of a finished tool survives the barge-in, and what was not heard is said again',
    scene(stage) {
      const placeOrder = tool({
        description: 'Places the order.',
        async execute(_, run) {
          await stage.sleep(300, run.signal)
          return 42
        },
      })
      return field({
        agent: host({ place_order: placeOrder }),
        timeline: [user(0, 1_000, 'order it please'), user(2_300, 3_100, 'and a bag please')],
        options: { speculation: false },
        llm: ({ messages }) =>
          messages.some((message) => message.role === 'output') ? 'Order forty two is placed' : toolCall('place_order'),
      })
    },
    expect: {
      tolerance: 100,
      tools: { place_order: { start: 1_800, end: 2_100, status: 'done', output: '42' } },
      also: ({ requests, audible }) => {
        const last = linesOf(requests.at(-1)!)
        const order = ['user: order it please', 'call: place_order {}', 'output: 42', 'user: and a bag please']
        const seen = last.filter((line) => order.includes(line))
        must(JSON.stringify(seen) === JSON.stringify(order), `the last request sees ${JSON.stringify(last)}`)
        must(
          audible.at(-1)?.text === 'Order forty two is placed' && audible.at(-1)?.end === 'whole',
          'the number is said, whole, at last',
        )
      },
    },
  },
  {
    id: 'S05',
    what: 'words beside a task may be talked over: tool and task go on, and the words are the task’s',
    scene() {
      const Address = task({
        name: 'address',
        instructions: 'You ask for the address.',
        result: z.object({ street: z.string() }),
      })
      const collectAddress = tool({
        description: 'Collects the address.',
        execute: async (_, run) => (await run.task(Address)).street,
      })
      return field({
        agent: host({ collect_address: collectAddress }),
        cast: [Address],
        timeline: [user(0, 1_000, 'register me'), user(2_800, 3_500, 'sure'), user(6_000, 7_000, 'five Main Street')],
        options: { speculation: false },
        llm: {
          host: [['One moment I will take your address', toolCall('collect_address')], 'Thank you.'],
          address: ['Which street', toolCall('finish', { street: 'five Main Street' })],
        },
      })
    },
    expect: {
      tolerance: 100,
      tools: { collect_address: { start: 1_940, status: 'done', output: 'five Main Street', aborted: null } },
      never: [
        { type: 'task-end', outcome: 'cancelled' },
        { type: 'task-end', outcome: 'failed' },
      ],
      also: (observed) => {
        const { audible, requests } = observed
        must(audible[0]?.end === 'cut' && audible[0].to! < 3_500, 'the preamble stops')
        must(userLines(observed).filter((text) => text === 'sure').length === 1, '"sure" is one turn')
        const first = requests.find(({ agent: by }) => by === 'address')
        must(
          requests.some((request) => request.agent === 'address' && linesOf(request).includes('user: sure')),
          `the task does not see "sure": ${first && linesOf(first)}`,
        )
        must(
          startOf(observed, 'Which street') <= 5_200,
          `"Which street" starts at ${startOf(observed, 'Which street')}`,
        )
        must(startOf(observed, 'Thank you.') <= 9_000, `the host speaks at ${startOf(observed, 'Thank you.')}`)
      },
    },
  },
  ...(['a', 'b'].map((variant) => ({
    id: `S06${variant}`,
    what:
      variant === 'a'
        ? 'a user who speaks while a tool works is answered at once, and told the result once'
        : 'an equal call while the first still runs joins it, and the work is done once',
    scene(stage) {
      const bookTable = tool({
        description: 'Books a table.',
        async execute(_, run) {
          stage.mark('booked')
          await stage.sleep(3_000, run.signal)
          return 'table seven'
        },
      })
      return field({
        agent: host({ book_table: bookTable }),
        timeline: [user(0, 1_000, 'a table please'), user(2_500, 3_300, 'did you get that')],
        options: { speculation: false },
        llm: ({ messages }) => {
          const outputs = messages.flatMap((message) => (message.role === 'output' ? [message.text] : []))
          if (outputs.includes('table seven')) return 'You have table seven'
          if (messages.at(-1)?.role === 'user' && outputs.length > 0)
            return variant === 'a' ? 'Yes I am on it' : ['Yes I am on it', toolCall('book_table')]
          return toolCall('book_table')
        },
      })
    },
    expect: {
      tolerance: 100,
      also: (observed) => {
        const { marks, tools, requests, audible } = observed
        must(marks.length === 1, `it was booked ${marks.length} times`)
        must(
          tools.every(({ status, output }) => status === 'done' && output === 'table seven'),
          `the calls ended as ${JSON.stringify(tools)}`,
        )
        const asked = requests.find((request) => linesOf(request).includes('user: did you get that'))
        must(asked !== undefined && Math.abs(asked.at - 3_800) <= 100, 'the second turn is asked of the model at 3,800')
        must(
          linesOf(asked!).some((line) => /running/i.test(line)),
          `the call is not shown as running: ${linesOf(asked!)}`,
        )
        must(
          startOf(observed, 'Yes I am on it') < 4_500,
          `the user is answered at ${startOf(observed, 'Yes I am on it')}`,
        )
        const told = audible.filter(({ text }) => text === 'You have table seven')
        must(told.length === 1 && told[0]!.from > 4_800, `the result is told ${told.length} times`)
      },
    },
  })) satisfies Parameters<typeof practice>[0]),
  {
    id: 'S07',
    what: 'a guess that is made while a tool runs knows of it',
    scene(stage) {
      const balance = tool({
        description: 'Tells the balance.',
        async execute(_, run) {
          await stage.sleep(2_000, run.signal)
          return 42
        },
      })
      return field({
        agent: host({ balance }),
        timeline: [user(0, 1_000, 'my balance please'), user(2_200, 2_600, 'hello')],
        llm: ({ messages }) => {
          const outputs = messages.flatMap((message) => (message.role === 'output' ? [message.text] : []))
          if (outputs.includes('42')) return 'You have forty two'
          if (messages.length === 1) return toolCall('balance')
          return outputs.some((text) => /running/i.test(text)) ? 'Still checking' : 'INVENTED'
        },
      })
    },
    expect: {
      also: ({ voices, audible }) => {
        must(!voices.some(({ text }) => text.includes('INVENTED')), 'INVENTED reached the voice')
        const said = audible.map(({ text }) => text)
        must(
          JSON.stringify(said) === JSON.stringify(['Still checking', 'You have forty two']),
          `heard: ${JSON.stringify(said)}`,
        )
      },
    },
  },
  {
    id: 'S08',
    what: 'nothing of a guess that was dropped is heard, though its voice does not stop',
    scene: field({
      agent: host(),
      timeline: [noise(0, 2_000), heard(1_000, 'book a flight to Rome'), heard(2_200, 'no to Paris')],
      tts: { takes: [{ when: 'Rome', ignoresSignal: true, speed: 0.5 }] },
      llm: [
        { when: { user: 'Paris' }, text: 'A flight to Paris it is' },
        { when: { user: 'Rome' }, text: 'A flight to Rome it is' },
      ],
    }),
    expect: {
      tolerance: 100,
      history: ['user: book a flight to Rome no to Paris', 'agent: A flight to Paris it is'],
      also: ({ audible, requests, open }) => {
        must(
          audible.length === 1 && audible[0]!.text === 'A flight to Paris it is' && audible[0]!.end === 'whole',
          `heard: ${JSON.stringify(audible.map(({ text }) => text))}`,
        )
        must(requests.length <= 2, `${requests.length} requests`)
        must(open.tracks === 0, `${open.tracks} tracks are left`)
      },
    },
  },
  {
    id: 'S09',
    what: 'a hook that awaits a reply whose tool awaits a task ends when all of it has ended',
    scene(stage) {
      const Consent = task({
        name: 'consent',
        instructions: 'You ask for consent.',
        result: z.object({ given: z.boolean() }),
      })
      const getConsent = tool({
        description: 'Asks for consent.',
        execute: async (_, run) => (await run.task(Consent)).given,
      })
      const A = agent({
        name: 'A',
        instructions: 'You are A.',
        tools: { get_consent: getConsent },
        async enter({ session }) {
          const { heard: words } = await session.generateReply().done
          stage.mark('entered', words)
        },
      })
      return field({
        agent: A,
        cast: [Consent],
        timeline: [user(3_000, 3_400, 'yes')],
        llm: {
          A: [toolCall('get_consent'), 'Thank you'],
          consent: ['May I record this call', toolCall('finish', { given: true })],
        },
      })
    },
    expect: {
      tools: { get_consent: { status: 'done', output: 'true' } },
      also: (observed) => {
        const { marks, audible } = observed
        must(marks.length === 1 && marks[0]!.at <= 6_000, `the hook ended at ${marks[0]?.at}`)
        const said = audible.map(({ text }) => text)
        must(
          JSON.stringify(said) === JSON.stringify(['May I record this call', 'Thank you']),
          `heard: ${JSON.stringify(said)}`,
        )
      },
    },
  },
  {
    id: 'S10',
    what: 'two tools that each open a task have them one after the other, though the first question is talked over',
    scene() {
      const ask = (name: string) =>
        task({ name, instructions: `You ask for the ${name}.`, result: z.object({ value: z.string() }) })
      const [name, phone] = [ask('name'), ask('phone')]
      const asks = (inner: typeof name) =>
        tool({ description: 'Asks.', execute: async (_, run) => (await run.task(inner)).value })
      return field({
        agent: host({ ask_name: asks(name), ask_phone: asks(phone) }),
        cast: [name, phone],
        timeline: [user(0, 1_000, 'register me'), user(2_300, 3_000, 'Ada'), user(6_000, 7_500, '555 0100')],
        llm: {
          host: [[toolCall('ask_name'), toolCall('ask_phone')], 'Thank you Ada'],
          name: ['What is your name', toolCall('finish', { value: 'Ada' })],
          phone: ['What is your number', toolCall('finish', { value: '555 0100' })],
        },
      })
    },
    expect: {
      tools: {
        ask_name: { start: 1_800, status: 'done', output: 'Ada', aborted: null },
        ask_phone: { start: 1_800, status: 'done', output: '555 0100', aborted: null },
      },
      tolerance: 400,
      also: ({ agents, audible }) => {
        const order = agents.map(({ agent: by }) => by).filter((by, index, all) => by !== all[index - 1])
        must(
          JSON.stringify(order) === JSON.stringify(['host', 'name', 'host', 'phone', 'host']),
          `the conversation passed through ${order}`,
        )
        must(audible.filter(({ text }) => text === 'Thank you Ada').length === 1, 'one closing reply')
      },
    },
  },
])
