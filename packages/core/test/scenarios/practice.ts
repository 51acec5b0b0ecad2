import { readFileSync } from 'node:fs'
import type { Tools } from '../../src/index.js'
import type { Observed, Scene } from '../../src/testing/index.js'
import { silent } from './cast.js'
import { type Row, scenarios } from './runner.js'

/** One scenario made from a public report, as the data file tells it. */
export interface Practice {
  readonly id: string
  readonly title: string
}

const file = new URL('../fixtures/practice-scenarios.json', import.meta.url)

export const practices = JSON.parse(readFileSync(file, 'utf8')) as readonly Practice[]

/** Makes a test of each row, under the title that the data file gives it. A row may be a variant: S06a. */
export function practice(rows: readonly Row[]): void {
  const titled = rows.map((row) => {
    const found = practices.find(({ id }) => row.id.startsWith(id))
    if (!found) throw new Error(`the data file has no scenario ${row.id}`)
    return { ...row, what: `${found.title}: ${row.what}` }
  })
  scenarios('practice, from public reports', titled)
}

/** An agent that waits to be spoken to. */
export const host = (tools: Tools = {}) => silent('host', tools)

export const field = (scene: Omit<Scene, 'bench'>): Scene => ({ bench: 'field', ...scene })

/** When speech that begins with `text` began to sound. */
export const startOf = ({ audible }: Pick<Observed, 'audible'>, text: string): number =>
  audible.find((sound) =>
    sound.words
      .map((word) => word.text)
      .join('')
      .startsWith(text),
  )?.from ?? Number.NaN

export const userLines = ({ history }: Pick<Observed, 'history'>): string[] =>
  history.flatMap((item) => (item.type === 'user' ? [item.text] : []))
