import base from '../vitest.config.ts'

// Who is to notice a fault in the machine: the simulator, the scenarios, and the tests of the runtime.
export default {
  ...base,
  test: {
    ...base.test,
    include: ['packages/core/test/simulation.test.ts', 'packages/core/test/{scenarios,runtime,testing}/**/*.test.ts'],
  },
}
