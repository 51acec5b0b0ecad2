import { defineConfig } from 'vitest/config'

// Tests run from source: every package names its TypeScript under the export condition `source`.
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 60_000,
    coverage: { include: ['packages/core/src/**'] },
  },
})
