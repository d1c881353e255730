import { expect, test } from 'vitest'
import { sweep } from '../../src/bench/sweep.ts'

test('a row is what a run and its server saw of each other, in processes of their own', async () => {
  const dials = { latencyMs: 10, capacity: 3, weight: 16, seconds: 0.4 }
  const rows = []
  const options = { source: null, threads: [1], concurrency: [4], pageBytes: [5_000], dials }
  for await (const row of sweep(options)) rows.push(row)
  const [row] = rows
  expect(rows).toHaveLength(1)
  expect(row).toMatchObject({ threads: 1, concurrency: 4, failed: 0, peakAtServer: 4 })
  expect(row?.pages).toBeGreaterThan(5)
  // Three at a time for 10 ms each; the clock of a busy machine is no better than this.
  expect(row?.pagesPerSecond).toBeLessThan(450)
  expect(row?.requestMs).toBeGreaterThan(5)
  expect(row?.cpuMs.main).toBeGreaterThan(0)
  // Of the pages of that middle alone, each stage for itself; the next URL waits until one of four requests has ended.
  const { wait, connect, firstByte, extract, serialise } = row?.stages ?? {}
  for (const ms of [firstByte, extract, serialise, ...Object.values(wait ?? { none: 0 })]) expect(ms).toBeGreaterThan(0)
  expect(connect).toBeLessThan(firstByte ?? 0)
  // Four requests and three at a time: the server has no more to give, which is known beside what the run knows of itself.
  expect(row?.profile).toMatchObject({ threads: 1, inFlightBound: 4, pages: row?.pages })
  expect(row?.profile.durationMs).toBeLessThan(5_000)
  expect(row?.bottleneck.sentence).toMatch(
    / at \d.* pages\/s .*; one thread more would give .*, twice the requests in flight .*\.$/,
  )
  expect(row?.whatIf).toHaveLength(2)
  expect(row?.rssMb).toBeGreaterThan(30)
}, 30_000)
