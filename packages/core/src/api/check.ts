import { UsageError } from './errors.js'

/** Says that the value at `where` cannot be used, and which one could. @throws {UsageError} */
export type Check = (where: string, value: unknown) => void

const check =
  (wanted: string, test: (value: unknown) => boolean): Check =>
  (where, value) => {
    if (!test(value)) throw new UsageError(`${where} must be ${wanted}; it is ${show(value)}`)
  }

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

export const anything: Check = () => {}
export const yesOrNo = check('true or false', (value) => typeof value === 'boolean')
export const duration = check('a number of milliseconds, 0 or more', (value) => isNumber(value) && value >= 0)
export const limit = check('a number of milliseconds above 0', (value) => isNumber(value) && value > 0)
export const count = check('a whole number, 0 or more', (value) => Number.isInteger(value) && (value as number) >= 0)
export const countFromOne = check(
  'a whole number, 1 or more',
  (value) => Number.isInteger(value) && (value as number) >= 1,
)
export const probability = check('a number from 0 to 1', (value) => isNumber(value) && value >= 0 && value <= 1)
export const aText = check('a text', (value) => typeof value === 'string')
export const someText = check('a text that is not empty', (value) => typeof value === 'string' && value.trim() !== '')
export const texts = check(
  'a list of texts',
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
)
export const aFunction = check('a function', (value) => typeof value === 'function')
export const signal = check('an AbortSignal', (value) => value instanceof AbortSignal)

export const oneOf = (...values: readonly unknown[]): Check =>
  check(values.map((value) => show(value)).join(' or '), (value) => values.includes(value))

export const orNull =
  (inner: Check): Check =>
  (where, value) => {
    if (value !== null) inner(where, value)
  }

/** An object with these functions and a name: what a provider, a line or a clock is. */
export const having = (what: string, ...members: readonly string[]): Check =>
  check(`${what}: an object with ${members.map((member) => `\`${member}\``).join(' and ')}`, (value) => {
    return typeof value === 'object' && value !== null && members.every((member) => member in value)
  })

/** An object whose fields are checked one by one, and that has no others. A field that is undefined counts as left out. */
export const fields =
  (known: Readonly<Record<string, Check>>): Check =>
  (where, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new UsageError(`${where} must be an object; it is ${show(value)}`)
    }
    for (const [key, field] of Object.entries(value)) {
      if (!Object.hasOwn(known, key)) throw new UsageError(unknownField(where, key, Object.keys(known)))
      if (field !== undefined) known[key]?.(`${where}.${key}`, field)
    }
  }

function unknownField(where: string, key: string, known: readonly string[]): string {
  const near = known.find((each) => distance(each.toLowerCase(), key.toLowerCase()) <= Math.max(1, key.length / 4))
  return `${where} has no "${key}"${near ? `: did you mean "${near}"?` : `; it may have ${known.join(', ')}`}`
}

/** How many letters have to be put in, left out or exchanged to make `a` into `b`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
