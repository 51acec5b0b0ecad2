import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import {
  type Audio,
  type Clock,
  type Line,
  readWav,
  resample,
  systemClock,
  UsageError,
  type Wav,
  writeWav,
} from 'antiphon'
import { RecordedCaller, type Stretch, type Utterance } from './caller.js'
import { Incoming } from './incoming.js'
import { Loudspeaker } from './loudspeaker.js'
import { Pace } from './pace.js'
import { Reel } from './reel.js'

export interface RecordedLineOptions {
  /** What the caller says: the path of a wav file (16-bit PCM; of stereo, the left side), a sound, or several on their cues. */
  readonly caller: string | Audio | readonly Utterance[]
  readonly clock?: Clock
}

/** A line with a recorded caller, in the time of its clock. What both sides say is kept. */
export interface RecordedLine extends Line {
  /** The call so far: the caller left, the agent right. */
  readonly recording: Wav
  /** What the caller has said, ms from the beginning of the call. */
  readonly said: readonly Stretch[]
  /** Writes the call so far as a stereo wav file. */
  save(path: string): Promise<void>
}

const RATE = 16_000

/**
 * A line whose caller is a recording. The caller leaves after the answer to the last utterance, or when a cue does not come
 * for 30 s.
 *
 * @throws {UsageError} when a file is not there or is no wav file of 16-bit PCM
 */
export function recordedLine({ caller, clock = systemClock }: RecordedLineOptions): RecordedLine {
  const person = new RecordedCaller(utterances(caller), RATE)
  const incoming = new Incoming(RATE)
  const [left, right] = [new Reel(), new Reel()]
  const pace = new Pace(clock, RATE, (passed) => {
    const position = pace.position - passed
    const agent = loudspeaker.take(passed)
    person.hear(position, passed, { sounds: agent !== null, speeches: loudspeaker.begun })
    const said = person.speak(position, passed)
    left.append(said)
    right.append(agent ?? new Int16Array(passed))
    incoming.append(said)
    if (person.left) incoming.end()
  })
  const loudspeaker = new Loudspeaker({ rate: RATE, catchUp: () => pace.catchUp() })
  const recording = (): Wav => ({ rate: RATE, channels: [left.samples, right.samples] })
  return {
    name: 'recorded caller',
    canPause: true,
    canDuck: true,
    incoming: incoming.begin(() => pace.start()),
    open(options) {
      pace.start()
      return loudspeaker.open(options)
    },
    close() {
      pace.stop()
      incoming.end()
    },
    get recording() {
      return recording()
    },
    get said() {
      return person.said.map(({ from, to }) => ({ from: (from * 1_000) / RATE, to: (to * 1_000) / RATE }))
    },
    save: (path) => writeFile(path, writeWav(recording())),
  }
}

function utterances(caller: RecordedLineOptions['caller']): Utterance[] {
  if (typeof caller === 'string') return [{ sound: atRate(readRecording(caller)) }]
  const all = 'samples' in caller ? [{ sound: caller }] : caller
  return all.map((utterance) => ({ ...utterance, sound: atRate(utterance.sound) }))
}

function readRecording(path: string): Audio {
  let file: Uint8Array
  try {
    file = readFileSync(path)
  } catch (cause) {
    throw new UsageError(`the caller's recording ${path} cannot be read`, { cause })
  }
  const { rate, channels } = readWav(file)
  return { samples: channels[0]!, rate }
}

const atRate = ({ samples, rate }: Audio): Audio => ({ samples: resample(samples, rate, RATE), rate: RATE })
