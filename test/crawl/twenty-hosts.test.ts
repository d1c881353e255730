import { expect, test } from 'vitest'
import type { SimRequest } from '../sim/hosts.ts'
import { createSimParser } from '../sim/parser.ts'
import { simulate, urlsOf } from './kit.ts'

/** Most of them small, as in the scenario L13 of test/limit. */
const sizes = Array.from({ length: 20 }, (_, nth) => Math.round(64 ** (nth / 19)))
const [fromMs, toMs] = [8_000, 14_000]
const meanMs = 100

const hostOf = (nth: number): string => `h${nth}.test`
const sizeOf = (host: string): number => sizes[Number(/\d+/.exec(host)?.[0])] ?? 1

/** Part of the time of its workers in which they had work: what is beyond them waits in its queue. */
function utilisation(requests: readonly SimRequest[], workers: number): number {
  const changes = requests.flatMap(({ atMs, endedAtMs, answer }) =>
    answer === 200
      ? [
          { atMs: Math.max(atMs, fromMs), by: 1 },
          { atMs: Math.max(endedAtMs ?? toMs, fromMs), by: -1 },
        ]
      : [],
  )
  let [inFlight, busyMs, lastMs] = [0, 0, fromMs]
  for (const { atMs, by } of changes.sort((left, right) => left.atMs - right.atMs)) {
    const nowMs = Math.min(atMs, toMs)
    busyMs += Math.min(inFlight, workers) * (nowMs - lastMs)
    lastMs = nowMs
    inFlight += by
  }
  return busyMs / (workers * (toMs - fromMs))
}

test('one run finds the capacity of each of twenty hosts, of one worker or of 64, and keeps all of them busy', async () => {
  const pagesOf = (workers: number): number => Math.ceil((1.2 * workers * toMs) / meanMs)
  const { web } = await simulate({
    job: {
      seeds: sizes.flatMap((workers, nth) => urlsOf(hostOf(nth), pagesOf(workers))),
      item: { title: 'h1' },
      limits: { perHost: { policy: 'aimd', start: 2, max: 256 }, rate: 'none', delayMs: 0, inFlight: 4_096 },
      retries: { budget: 10 },
    },
    hosts: host => ({
      latency: { kind: 'exponential', meanMs },
      capacity: { workers: sizeOf(host), queue: sizeOf(host) },
    }),
    parser: ({ clock, random }) => createSimParser({ clock, random, threads: 1_000, law: { kind: 'constant', ms: 0 } }),
    during: (run, { clock }) => void clock.after(toMs, () => run.stop()),
  })
  for (const [nth, workers] of sizes.entries()) {
    const requests = web.requestsOf(hostOf(nth))
    expect(utilisation(requests, workers), `${hostOf(nth)} of ${workers} workers`).toBeGreaterThanOrEqual(0.9)
  }
  // Limits were cut meanwhile, and cost nobody who was under way.
  expect(web.log.filter(({ answer }) => answer === 429).length).toBeGreaterThan(20)
  expect(web.log.filter(({ answer }) => answer !== 200 && answer !== 429 && answer !== 404)).toEqual([])
}, 60_000)
