import { parseArgs } from 'node:util'
import { bottleneckOf } from '../src/analyse/bottleneck.ts'
import type { RunProfile } from '../src/analyse/run-profile.ts'
import { type Change, isAtMost, predict } from '../src/analyse/what-if.ts'
import { assertBounds, type Bound } from './machine.ts'
import { judgedLines, type Trial, writeWhatIfDocs } from './what-if-docs.ts'
import { type RealTrial, realTrials } from './what-if-real.ts'
import { changed, measure, type Scenario, scenarios } from './what-if-scenarios.ts'

/**
 * Whether what the report says about changes comes true: each scenario is run, its changes are predicted from what it
 * measured of itself, then made, and run again. In simulated time, with the spine as it is, so that nothing but the
 * model can be wrong; exponential and heavy-tailed times, and a seed of its own for each run. Then twelve with real
 * sockets and threads, medians of BENCH_ROUNDS runs (three unless given) with and without the change in turn: each is
 * judged where nobody else used the machine before it and after it, and told otherwise, since what it does beside is in
 * them. Which were judged is said; `--docs` writes all of them into docs/bench.md, `--simulated` leaves the real ones out.
 *
 *     node bench/what-if.ts [--docs] [--simulated] [seed = 1]
 *
 * A prediction that is told as the most that a change may bring counts twice: it must not be passed, and whoever takes
 * it for the expected is wrong by the error that is told.
 */
const bound = 0.15
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

const perSecond = ({ pages, durationMs }: RunProfile): number => (pages * 1000) / durationMs

const changesOf = ({ threads, proxies }: Scenario): readonly (readonly [string, Change])[] => [
  ['a thread more', { threads: threads + 1 }],
  ['a thread less', { threads: threads - 1 }],
  ['concurrency x 2', { concurrency: 2 }],
  ['engine x 2', { parseCost: 0.5 }],
  ...(proxies === undefined ? [] : [['proxies x 2', { proxies: 2 }] as const]),
]

export async function trialsOf(scenario: Scenario, seed = 1): Promise<readonly Trial[]> {
  const run = await measure(scenario, seed)
  const { kind } = bottleneckOf(run)
  const trials: Trial[] = []
  for (const [nth, [name, change]] of changesOf(scenario).entries()) {
    const predicted = predict(run, change)
    const came = perSecond(await measure(changed(scenario, change), seed + 1 + nth))
    const row = { scenario: scenario.name, kind, change: name, now: perSecond(run), predicted, came }
    trials.push({ ...row, error: Math.abs(predicted - came) / came, isAtMost: isAtMost(run, change) })
  }
  return trials
}

const round = (value: number): number => Math.round(value * 10) / 10

/** Each counts by itself: one that others disturbed takes nothing from the rest. */
export function boundsOfReal(trials: readonly RealTrial[]): readonly Bound[] {
  const judged = trials.filter(({ isJudged }) => isJudged)
  if (judged.length === 0) return []
  const right = judged.filter(({ error }) => error <= bound).length
  return [
    {
      name: `part of the ${judged.length} real trials that were judged within 15 %`,
      value: right / judged.length,
      atLeast: 0.8,
    },
  ]
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { docs: { type: 'boolean' }, simulated: { type: 'boolean' } },
    allowPositionals: true,
  })
  const all: (readonly Trial[])[] = []
  const seed = Number(positionals[0] ?? 1)
  for (const scenario of scenarios) all.push(await trialsOf(scenario, seed))
  console.table(
    all.flat().map(({ scenario, kind, change, now, predicted, came, error, isAtMost }) => ({
      scenario,
      verdict: kind,
      change,
      'pages/s now': round(now),
      predicted: `${isAtMost ? 'at most ' : ''}${round(predicted)}`,
      'came true': round(came),
      'error %': Math.round(error * 100),
    })),
  )
  const real = values.simulated ? [] : await realTrials(rounds)
  if (values.simulated) console.log('Real trials: left out.')
  else
    console.table(
      real.map(({ error, isJudged, ...trial }) => ({ ...trial, 'error %': Math.round(error * 100), judged: isJudged })),
    )
  for (const told of judgedLines(real)) console.log(`Real trials. ${told}`)
  const worst = all.map(trials => Math.max(...trials.map(({ error }) => error)))
  const right = worst.filter(error => error <= bound).length
  console.log(JSON.stringify({ bench: 'what-if', scenarios: all.length, right, worst: worst.map(round3) }))
  assertBounds([
    { name: 'part of the scenarios with every prediction within 15 %', value: right / all.length, atLeast: 0.8 },
    {
      name: 'predictions of the most that were passed by more than 15 %',
      value: all.flat().filter(({ isAtMost, predicted, came }) => isAtMost && came > predicted * (1 + bound)).length,
      atMost: 0,
    },
    ...boundsOfReal(real),
  ])
  if (values.docs) await writeWhatIfDocs({ seed, rounds, simulated: all, real })
}

const round3 = (value: number): number => Math.round(value * 1000) / 1000

if (import.meta.main) await main()
