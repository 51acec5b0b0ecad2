import { type AgentSession, agent, type SayOptions } from '../../src/index.js'
import { at, noise, type Scene, user } from '../../src/testing/index.js'
import { cut, scenarios, whole } from './runner.js'

const A = agent({ name: 'A', instructions: 'You are A.', greet: false })

const says = (scene: Partial<Scene>): Scene => ({ bench: 'scenario', agent: A, tts: { duration: 1_000 }, ...scene })

const say =
  (text: string, options: SayOptions = {}) =>
  (session: AgentSession) =>
    void session.say(text, options)

scenarios('the queue of speeches, in order and beside a user', [
  {
    id: 'Q-01',
    what: 'what is asked for is heard in its order, the user’s words stand where they came, and nobody flickers between states',
    scene: says({
      timeline: [
        at(0, say('A')),
        at(100, say('B')),
        at(210, (session) => void session.generateReply({ userInput: 'hello' })),
      ],
      llm: ['Hi hi.'],
    }),
    expect: {
      audible: [whole('A', 200, 1_210), whole('B', 1_410, 2_420), whole('Hi hi.', 2_420, 3_430)],
      history: [
        ['agent: A', 200],
        ['user: hello', 210],
        ['agent: B', 1_410],
        ['agent: Hi hi.', 2_420],
      ],
      also: ({ states }) => {
        const seen = states.agent.map(({ at: time, state }) => `${state} ${time}`)
        const right = ['thinking 0', 'speaking 200', 'thinking 1200', 'speaking 1400', 'listening 3400']
        if (seen.slice(-5).join() !== right.join()) throw new Error(`the agent was ${seen.join(', ')}`)
      },
    },
  },
  {
    id: 'Q-04',
    what: 'speeches keep the distance that they are told to keep',
    scene: says({
      timeline: [at(0, say('A')), at(0, say('B'))],
      options: { minConsecutiveSpeechDelay: 500 },
    }),
    expect: { audible: [whole('A', 200, 1_210), whole('B', 1_910, 2_920)] },
  },
  {
    id: 'Q-05',
    what: 'what is said while a noise sounds waits for silence and no longer, and no interruption is announced',
    scene: says({ timeline: [noise(800, 1_600), at(1_000, say('A'))] }),
    expect: {
      audible: [{ ...whole('A', 2_100, 3_110), held: [] }],
      never: [{ type: 'false-interruption' }],
    },
  },
  {
    id: 'Q-05b',
    what: 'after a short noise it is heard as soon as silence is seen',
    scene: says({ timeline: [noise(800, 1_100), at(1_000, say('A'))] }),
    expect: { audible: [whole('A', 1_600, 2_610)], never: [{ type: 'false-interruption' }] },
  },
  {
    id: 'Q-06',
    what: 'a line that cannot pause loses nothing of what waits behind a noise',
    scene: says({ timeline: [noise(800, 1_600), at(1_000, say('A'))], line: { canPause: false } }),
    expect: { audible: [whole('A', 2_100, 3_110)], history: ['agent: A'] },
  },
  {
    id: 'Q-07',
    what: 'what is protected begins at once, while a noise sounds',
    scene: says({ timeline: [noise(800, 1_600), at(1_000, say('A', { allowInterruptions: false }))] }),
    expect: { audible: [{ ...whole('A', 1_200, 2_210), held: [] }] },
  },
  {
    id: 'Q-08a',
    what: 'an interruption takes speeches in the order in which they would be heard, and stops at the first that is protected',
    scene: says({
      timeline: [
        at(0, say('A')),
        at(100, say('low', { priority: 'low' })),
        at(200, say('normal')),
        at(300, say('guarded', { priority: 'high', allowInterruptions: false })),
        at(700, (session) => session.interrupt(), 'interrupt'),
      ],
    }),
    expect: {
      audible: [
        cut('', 200, 700),
        whole('guarded', 900, 1_910),
        whole('normal', 2_110, 3_120),
        whole('low', 3_320, 4_330),
      ],
      acts: { interrupt: { outcome: 'done' } },
    },
  },
  {
    id: 'Q-08b',
    what: 'what was asked for later and would be heard earlier is taken, what is protected behind it stays',
    scene: says({
      timeline: [
        at(0, say('A')),
        at(100, say('guarded', { priority: 'low', allowInterruptions: false })),
        at(200, say('normal')),
        at(300, say('urgent', { priority: 'high' })),
        at(700, (session) => session.interrupt(), 'interrupt'),
      ],
    }),
    expect: { audible: [cut('', 200, 700), whole('guarded', 900, 1_910)], history: ['agent: guarded'] },
  },
  {
    id: 'Q-09',
    what: 'the end of a speech is told to everybody who waits for it, also late, and a failure in it is told, not thrown',
    scene: says({
      timeline: [
        at(0, (session, stage) => {
          const speech = session.generateReply()
          const broken = speech.done.then(() => {
            throw new Error('a listener fails')
          })
          void broken.catch(() => stage.mark('broken'))
          void speech.done.then(({ error }) => {
            stage.mark('told', error?.message)
            void speech.done.then((end) => stage.mark('late', end.error?.message))
          })
        }),
        at(1_000, (session) => session.say('After it').done, 'after'),
      ],
      llm: [{ error: 'no model today' }],
    }),
    expect: {
      errors: [/no model today/],
      audible: [whole('After it', 1_200, 2_210)],
      acts: { after: { at: 2_200, outcome: 'done' } },
      also: ({ marks }) => {
        const seen = marks.map(({ name, data, at: time }) => `${name} ${String(data)} ${time}`)
        const right = ['told no model today 100', 'broken undefined 100', 'late no model today 100']
        if (seen.join() !== right.join()) throw new Error(`told were ${seen.join(', ')}`)
      },
    },
  },
  {
    id: 'Q-10',
    what: 'whoever gives up waiting for the conversation to rest takes nothing from it: the turn is committed and answered',
    scene: says({
      timeline: [
        user(500, 2_500, 'hello there'),
        at(1_000, (session, stage) => Promise.race([session.run(), stage.sleep(500)]), 'given up'),
        at(6_000, (session) => session.run(), 'waited'),
      ],
      llm: ['Hi.'],
    }),
    expect: {
      audible: [whole('Hi.', 3_200, 4_210)],
      acts: { 'given up': { at: 1_500, outcome: 'done' }, waited: { at: 6_000, outcome: 'done' } },
      events: [[3_000, { type: 'user-turn-end', text: 'hello there', reason: 'committed' }]],
    },
  },
])
