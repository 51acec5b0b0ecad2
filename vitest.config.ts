import { defineConfig } from 'vitest/config'

// Tests run from source: every package names its TypeScript under the export condition `source`. Worker threads that a test
// starts are not Vitest's: Node loads them, as `npm run source` does.
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'],
    execArgv: ['--conditions=source', '--import', new URL('./tools/source/register.mjs', import.meta.url).href],
    testTimeout: 60_000,
    coverage: { include: ['packages/core/src/**'] },
  },
})
