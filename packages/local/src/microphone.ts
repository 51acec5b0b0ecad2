import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  bytesOf,
  type Clock,
  type Line,
  ProviderError,
  samplesOf,
  systemClock,
  type Track,
  type TrackOptions,
  UsageError,
} from 'antiphon'
import { Incoming } from './incoming.js'
import { Loudspeaker } from './loudspeaker.js'
import { Pace } from './pace.js'

export interface MicrophoneOptions {
  readonly clock?: Clock
}

type Command = readonly [program: string, ...args: string[]]

interface Commands {
  readonly record: Command
  readonly play: Command
}

const RATE = 16_000

/** Programs that record and play raw 16-bit mono sound through a pipe, with little sound on the way: 60 ms or so. */
const ALSA: Commands = {
  record: ['arecord', '-q', '-t', 'raw', '-f', 'S16_LE', '-c', '1', '-r', `${RATE}`, '--buffer-time=60000', '-'],
  play: ['aplay', '-q', '-t', 'raw', '-f', 'S16_LE', '-c', '1', '-r', `${RATE}`, '--buffer-time=60000', '-'],
}
const RAW = ['-t', 'raw', '-b', '16', '-e', 'signed-integer', '-c', '1', '-r', `${RATE}`, '-']
const SOX: Commands = {
  record: ['rec', '-q', '--buffer', '1024', ...RAW],
  play: ['play', '-q', '--buffer', '1024', ...RAW],
}

/**
 * The microphone and the loudspeaker of this machine. Wear a headset: nothing here keeps the agent from hearing itself.
 *
 * @throws {UsageError} when neither ALSA's nor SoX's programs are installed
 */
export function microphone({ clock = systemClock }: MicrophoneOptions = {}): Line {
  return new Microphone(findCommands(), clock)
}

class Microphone implements Line {
  readonly name = 'microphone'
  readonly canPause = true
  readonly canDuck = true
  readonly incoming: Line['incoming']
  readonly #commands: Commands
  readonly #heard = new Incoming(RATE)
  readonly #loudspeaker: Loudspeaker
  readonly #pace: Pace
  #programs: readonly ChildProcess[] = []
  #open = true

  constructor(commands: Commands, clock: Clock) {
    this.#commands = commands
    this.#pace = new Pace(clock, RATE, (passed) => this.#play(passed))
    this.#loudspeaker = new Loudspeaker({ rate: RATE, catchUp: () => this.#pace.catchUp() })
    this.incoming = this.#heard.begin(() => this.#start())
  }

  open(options: TrackOptions): Track {
    this.#start()
    return this.#loudspeaker.open(options)
  }

  close(): void {
    this.#open = false
    this.#pace.stop()
    this.#heard.end()
    for (const program of this.#programs) program.kill()
  }

  #start(): void {
    if (!this.#open || this.#programs.length > 0) return
    const { play, record } = this.#commands
    this.#programs = [this.#run(play), this.#run(record)]
    const pieces = new Pieces()
    this.#programs[1]?.stdout?.on('data', (bytes: Uint8Array) => this.#heard.append(pieces.whole(bytes)))
    this.#pace.start()
  }

  /** Silence is played, too: a player that starves makes a crackle, or stops. */
  #play(samples: number): void {
    const sound = this.#loudspeaker.take(samples) ?? new Int16Array(samples)
    const stdin = this.#programs[0]?.stdin
    if (stdin?.writable) stdin.write(bytesOf(sound))
  }

  /** What a program says when it fails is the only thing that helps: a device is missing, or busy. */
  #run([name, ...args]: Command): ChildProcess {
    const program = spawn(name, args, { stdio: 'pipe' })
    let said = ''
    program.stderr.on('data', (chunk: Uint8Array) => {
      said = `${said}${chunk}`.slice(-1_000)
    })
    program.stdin.on('error', () => {})
    program.on('error', (cause) => this.#fail(new ProviderError(`\`${name}\` does not start`, { cause })))
    program.on('close', (code) => {
      this.#fail(new ProviderError(`\`${name}\` has ended with code ${code}: ${said.trim() || 'it says nothing'}`))
    })
    return program
  }

  #fail(error: ProviderError): void {
    if (!this.#open) return
    this.#heard.fail(error)
    this.close()
  }
}

/** Makes samples of bytes that come in pieces of any length. */
class Pieces {
  #odd: Uint8Array = new Uint8Array(0)

  whole(bytes: Uint8Array): Int16Array {
    const all = Buffer.concat([this.#odd, bytes])
    const length = all.length - (all.length % 2)
    this.#odd = all.subarray(length)
    return samplesOf(all.subarray(0, length))
  }
}

function findCommands(): Commands {
  const found = [ALSA, SOX].find(({ record, play }) => isInstalled(record[0]) && isInstalled(play[0]))
  if (found) return found
  throw new UsageError(
    'microphone() needs a program that records and one that plays. Install alsa-utils (Debian: `apt-get install alsa-utils`) or SoX (macOS: `brew install sox`).',
  )
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}
