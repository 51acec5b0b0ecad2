import { test } from 'vitest'
import { expectAllIsWell, full, only, timeout } from './fuzz.js'
import { jittered } from './jitters.js'

// The same seeds each time, more of them with FUZZ=full, and any other one with FUZZ='seed 123456'.

const perTest = 50
const count = full ? 20_000 : 200

const asked = only?.startsWith('seed ') ? Number(only.slice('seed '.length)) : null
const seeds = asked === null ? Array.from({ length: count }, (_, seed) => seed) : [asked]
const batches = Array.from({ length: Math.ceil(seeds.length / perTest) }, (_, n) =>
  seeds.slice(n * perTest, (n + 1) * perTest),
)

test.each(batches)('to the millisecond, seeds from %i: whatever comes first, all is well', { timeout }, (...batch) =>
  expectAllIsWell(batch.map((seed) => ({ name: `seed ${seed}`, plan: jittered(seed) }))),
)
