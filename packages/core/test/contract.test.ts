import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const page = readFileSync(at('../../../docs/contract.md'), 'utf8')
const scenarios = readdirSync(at('./scenarios'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(at(`./scenarios/${name}`), 'utf8'))
  .join('\n')

/** Ids such as A-07p, I-05b or S06, wherever the page stands on a test. */
const named = new Set(page.match(/\b(?:[A-Z]-\d{2}[a-z]?|S\d{2}[a-z]?)\b/g))

test('the contract stands on tests', () => {
  expect(named.size).toBeGreaterThan(40)
})

test.each([...named].sort())('%s, on which the contract stands, is a scenario that runs', (id) => {
  expect(scenarios).toMatch(new RegExp(`['\`]${id}['\`:$]`))
})

test('every place that the contract names is a file of the product', () => {
  const places = page.match(/`(?:conversation|runtime|hearing|speaking|report|context)\/[\w/-]*(?:\.ts)?`/g) ?? []
  expect(places.length).toBeGreaterThan(15)
  for (const place of places) expect(existsSync(at(`../src/${place.replaceAll('`', '')}`)), place).toBe(true)
})
