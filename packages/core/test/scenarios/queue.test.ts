import { type AgentSession, agent } from '../../src/index.js'
import { at, type Scene } from '../../src/testing/index.js'
import { cut, scenarios, whole } from './runner.js'

const says = (...timeline: NonNullable<Scene['timeline']>): Scene => ({
  bench: 'scenario',
  agent: agent({ name: 'A', instructions: 'You are A.', greet: false }),
  tts: { duration: { A: 3_000, B: 1_000, C: 1_000 } },
  timeline,
})

const say =
  (text: string, allowInterruptions = true) =>
  (session: AgentSession) =>
    void session.say(text, { allowInterruptions })

scenarios('the queue of speeches', [
  {
    id: 'Q-02',
    what: 'an interruption takes the speeches that yield, and leaves the one that is protected',
    scene: says(
      at(0, say('A one two three')),
      at(0, say('B')),
      at(0, say('C', false)),
      at(1_000, (session) => session.interrupt(), 'interrupt'),
    ),
    expect: {
      // three seconds for four words, of which one was heard by then
      audible: [cut('A', 200, 1_000), whole('C', 1_200, 2_210)],
      acts: { interrupt: { at: 1_000, outcome: 'done' } },
      history: ['agent: A…', 'agent: C'],
      requests: [],
    },
  },
  {
    id: 'Q-03',
    what: 'what is protected and sounds is not interrupted, nor is what waits behind it, unless by force',
    scene: says(
      at(0, say('A one two three', false)),
      at(0, say('B')),
      at(1_000, (session) => session.interrupt(), 'interrupt'),
      at(1_500, (session) => session.interrupt({ force: true }), 'force'),
    ),
    expect: {
      audible: [cut('A', 200, 1_500)],
      acts: { interrupt: { at: 1_000, outcome: 'threw' }, force: { at: 1_500, outcome: 'done' } },
      history: ['agent: A…'],
      events: [
        [1_500, { type: 'reply-end', outcome: 'interrupted', heard: '' }],
        [1_500, { type: 'speech-end', interrupted: true, heard: 'A' }],
      ],
    },
  },
])
