import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { readWav } from 'antiphon'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const fixture = (name: string) => path(`./fixtures/${name}`)
const node = [
  '--conditions=source',
  `--import=${new URL('../../../tools/source/register.mjs', import.meta.url)}`,
  `--import=${new URL('./fixtures/no-network.mjs', import.meta.url)}`,
]

interface Outcome {
  readonly code: number | null
  readonly output: string
}

/** Runs `antiphon` from source, without a network; in a terminal, if wanted. */
function antiphon(args: readonly string[], { terminal = false } = {}): Promise<Outcome> {
  const command = [process.execPath, ...node, path('../src/main.ts'), ...args]
  const [program = '', ...rest] = terminal ? ['script', '-qec', command.join(' '), '/dev/null'] : command
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '' },
  })
  return new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Uint8Array) => {
        output += chunk
      })
    }
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'antiphon-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('antiphon talk', () => {
  test('holds a conversation by voice, tells it in colours on a terminal, and writes it down', async () => {
    const out = join(folder, 'calls', 'talk.wav')
    const { code, output } = await antiphon(['talk', fixture('greeting.ts'), '--out', out], { terminal: true })
    const plain = stripVTControlCharacters(output)
    expect(plain).toContain('greeter · silero v6 · moonshine base · scripted demo brain · flite slt')
    expect(plain).toMatch(/greeter {3}Hello\.\r?\n.*caller {4}Good morning\.\r?\n.*greeter {3}Good morning to you\./)
    expect(plain).toContain('as it should be')
    expect(output).toContain('\u001b[32m')
    expect(code).toBe(0)
    const { channels } = readWav(readFileSync(out))
    expect(channels.map((side) => side.some((sample) => sample !== 0))).toEqual([true, true])
  })

  test('fails when the conversation is not as the module wants it, and is plain where nobody watches', async () => {
    const { code, output } = await antiphon(['talk', fixture('disappointed.ts')])
    expect(output).toContain('somebody expected more')
    expect(output).not.toContain('\u001b')
    expect(code).toBe(1)
  })

  test.each([
    [['talk', 'nothing.ts'], 'nothing.ts cannot be loaded'],
    [['talk', fixture('no-network.mjs')], 'exports no agent'],
    [['talk', fixture('disappointed.ts'), '--caller', 'nobody.wav'], 'nobody.wav cannot be read'],
    [['talk', 'x.ts', '--loud'], "Unknown option '--loud'"],
    [['sing'], '`antiphon sing` is no command'],
    [[], 'antiphon talk <module>'],
  ])('says what is wrong with %j', async (args, message) => {
    const { code, output } = await antiphon(args)
    expect(output).toContain(message)
    expect(code).toBe(2)
  })

  test('explains itself', async () => {
    expect(await antiphon(['--help'])).toMatchObject({ code: 0, output: expect.stringContaining('--caller <wav>') })
  })
})
