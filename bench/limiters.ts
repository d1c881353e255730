import type { LimiterPolicy } from '../src/job/job.ts'
import { scenarios } from '../test/limit/scenarios/index.ts'
import type { Figures, Mark, Scenario } from '../test/limit/scenarios/scenario.ts'
import { figureText, isWithin, markedText, rangeText, tableOf, writeFigures } from './docs-figures.ts'
import { assertBounds } from './machine.ts'

/**
 * Every policy against every server model, as a table for docs/limiters.md: simulated time and fixed seeds, so the same
 * code gives the same page on any machine. The default policy must keep its marks; the others are shown as they are.
 */
const seeds = [1, 2, 3]

/** With the bound that the scenario gives; a constant as high as that would only show that it is too high. */
const policies: { readonly [P in LimiterPolicy['policy']]: (max: number) => LimiterPolicy } = {
  aimd: max => ({ policy: 'aimd', start: 2, max }),
  courteous: () => ({ policy: 'courteous', start: 2, max: 4 }),
  window: max => ({ policy: 'window', start: 2, max, budgetMs: 5_000 }),
  blockrate: max => ({ policy: 'blockrate', start: 2, max }),
  gradient: max => ({ policy: 'gradient', start: 2, max }),
  vegas: max => ({ policy: 'vegas', start: 2, max }),
  fixed: max => ({ policy: 'fixed', max: Math.min(32, max) }),
}
type PolicyName = keyof typeof policies
const names = Object.keys(policies) as readonly PolicyName[]

const figureNames: Readonly<Record<string, string>> = {
  utilisation: 'of capacity used',
  refused: 'refused',
  refusedAtWorst: 'refused at the worst host',
  medianOverBase: 'median over unloaded',
  limit: 'limit',
  secondsToFull: 's to 90 %',
  overshoot: 'peak over c + q',
  cutsIn5s: 'cuts in 5 s',
  burst: 'burst',
  grownUnused: 'grown unused',
  limitAfter1s: 'limit after 1 s',
  refusedIn3s: 'refused in 3 s',
  peakLimit: 'peak limit',
  timedOut: 'timed out',
  inTheFirst2s: 'sent in the first 2 s',
  probes: 'probes',
  mostIn1s: 'most in 1 s',
  mostIn5s: 'most in 5 s',
  firstOnRecovery: 'first on recovery',
  secondsToTwo: 's to leave 1',
  hung: 'permits hung',
  firstSecond: 'rate, first second',
  later: 'rate, later',
  goodOfCapacity: 'good of capacity',
  throughput: 'throughput',
  cuts: 'cuts',
  growth: 'growth',
  jain: "Jain's index",
  secondsToFair: 's to fair',
  worstShare: 'worst share',
  largeShare: 'share of those that need more',
  busy: 'of what the places can do',
  limitAtHost: 'limit, without what waits for proxies',
  time: 'time of the others, over that without it',
  share: 'its part of the permits',
  pages: 'pages of the others',
  others: 'of capacity used at the others',
  cutTo: 'limit over that before',
  backOff: 's of pause',
  undone: 'URLs not done',
  wasted: 'attempts wasted',
  limitKept: 'lowest limit over that before',
  slowdown: 'p95 of a URL over that before',
  inAMinute: 'in a minute',
  inThePause: 'sent in the pause',
  mostIn1sAfter: 'most in 1 s after it',
  sent: 'sent',
  notGivenBack: 'permits not given back',
  overLimit: 'most above the limit',
  limitAtEnd: 'limit at the end',
}
const percents = new Set(['refused', 'refusedAtWorst', 'timedOut', 'hung', 'share', 'undone'])

const shown = (name: string, value: number): string =>
  percents.has(name) && Number.isFinite(value) ? `${Math.round(value * 1000) / 10} %` : figureText(value)

const headOf = (name: string, mark: Mark): string =>
  `${figureNames[name] ?? name} (${rangeText(mark.each, value => shown(name, value))})`

interface Cell {
  readonly text: string
  readonly holds: boolean
}

/** Mean over the seeds; bold where a seed misses the mark. */
function cellOf(name: string, mark: Mark, runs: readonly Figures[]): Cell {
  const values = runs.map(run => run[name] ?? Number.NaN)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const holds = values.every(value => isWithin(value, mark.each))
  return { text: markedText(shown(name, mean), holds), holds }
}

function rowOf({ play, marks }: Scenario, policy: PolicyName): readonly Cell[] {
  const runs = seeds.map(seed => play(seed, policies[policy]))
  return Object.entries(marks).map(([name, mark]) => cellOf(name, mark, runs))
}

function section(scenario: Scenario, rows: ReadonlyMap<PolicyName, readonly Cell[]>): string {
  const head = Object.entries(scenario.marks).map(([name, mark]) => headOf(name, mark))
  const cells = [...rows].map(([policy, row]) => [`\`${policy}\``, ...row.map(({ text }) => text)])
  return [`### ${scenario.name}`, '', tableOf(['policy', ...head], cells)].join('\n')
}

function tally(all: readonly ReadonlyMap<PolicyName, readonly Cell[]>[]): string {
  const passed = names.map(policy => all.filter(rows => rows.get(policy)?.every(({ holds }) => holds)).length)
  return tableOf(
    ['', ...names.map(name => `\`${name}\``)],
    [[`scenarios passed, of ${all.length}`, ...passed.map(String)]],
  )
}

async function main(): Promise<void> {
  const all = scenarios.map(scenario => new Map(names.map(policy => [policy, rowOf(scenario, policy)])))
  const sections = scenarios.map((scenario, index) => section(scenario, all[index] ?? new Map()))
  await writeFigures('limiters.md', 'limiters.ts', [tally(all), ...sections].join('\n\n'))
  const missed = all.filter(rows => rows.get('aimd')?.some(({ holds }) => !holds)).length
  assertBounds([{ name: 'scenarios that the default policy misses', value: missed, atMost: 0 }])
}

await main()
