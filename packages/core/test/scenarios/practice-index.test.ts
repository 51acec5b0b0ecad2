import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { practices } from './practice.js'

const folder = new URL('./', import.meta.url)

const rows = readdirSync(folder)
  .filter((name) => /^practice.*\.test\.ts$/.test(name))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')

/** What a pipeline on one line cannot play: these need other rooms. */
const elsewhere: Readonly<Record<string, string>> = {
  S20: 'a speech-to-speech model',
  S22: 'a telephone with two legs',
}

test('there are 25 practice scenarios', () => {
  expect(practices.map(({ id }) => id)).toEqual(
    Array.from({ length: 25 }, (_, n) => `S${String(n + 1).padStart(2, '0')}`),
  )
})

test.each(practices.filter(({ id }) => !(id in elsewhere)))('$id is played: $title', ({ id }) => {
  expect(rows).toMatch(new RegExp(`['\`]${id}`))
})

test('those that are not played here are named, with what they need', () => {
  for (const { id, title } of practices) {
    const need = elsewhere[id]
    if (need === undefined) continue
    expect(rows).not.toMatch(new RegExp(`['\`]${id}`))
    console.info(`${id} (${title}) needs ${need}.`)
  }
})
