import { changingScenarios } from './changing.ts'
import { rulesScenarios } from './rules.ts'
import type { Scenario } from './scenario.ts'
import { sharedScenarios } from './shared.ts'
import { steadyScenarios } from './steady.ts'
import { troubleScenarios } from './trouble.ts'

/** The table of scenarios: the default policy must pass them all, the others are shown by what each gives. */
export const scenarios: readonly Scenario[] = [
  ...steadyScenarios,
  ...changingScenarios,
  ...troubleScenarios,
  ...sharedScenarios,
  ...rulesScenarios,
]
