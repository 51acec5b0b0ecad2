import type { AgentRef, Hook } from '../../src/conversation/protocol.js'
import { defaults, type Limits, type Settings, type TurnHandling } from '../../src/conversation/settings.js'
import type { Random } from '../random.js'

/** What may go wrong, and how often when a scenario has it at all. */
const faults = {
  /** The model fails, stops half way, answers nothing, is slow, goes on after it was told to stop. */
  modelError: 0.12,
  modelStall: 0.1,
  modelEmpty: 0.15,
  modelSlow: 0.2,
  modelLate: 0.6,
  /** The same for the voice. */
  voiceError: 0.12,
  voiceStall: 0.1,
  voiceMute: 0.1,
  voiceSlow: 0.2,
  voiceLate: 0.6,
  /** The times of words are known only when they have been heard for a while. */
  marksLate: 0.1,
  /** The line answers late or never. */
  lineSlow: 0.3,
  lineLost: 0.15,
  /** Tools and hooks break, never end, do not listen, end twice. */
  toolFail: 0.2,
  toolHang: 0.12,
  toolStubborn: 0.3,
  toolTwice: 0.2,
  /** A sound that is no word; words that come late, twice, in pieces, never; reports that make no sense. */
  noise: 0.35,
  wordsNever: 0.15,
  wordsLate: 0.3,
  wordsTwice: 0.2,
  wordsSplit: 0.4,
  nonsense: 0.1,
  /** A service fails without a request. */
  serviceError: 0.2,
  predictionLate: 0.3,
  predictionNever: 0.2,
  /** The timer fires late, or for nothing. */
  tickLate: 0.3,
  tickIdle: 0.1,
}
export type Fault = keyof typeof faults
export type Faults = Record<Fault, number>

/** A random subset of what may go wrong: scenarios in which few things fail find more than those in which all do. */
export function drawFaults(random: Random): Faults {
  const drawn = { ...faults }
  const share = random.pick([0, 0.2, 0.5, 0.8])
  for (const fault of Object.keys(drawn) as Fault[]) if (!random.chance(share)) drawn[fault] = 0
  return drawn
}

export function drawSettings(random: Random): Settings {
  const turns = random.pick(['voice', 'voice', 'voice', 'manual', 'model'] as const)
  const voice = turns === 'model' ? random.pick(['model', 'model', 'tts'] as const) : drawVoice(random)
  return {
    turns,
    voice,
    transcribes: turns === 'voice' ? random.chance(0.93) : random.chance(0.8),
    measuresVoice: random.chance(0.85),
    predicts: random.chance(0.4),
    line: { canPause: random.chance(0.7), canDuck: random.chance(0.4) },
    speculation: {
      enabled: random.chance(0.65),
      openings: random.chance(0.6),
      maxGuesses: random.pick([1, 2, 3]),
    },
    turnHandling: {
      endpointing: {
        mode: random.pick(['fixed', 'fixed', 'dynamic'] as const),
        alpha: random.pick([0.5, 0.9]),
        minDelay: random.pick([0, 200, 500, 1_200]),
        maxDelay: random.pick([1_500, 3_000, 6_000]),
        threshold: random.pick([0.3, 0.5, 0.9]),
        predictionTimeout: random.pick([100, 500, 1_000]),
        transcriptTimeout: random.pick([300, 500, 2_000]),
      },
      interruption: {
        ...defaults.turnHandling.interruption,
        enabled: random.chance(0.9),
        minDuration: random.pick([0, 200, 500, 900]),
        minWords: random.pick([0, 0, 0, 1, 2]),
        words: random.pick(['interim', 'final'] as const),
        hold: random.pick(['pause', 'pause', 'duck'] as const),
        falseInterruptionTimeout: random.pick([null, 0, 600, 2_000, 2_000]),
        resume: random.chance(0.85),
        maxHold: random.pick([500, 10_000]),
        warmup: random.pick([0, 0, 0, 1_500]),
      },
    },
    userTurnLimit: random.chance(0.15)
      ? { maxWords: random.pick([3, 8, null]), maxDuration: random.pick([2_000, null]) }
      : null,
    maxFailures: random.pick([0, 3, 3, 3]),
    maxToolSteps: random.pick([0, 1, 3, 3]),
    minConsecutiveSpeechDelay: random.pick([0, 0, 0, 400]),
    userAwayTimeout: random.pick([null, 5_000, 15_000]),
    limits: drawLimits(random),
  }
}

const drawVoice = (random: Random) => random.pick(['tts', 'tts', 'tts', 'tts', 'none', 'model'] as const)

function drawLimits(random: Random): Limits {
  return {
    modelStart: random.pick([1_000, 10_000]),
    modelGap: random.pick([800, 5_000]),
    voiceStart: random.pick([800, 5_000]),
    voiceGap: random.pick([800, 5_000]),
    line: random.pick([300, 1_000]),
    abort: random.pick([0, 500, 2_000]),
    hook: random.pick([1_000, 30_000]),
    drain: random.pick([0, 5_000, 60_000]),
    closeTranscript: random.pick([0, 500, 2_000]),
    closeTools: random.pick([0, 500, 5_000]),
    closeOutput: random.pick([0, 500, 5_000]),
  }
}

/** An agent with an id and a name that no other has. */
export function drawAgent(random: Random, id: string, hooks: boolean): AgentRef {
  const among: readonly Hook[] = ['enter', 'exit', 'turn']
  return {
    id,
    name: `agent ${id}`,
    greet: random.chance(0.6),
    hooks: hooks ? among.filter(() => random.chance(0.25)) : [],
    turnHandling: random.chance(0.2) ? drawTurnHandling(random) : null,
  }
}

function drawTurnHandling(random: Random): TurnHandling {
  return {
    ...(random.chance(0.5) && { endpointing: { minDelay: random.pick([100, 900]) } }),
    ...(random.chance(0.5) && {
      interruption: {
        enabled: random.chance(0.5),
        minWords: random.pick([0, 2]),
        minDuration: random.pick([100, 900]),
      },
    }),
  }
}
