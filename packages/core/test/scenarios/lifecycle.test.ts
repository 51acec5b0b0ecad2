import { agent } from '../../src/index.js'
import { at, toolCall, user } from '../../src/testing/index.js'
import { cast, opening } from './cast.js'
import { scenarios, whole } from './runner.js'

scenarios('hand-off and close', [
  {
    id: 'H-05',
    what: 'words that were final before a hand-off and not committed go to the agent that comes',
    scene() {
      const A = agent({ name: 'A', instructions: 'You are A.', greet: false })
      const B = agent({ name: 'B', instructions: 'You are B.', greet: false })
      return {
        bench: 'scenario',
        agent: A,
        cast: [B],
        timeline: [opening, user(5_000, 6_000, 'more'), at(6_300, (session) => session.updateAgent(B))],
        llm: { A: ['Hi.', 'Never said.'], B: ['B here.'] },
        tts: { duration: { 'Hi.': 1_000, 'B here.': 1_000 } },
      }
    },
    expect: {
      // B begins to answer as soon as it has the conversation, before the turn is committed
      audible: [whole('Hi.', 3_200, 4_210), whole('B here.', 6_800, 7_810)],
      agents: [[6_300, 'B']],
      history: ['user: book me', 'agent: Hi.', ['user: more', 6_500], 'agent: B here.'],
      events: [[6_500, { type: 'user-turn-end', text: 'more', reason: 'committed' }]],
      also: ({ requests }) => {
        const last = requests.at(-1)
        if (last?.agent !== 'B' || last.messages.at(-1)?.role !== 'user') throw new Error('B was not asked to answer')
      },
    },
  },
  {
    id: 'H-08',
    what: 'an agent that waits below a task cannot be put in its place: that is refused at once, and nothing changes',
    scene(stage) {
      const { A, T } = cast(stage)
      return {
        bench: 'scenario',
        agent: A,
        cast: [T],
        timeline: [opening, at(7_000, (session) => session.updateAgent(A), 'update'), user(8_000, 9_000, 'hello you')],
        llm: { A: [['One moment', toolCall('collect')]], T: ['What is it?', 'I see.'] },
        tts: { duration: { 'One moment': 1_000, 'What is it?': 1_000, 'I see.': 1_000 } },
      }
    },
    expect: {
      audible: [whole('One moment', 3_200, 4_210), whole('What is it?', 4_710, 5_720), whole('I see.', 9_700, 10_710)],
      acts: { update: { at: 7_000, outcome: 'threw', error: /"A"/ } },
      agents: [[4_210, 'T']],
      events: [[9_500, { type: 'user-turn-end', text: 'hello you', reason: 'committed' }]],
      also: ({ open }) => {
        if (open.closing === null || open.closing > 100) throw new Error(`the close took ${open.closing} ms`)
      },
    },
  },
])
