import { agent, type STT, tool } from '../../src/index.js'
import { at, type Scene, type Stage, scriptedSTT, toolCall, user } from '../../src/testing/index.js'
import { opening, silent } from './cast.js'
import { must, scenarios, whole } from './runner.js'

const [A, B, C] = ['A', 'B', 'C'].map((name) => silent(name)) as [Scene['agent'], Scene['agent'], Scene['agent']]

/** A answers "book me" at 3,200. */
const played = (scene: Partial<Scene>): Scene => ({
  bench: 'scenario',
  agent: A,
  cast: [B, C],
  tts: { duration: 1_000 },
  ...scene,
  timeline: [opening, ...(scene.timeline ?? [])],
})

/** Counts how often somebody begins to listen with it. */
function counted(stage: Stage, name: string): STT & { listening: number } {
  const ear = scriptedSTT({ clock: stage.clock, name })
  return {
    name,
    sampleRate: ear.sampleRate,
    listening: 0,
    transcribe(audio, running) {
      this.listening++
      return ear.transcribe(audio, running)
    },
  }
}

scenarios('hand-off', [
  {
    id: 'H-01',
    what: 'an agent that is replaced while it speaks is heard to the end',
    scene: played({
      timeline: [at(5_000, (session) => session.updateAgent(B), 'update')],
      llm: { A: ['I have a lot to say.'] },
      tts: { duration: 4_000 },
    }),
    expect: {
      audible: [whole('I have a lot to say.', 3_200, 7_210)],
      agents: [[7_210, 'B']],
      acts: { update: { at: 5_000, outcome: 'done' } },
      events: [[7_210, { type: 'agent-state', to: 'listening' }]],
      requests: [{ agent: 'A' }],
    },
  },
  {
    id: 'H-02',
    what: 'an agent that a tool has returned takes over when the words beside the call were heard, and greets',
    scene(stage) {
      const Y = agent({
        name: 'B',
        instructions: 'You are B.',
        enter({ session }) {
          stage.mark('enter')
          void session.generateReply({ instructions: 'Greet.' })
        },
      })
      const X = agent({
        name: 'A',
        instructions: 'You are A.',
        greet: false,
        tools: { transfer: tool({ description: 'Transfers.', execute: () => Y }) },
        exit: () => stage.mark('exit'),
      })
      return played({
        agent: X,
        cast: [Y],
        llm: { A: [['Transferring', toolCall('transfer')]], B: ['B here.'] },
        tts: { duration: { Transferring: 2_000, 'B here.': 1_000 } },
      })
    },
    expect: {
      audible: [whole('Transferring', 3_200, 5_210), whole('B here.', 5_710, 6_720)],
      agents: [[5_210, 'B']],
      events: [
        [5_210, { type: 'agent-change', to: 'B', cause: 'handoff' }],
        [5_210, { type: 'agent-state', to: 'thinking' }],
        [5_710, { type: 'agent-state', to: 'speaking' }],
        [6_720, { type: 'agent-state', to: 'listening' }],
      ],
      tools: { transfer: { status: 'done', output: '' } },
      also: ({ marks }) => {
        const seen = marks.map(({ name }) => name)
        must(seen.join() === 'exit,enter', `the hooks ran as ${seen.join()}`)
        must(Math.abs(marks[1]!.at - 5_210) <= 60, `B entered at ${marks[1]!.at}`)
      },
    },
  },
  {
    id: 'H-03',
    what: 'two updates at the same time are both carried out, in order',
    scene(stage) {
      const staged = (name: string) =>
        agent({
          name,
          instructions: `You are ${name}.`,
          enter: () => stage.mark(`${name} enters`),
          exit: () => stage.mark(`${name} leaves`),
        })
      const [X, Y, Z] = ['A', 'B', 'C'].map(staged) as [Scene['agent'], Scene['agent'], Scene['agent']]
      return played({
        agent: X,
        cast: [Y, Z],
        timeline: [
          at(6_000, (session) => session.updateAgent(Y)),
          at(6_000, (session) => session.updateAgent(Z)),
          user(7_000, 8_000, 'hello'),
        ],
        llm: { A: ['Hi.'], C: ['C here.'] },
      })
    },
    expect: {
      agents: [
        [6_000, 'B'],
        [6_000, 'C'],
      ],
      audible: [whole('Hi.', 3_200, 4_210), whole('C here.', 8_700, 9_710)],
      also: ({ marks }) => {
        const seen = marks.map(({ name }) => name)
        const right = ['A enters', 'A leaves', 'B enters', 'B leaves', 'C enters']
        must(seen.join() === right.join(), `the hooks ran as ${seen.join()}`)
      },
    },
  },
  {
    id: 'H-04',
    what: 'an agent that comes while the user speaks hears him out, and answers',
    scene: played({
      timeline: [user(5_000, 6_000, 'more'), at(5_500, (session) => session.updateAgent(B))],
      llm: { A: ['Hi.'], B: ['B here.'] },
    }),
    expect: {
      audible: [whole('Hi.', 3_200, 4_210), whole('B here.', 6_700, 7_710)],
      agents: [[5_500, 'B']],
      history: ['user: book me', 'agent: Hi.', ['user: more', 6_500], 'agent: B here.'],
      also: ({ states }) => {
        const seen = states.user.filter((state) => state.at > 4_500).map(({ at: time, state }) => `${state} ${time}`)
        must(seen.join() === 'speaking 5050,listening 6500', `the user was ${seen.join()}`)
      },
    },
  },
  {
    id: 'H-07',
    what: 'what an agent says as it leaves is heard before the other comes',
    scene() {
      const X = agent({
        name: 'A',
        instructions: 'You are A.',
        greet: false,
        exit: ({ session }) => void session.say('Bye now'),
      })
      return played({
        agent: X,
        timeline: [at(6_000, (session) => session.updateAgent(B))],
        llm: { A: ['Hi.'] },
      })
    },
    expect: {
      audible: [whole('Hi.', 3_200, 4_210), whole('Bye now', 6_200, 7_210)],
      agents: [[7_210, 'B']],
      events: [
        [6_200, { type: 'agent-state', to: 'speaking' }],
        [7_210, { type: 'agent-change', to: 'B', cause: 'handoff' }],
      ],
    },
  },
  {
    id: 'H-09',
    what: 'an agent whose enter hook fails has the conversation all the same',
    scene() {
      const Y = agent({
        name: 'B',
        instructions: 'You are B.',
        enter() {
          throw new Error('no way in')
        },
      })
      return played({
        cast: [Y],
        timeline: [at(6_000, (session) => session.updateAgent(Y)), user(7_000, 8_000, 'hello')],
        llm: { A: ['Hi.'], B: ['B here.'] },
      })
    },
    expect: {
      agents: [[6_000, 'B']],
      errors: [/no way in/],
      audible: [whole('Hi.', 3_200, 4_210), whole('B here.', 8_700, 9_710)],
    },
  },
  {
    id: 'H-10',
    what: 'what is asked for during a hand-off is the business of the agent that comes',
    scene() {
      const X = agent({
        name: 'A',
        instructions: 'You are A.',
        greet: false,
        exit: ({ session }) => void session.say('Bye now'),
      })
      return played({
        agent: X,
        timeline: [
          at(6_000, (session) => session.updateAgent(B)),
          at(6_500, (session) => void session.say('Welcome')),
          at(6_600, (session) => void session.generateReply()),
        ],
        llm: { A: ['Hi.'], B: ['B here.'] },
      })
    },
    expect: {
      audible: [
        whole('Hi.', 3_200, 4_210),
        whole('Bye now', 6_200, 7_210),
        whole('Welcome', 7_410, 8_420),
        whole('B here.', 8_420, 9_430),
      ],
      agents: [[7_210, 'B']],
      requests: [{ agent: 'A' }, { agent: 'B', at: 7_210 }],
      also: ({ history }) => {
        const by = history.flatMap((item) => (item.type === 'assistant' ? [`${item.agent}: ${item.text}`] : []))
        must(by.slice(1).join() === 'A: Bye now,B: Welcome,B: B here.', `said were ${by.join()}`)
      },
    },
  },
  {
    id: 'H-11',
    what: 'agents that share an ear share its stream, and no word is lost between them; one with an ear of its own opens it',
    scene(stage) {
      const [shared, own] = [counted(stage, 'shared'), counted(stage, 'own')]
      const Y = agent({ name: 'C', instructions: 'You are C.', greet: false, stt: own })
      return played({
        agent: A,
        cast: [B, Y],
        stt: shared,
        timeline: [
          at(4_000, () => stage.mark('shared', shared.listening)),
          at(5_000, (session) => session.updateAgent(B)),
          at(6_000, () => stage.mark('shared', shared.listening)),
          at(7_000, (session) => session.updateAgent(Y)),
          at(8_000, () => stage.mark('own', own.listening)),
          at(8_000, () => stage.mark('shared', shared.listening)),
        ],
      })
    },
    expect: {
      agents: [
        [5_000, 'B'],
        [7_000, 'C'],
      ],
      also: ({ marks }) => {
        const seen = marks.map(({ name, data }) => `${name} ${String(data)}`)
        must(seen.join() === 'shared 1,shared 1,own 1,shared 1', `the ears were opened: ${seen.join()}`)
      },
    },
  },
  {
    id: 'H-12',
    what: 'an update does not wait for the long entrance of the agent that comes; a run does',
    scene(stage) {
      const Y = agent({
        name: 'B',
        instructions: 'You are B.',
        async enter({ session }) {
          await stage.sleep(3_000)
          await session.generateReply().done
        },
      })
      return played({
        cast: [Y],
        timeline: [
          at(6_000, (session) => session.updateAgent(Y), 'update'),
          at(6_010, (session) => session.run(), 'run'),
        ],
        llm: { A: ['Hi.'], B: ['B here.'] },
      })
    },
    expect: {
      audible: [whole('Hi.', 3_200, 4_210), whole('B here.', 9_500, 10_510)],
      agents: [[6_000, 'B']],
      acts: { update: { at: 6_000, outcome: 'done' }, run: { at: 10_510, outcome: 'done' } },
    },
  },
])
