import type { GenerateRequest } from '../../src/api/models.js'
import { defaults, type Limits } from '../../src/conversation/settings.js'
import { ProviderError } from '../../src/index.js'
import { type Scene, type ScriptedAnswer, type Stage, toolCall, type VoiceTake } from '../../src/testing/index.js'
import type { Random } from '../random.js'
import { Agents } from './agents.js'
import { Met } from './faults.js'
import { People } from './people.js'

/** A scene as one seed decides it, and who is in it. */
export interface Drawn {
  readonly scene: Scene
  readonly people: People
  readonly agents: Agents
  /** What went wrong in it. */
  readonly met: Met
}

export function drawScene(random: Random, events: number, stage: Stage): Drawn {
  const faulty = random.chance(0.6)
  const met = new Met()
  const agents = new Agents(random, stage, met)
  const people = new People(random, met)
  const { acts, end } = people.timeline(events)
  const equipment = line(random, faulty, met)
  const chosen = options(random, equipment)
  const predicts = chosen.turnDetection === 'voice' && random.chance(0.3)
  const aligned = random.pick(['words', 'words', 'text', 'nothing'] as const)
  const scene: Scene = {
    bench: random.pick(['field', 'scenario']),
    agent: agents.agent(),
    timeline: acts,
    llm: (request) => answer(random, request, faulty, met),
    tts: {
      firstByte: random.int(0, 400),
      perWord: random.pick([60, 200, 400]),
      aligned,
      waitsFor: random.pick(['sentence', 'text']),
      ...(random.chance(0.5) && { speed: random.pick([1, 3, 10]) }),
      takes: faulty && aligned === 'words' ? takes(random) : [],
    },
    vad: { start: random.pick([20, 60, 150]), end: random.pick([100, 300, 500]) },
    line: equipment,
    options: chosen,
    ...(predicts && { turnDetector: probabilities(random) }),
    start: (session) => people.meet(session),
    until: end + random.int(0, 3_000),
  }
  return { scene, people, agents, met }
}

const probabilities = (random: Random): (number | null)[] =>
  Array.from({ length: 8 }, () => (random.chance(0.1) ? null : random.next()))

function line(random: Random, faulty: boolean, met: Met): NonNullable<Scene['line']> {
  const losesClears = faulty ? random.pick([0, 0, 1]) : 0
  const losesEnds = faulty ? random.pick([0, 0, 1]) : 0
  if (losesClears + losesEnds > 0) met.add('unreported')
  return {
    canPause: random.chance(0.7),
    canDuck: random.chance(0.4),
    startDelay: random.pick([0, 0, 20]),
    stopDelay: random.pick([0, 0, 30]),
    clearDelay: random.pick([0, 20, 200]),
    losesClears,
    losesEnds,
    ...(random.chance(0.3) && met.with('backPressure', { buffer: random.pick([40, 200]) })),
  }
}

/** Little patience, so that whatever hangs is given up within the scene. */
const limits: Limits = {
  ...defaults.limits,
  modelStart: 2_000,
  modelGap: 1_500,
  voiceStart: 1_500,
  voiceGap: 1_500,
}

function options(random: Random, { canPause, canDuck }: NonNullable<Scene['line']>): NonNullable<Scene['options']> {
  const holds = [...(canPause ? (['pause'] as const) : []), ...(canDuck ? (['duck'] as const) : [])]
  return {
    turnDetection: random.chance(0.85) ? 'voice' : 'manual',
    turnHandling: {
      endpointing: { minDelay: random.pick([0, 300, 500]), mode: random.pick(['fixed', 'dynamic']) },
      interruption: {
        minDuration: random.pick([0, 300, 500]),
        minWords: random.pick([0, 0, 2]),
        ...(holds.length > 0 && { hold: random.pick(holds) }),
        falseInterruptionTimeout: random.pick([null, 600, 2_000]),
      },
    },
    speculation: random.chance(0.6),
    maxToolSteps: random.pick([1, 3]),
    maxFailures: random.pick([2, 8]),
    userAwayTimeout: random.pick([null, 3_000, 15_000]),
    limits,
  }
}

/** What a model answers: something, and now and then nonsense. */
function answer(random: Random, { tools, toolChoice }: GenerateRequest, faulty: boolean, met: Met): ScriptedAnswer {
  const words = Array.from({ length: random.pick([0, 2, 5, 9]) }, () => random.pick(speech)).join(' ')
  const calls = random.chance(0.5) && toolChoice !== 'none' ? random.int(1, 2) : toolChoice === 'required' ? 1 : 0
  return {
    ...(words !== '' && { text: `${words}.` }),
    calls: Array.from({ length: tools.length === 0 ? 0 : calls }, () => call(random, random.pick(tools).name)),
    firstToken: random.int(20, 600),
    perWord: random.pick([5, 20, 80]),
    ...(faulty && fault(random, met)),
  }
}

function fault(random: Random, met: Met): Partial<ScriptedAnswer> {
  const kind = random.int(0, 11)
  if (kind === 0) return met.with('refused', { error: refusal(random), errorAfter: random.int(0, 3) })
  if (kind === 1) return met.with('stall', { stall: random.pick([true, 1, 3]) })
  return kind < 4 ? { ignoresSignal: true } : {}
}

/** Too many requests, or a key that has expired meanwhile. */
const refusal = (random: Random): ProviderError =>
  random.chance(0.7)
    ? new ProviderError('429: too many requests', { retryable: true })
    : new ProviderError('401: the key has expired', { retryable: false })

const speech = ['certainly', 'one', 'moment', 'the', 'table', 'is', 'free', 'at', 'eight', 'let', 'me', 'see']

function call(random: Random, name: string) {
  if (random.chance(0.06)) return toolCall(name, '{"n": ')
  if (name === 'finish') return toolCall(name, { email: random.chance(0.8) ? 'bob@example.com' : 'nothing' })
  return toolCall(random.chance(0.04) ? 'unheard-of' : name, { n: random.chance(0.9) ? random.int(1, 3) : 'one' })
}

const takes = (random: Random): VoiceTake[] => [
  { times: random.int(0, 1), when: random.pick(['table', 'moment']), error: 'no voice', errorAfter: random.int(0, 2) },
  { times: random.int(0, 1), when: random.pick(['certainly', 'free']), stall: random.pick([true, 1]) },
  { times: random.int(0, 2), when: 'see', ignoresSignal: true, speed: 1 },
]
