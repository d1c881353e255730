import { expect, test } from 'vitest'
import { boundsOfReal, trialsOf } from '../../bench/what-if.ts'
import { judgedLines } from '../../bench/what-if-docs.ts'
import { scenarios } from '../../bench/what-if-scenarios.ts'
import { predict, whatIfOf } from '../../src/analyse/what-if.ts'
import { calm, noWaits } from './profile.ts'

test('what was measured is what is told where nothing changes', () => {
  expect(predict(calm, {})).toBeCloseTo(100, 9)
  expect(predict({ ...calm, pages: 0 }, {})).toBe(0)
  expect(whatIfOf({ ...calm, pages: 0 })).toEqual([])
})

test('each setting that can be changed has a line, and one that is out of reach has none', () => {
  const changes = (what: object): string[] =>
    whatIfOf({ ...calm, ...what }).map(({ change }) => change.split(':')[0] ?? '')
  expect(changes({})).toEqual(['threads', 'threads', 'concurrency', 'engine'])
  expect(changes({ threads: 1, proxyPlaces: 10 })).toEqual(['threads', 'concurrency', 'proxies', 'engine'])
})

test('a thread more brings nothing where there is no core for it', () => {
  const bound = { ...calm, parseBusyMs: 19_500, cpuMs: 20_000 }
  const gainOf = (run: typeof bound): number => predict(run, { threads: 3 }) / predict(run, {}) - 1
  expect(gainOf(bound)).toBeGreaterThan(0.4)
  expect(gainOf({ ...bound, cores: 2 })).toBeLessThan(0.01)
  expect(gainOf({ ...bound, cores: 3, foreignCores: 1.2 })).toBeLessThan(0.01)
})

test('hosts whose limits were cut are asked for no more when the job allows more', () => {
  const full = { ...calm, hostFullness: 1, inFlightBound: 1_000 }
  const gainOf = (raisableShare: number): number =>
    predict({ ...full, raisableShare }, { concurrency: 2 }) / predict(full, {}) - 1
  expect(gainOf(1)).toBeGreaterThan(0.9)
  expect(gainOf(0.5)).toBeCloseTo(0.5, 1)
  expect(gainOf(0)).toBe(0)
})

// Others use the cores, and the run did not want them: its own three pages a second cost a fifth of what it could have had.
const idle = { ...calm, pages: 30, cores: 2, foreignCores: 1.8, mainCpuMs: 800, cpuMs: 2_000, parseBusyMs: 1_300 }

test.each([
  ['nothing', noWaits],
  ['hosts that asked to be left alone', { ...noWaits, pause: 100_000 }],
  ['robots files', { ...noWaits, robots: 100_000 }],
])('a run that waited for %s gains nothing when the model is widened', (_, waitMs) => {
  expect(predict({ ...idle, waitMs }, { parseCost: 0.5 })).toBeCloseTo(3, 9)
  expect(predict({ ...idle, waitMs }, { threads: 3 })).toBeCloseTo(3, 9)
  expect(predict({ ...idle, waitMs }, { parseCost: 100 })).toBeLessThan(1)
})

test('of a run that was held back half of the time half is not made shorter', () => {
  const bound = { ...calm, parseBusyMs: 19_500, cpuMs: 20_000 }
  const gainOf = (waitMs: typeof noWaits): number =>
    predict({ ...bound, waitMs }, { threads: 1_000, concurrency: 1_000 }) / predict(bound, {})
  expect(gainOf({ ...noWaits, parse: 10_000 })).toBeGreaterThan(3)
  expect(gainOf({ ...noWaits, parse: 5_000 })).toBeGreaterThan(1.5)
  expect(gainOf({ ...noWaits, parse: 5_000 })).toBeLessThan(2)
})

test('more is promised of hosts with the word "at most" where nobody tried what they bear', () => {
  const most = (untriedShare: number): readonly boolean[] =>
    whatIfOf({ ...calm, inFlightBound: 10, untriedShare }).map(({ isAtMost }) => isAtMost)
  expect(most(0)).toEqual([false, false, false, false])
  expect(most(1)).toEqual([false, false, true, false])
})

// Few pages must do here, so the threads take the same time over each: with times of chance the sum of a few hundred
// varies by more than the model errs.
test.each(['parse-heavy, even pages', 'slow host', 'main-thread-bound'])(
  'what is said of %s comes true within 15 per cent when it is done, in simulated time',
  async name => {
    const scenario = scenarios.find(each => each.name === name)
    if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
    for (const { error, change } of await trialsOf({ ...scenario, pages: 400 }))
      expect(error, change).toBeLessThan(0.15)
  },
)

// Writes are few, and of a size of their own each: more pages tell more of them.
test.each(['busy sink', 'mixed: sink and threads', 'slow writes of many pages'])(
  'what is said of %s comes true within 15 per cent, whether writes are long for their pages or anyway',
  async name => {
    const scenario = scenarios.find(each => each.name === name)
    if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
    for (const { error, change } of await trialsOf({ ...scenario, pages: 1_000, parse: { kind: 'constant', ms: 14 } }))
      expect(error, change).toBeLessThan(0.15)
  },
)

test('a trial that others disturbed is told to be, and takes no judgement from the rest', () => {
  const trial = { verdict: 'parse', now: 10, predicted: 20, came: 20 }
  const trials = [
    { ...trial, what: 'one', error: 0.1, isJudged: true },
    { ...trial, what: 'two', error: 0.9, isJudged: false },
    { ...trial, what: 'three', error: 0.2, isJudged: true },
  ]
  expect(judgedLines(trials)).toEqual([
    'Judged (2 of 3): one; three',
    'Told and not judged, since others used this machine before or after them (1 of 3): two',
  ])
  expect(boundsOfReal(trials)).toMatchObject([{ value: 0.5 }])
  expect(boundsOfReal(trials.slice(1, 2))).toEqual([])
})
