import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { microphone } from '../src/index.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'antiphon-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function install(program: string, script: string): void {
  const path = join(folder, program)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

test('a machine without programs for sound is told what to install', () => {
  vi.stubEnv('PATH', folder)
  expect(() => microphone()).toThrow('apt-get install alsa-utils')
})

test('what the microphone hears comes in, and what is said is played', async () => {
  vi.stubEnv('PATH', [folder, process.env['PATH']].join(delimiter))
  install('arecord', 'head -c 640 /dev/zero | tr "\\000" "\\001"; exec sleep 60')
  install('aplay', `exec cat > ${join(folder, 'played')}`)
  const line = microphone()
  const played = new Promise<void>((resolve) => {
    const track = line.open({ speech: 's1', sampleRate: 16_000, ended: () => resolve() })
    void track.write(new Int16Array(1_600).fill(0x0202))
    track.end()
    track.play()
  })
  for await (const { samples, rate } of line.incoming) {
    expect([samples.length, rate, samples[0]]).toEqual([320, 16_000, 0x0101])
    break
  }
  await played
  await vi.waitFor(() => expect(readFileSync(join(folder, 'played')).includes(2)).toBe(true))
  await line.close()
})

test('a program that fails ends the line with what it said', async () => {
  vi.stubEnv('PATH', [folder, process.env['PATH']].join(delimiter))
  install('arecord', 'echo "no such device" >&2; exit 1')
  install('aplay', 'exec cat > /dev/null')
  const line = microphone()
  const listen = async () => {
    for await (const { samples } of line.incoming) expect(samples.length).toBe(320)
  }
  await expect(listen()).rejects.toThrow('`arecord` has ended with code 1: no such device')
})
