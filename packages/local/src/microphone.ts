import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { bytesOf, type Clock, type Line, ProviderError, samplesOf, systemClock, UsageError } from 'antiphon'
import { Incoming } from './incoming.js'
import { Loudspeaker } from './loudspeaker.js'
import { Pace } from './pace.js'

export interface MicrophoneOptions {
  readonly clock?: Clock
}

interface Commands {
  readonly record: readonly [string, ...string[]]
  readonly play: readonly [string, ...string[]]
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
  const { record, play } = findCommands()
  const incoming = new Incoming(RATE)
  const player = start(play)
  const recorder = start(record)
  const pace = new Pace(clock, RATE, (passed) => {
    // Silence is played, too: a player that starves makes a crackle, or stops.
    const heard = loudspeaker.take(passed) ?? new Int16Array(passed)
    if (player.stdin?.writable) player.stdin.write(bytesOf(heard))
  })
  const loudspeaker = new Loudspeaker({ rate: RATE, catchUp: () => pace.catchUp() })
  const close = () => {
    pace.stop()
    incoming.end()
    for (const program of [recorder, player]) program.kill()
  }
  const fail = (error: Error) => {
    incoming.fail(error)
    close()
  }
  watch(recorder, record[0], fail)
  watch(player, play[0], fail)
  let odd: Uint8Array = new Uint8Array(0)
  recorder.stdout?.on('data', (chunk: Uint8Array) => {
    const bytes = Buffer.concat([odd, chunk])
    const whole = bytes.length - (bytes.length % 2)
    odd = bytes.subarray(whole)
    incoming.append(samplesOf(bytes.subarray(0, whole)))
  })
  return {
    name: 'microphone',
    canPause: true,
    canDuck: true,
    incoming: incoming.begin(() => pace.start()),
    open(options) {
      pace.start()
      return loudspeaker.open(options)
    },
    close,
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

function start([program, ...args]: Commands['record']): ChildProcess {
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
}

/** What a program says when it fails is the only thing that helps: a device is missing, or busy. */
function watch(program: ChildProcess, name: string, fail: (error: Error) => void): void {
  let said = ''
  program.stderr?.on('data', (chunk: Uint8Array) => {
    said = `${said}${chunk}`.slice(-1_000)
  })
  program.on('error', (cause) => fail(new ProviderError(`\`${name}\` does not start`, { cause })))
  program.on('close', (code) => {
    if (!program.killed)
      fail(new ProviderError(`\`${name}\` has ended with code ${code}: ${said.trim() || 'it says nothing'}`))
  })
  program.stdin?.on('error', () => {})
}
