import { bottleneckOf } from '../../src/analyse/bottleneck.ts'
import type { BenchRow } from '../../src/bench/figures.ts'
import { calm } from '../analyse/profile.ts'

/** A row of a sweep as it might be measured. */
export const row = (changes: Partial<BenchRow>): BenchRow => ({
  threads: 1,
  concurrency: 1,
  pageBytes: 100_000,
  pages: 500,
  failed: 0,
  measuredMs: 1_500,
  pagesPerSecond: 40,
  megabytesPerSecond: 4,
  cpuMs: { main: 0.5, workers: 4 },
  loopDelayMs: { p50: 0.2, p99: 5, max: 12 },
  rssMb: 200,
  requestMs: 25,
  stages: {
    ...{ wait: { hostSlot: 24, parse: 1 }, connect: 0.1, tls: 0, firstByte: 20, body: 2 },
    ...{ parseQueue: 3, decode: 0.1, extract: 3.6, serialise: 0.3, commit: 50 },
  },
  profile: calm,
  peakAtServer: 1,
  serverCpuMs: 0.3,
  bottleneck: { ...bottleneckOf(calm), kind: 'cores', sentence: 'The cores bind.' },
  whatIf: [],
  ...changes,
})
