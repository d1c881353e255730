import { describe, expect, test } from 'vitest'
import type { LimiterPolicy } from '../../../src/job/job.ts'
import type { Figures, Scenario } from './scenario.ts'

const aimd = (max: number): LimiterPolicy => ({ policy: 'aimd', start: 2, max })

const isWithin = (value: number, [low, high]: readonly [number, number]): boolean => value >= low && value <= high

/** One line for each bound that was missed, with the figures of all seeds. */
function missed({ marks }: Scenario, runs: readonly Figures[]): readonly string[] {
  return Object.entries(marks).flatMap(([name, { mean, each }]) => {
    const values = runs.map(run => run[name] ?? Number.NaN)
    const average = values.reduce((sum, value) => sum + value, 0) / values.length
    const isMissed = (mean !== undefined && !isWithin(average, mean)) || !values.every(value => isWithin(value, each))
    const text = values.map(value => value.toPrecision(4)).join(' ')
    return isMissed ? [`${name}: mean ${average.toPrecision(4)} of ${mean}; each of ${each}: ${text}`] : []
  })
}

/** Files of their own, so that they run side by side. Seconds of simulation, of which a busy machine makes a minute. */
export function mustPass(scenarios: readonly Scenario[]): void {
  describe('aimd against model servers', () => {
    for (const scenario of scenarios)
      test(scenario.name, () => {
        const runs = Array.from({ length: scenario.seeds }, (_, index) => scenario.play(index + 1, aimd))
        expect(missed(scenario, runs)).toEqual([])
      }, 120_000)
  })
}
