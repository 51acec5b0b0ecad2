import type { Scenario } from './simulate.js'

/** Scenarios that once failed: played first, each time. */
export const regressions: readonly (Scenario & { readonly note: string })[] = []
