import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '../src/core/clock.ts'
import { listen } from '../src/core/events.ts'
import { crawl, type JobInput, type Report } from '../src/index.ts'
import type { ModelServer, Seen, Traits } from './model-server.ts'

/** A crawl of one model server for so long, and what both sides saw of it: all times on one clock. */
export interface Outing {
  readonly startMs: number
  readonly seen: Seen
  /** Of the limit of the host. */
  readonly changes: readonly Change[]
  readonly report: Report
}

export interface Change {
  readonly atMs: number
  readonly to: number
}

/** What happens to the server on the way. */
export type Steps = readonly (readonly [atS: number, traits: Partial<Traits>])[]

export const urlsOf = (host: string, port: number, count: number): string[] =>
  Array.from({ length: count }, (_, nth) => `http://${host}:${port}/${nth}`)

export async function outing(server: ModelServer, job: JobInput, seconds: number, steps: Steps = []): Promise<Outing> {
  const run = crawl(job, { threads: 0 })
  const changes: Change[] = []
  using _ear = listen(run.id, { 'lane.limit': ({ to }) => void changes.push({ atMs: realClock.nowMs(), to }) })
  const startMs = realClock.nowMs()
  const ending = run.finished()
  await Promise.all([
    ...steps.map(async ([atS, traits]) => {
      await sleep(atS * 1_000)
      server.set(traits)
    }),
    sleep(seconds * 1_000),
  ])
  const seen = await server.read()
  run.stop()
  return { startMs, seen, changes, report: await ending }
}

export const between = (times: readonly number[], fromMs: number, toMs: number): number =>
  times.filter(atMs => atMs >= fromMs && atMs < toMs).length

/** Share of the workers' time that was spent working. */
export function utilisation({ work }: Seen, workers: number, fromMs: number, toMs: number): number {
  const busyMs = work.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, toMs) - Math.max(from, fromMs)), 0)
  return busyMs / (workers * (toMs - fromMs))
}

/** Requests that had arrived and were not answered. */
export const underWay = ({ arrivedAtMs, refusedAtMs, work }: Seen, atMs: number): number =>
  between(arrivedAtMs, 0, atMs) - between(refusedAtMs, 0, atMs) - work.filter(([, toMs]) => toMs < atMs).length

/** Requests that were under way beside the first one that was worked at from then on, until it was answered. */
export function besideTheFirst(seen: Seen, fromMs: number): number {
  const [first] = seen.work.filter(([begunAtMs]) => begunAtMs >= fromMs).sort(([one], [other]) => one - other)
  if (first === undefined) return Number.POSITIVE_INFINITY
  const [begunAtMs, endedAtMs] = first
  return underWay(seen, begunAtMs) + between(seen.arrivedAtMs, begunAtMs, endedAtMs) - 1
}

/** Requests that workers were at. */
export const inService = ({ work }: Seen, atMs: number): number =>
  work.reduce((count, [from, to]) => count + (from <= atMs && atMs < to ? 1 : 0), 0)

export const refusedRatio = ({ arrivedAtMs, refusedAtMs }: Seen, fromMs: number, toMs: number): number =>
  between(refusedAtMs, fromMs, toMs) / Math.max(1, between(arrivedAtMs, fromMs, toMs))

/** Seconds until the first half second in which the workers were busy for 85 % of their time: 5 points below 90. */
export function secondsToFull(seen: Seen, workers: number, fromMs: number): number {
  for (let step = 0; step < 80; step += 1)
    if (utilisation(seen, workers, fromMs + step * 500, fromMs + (step + 1) * 500) >= 0.85) return (step + 1) / 2
  return Number.POSITIVE_INFINITY
}

/** Most of these times in any stretch of that length. */
export function mostWithin(times: readonly number[], lengthMs: number): number {
  let most = 0
  for (let first = 0, last = 0; last < times.length; last += 1) {
    while ((times[last] ?? 0) - (times[first] ?? 0) >= lengthMs) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

export const limitAt = (changes: readonly Change[], atMs: number, start: number): number =>
  changes.findLast(change => change.atMs <= atMs)?.to ?? start

export const mostLimit = (changes: readonly Change[], fromMs: number, toMs: number): number =>
  changes.reduce(
    (most, { atMs, to }) => (atMs >= fromMs && atMs < toMs ? Math.max(most, to) : most),
    limitAt(changes, fromMs, 2),
  )

export function meanLimit(changes: readonly Change[], fromMs: number, toMs: number): number {
  let [sumMs, sinceMs, limit] = [0, fromMs, limitAt(changes, fromMs, 2)]
  for (const { atMs, to } of changes.filter(change => change.atMs > fromMs && change.atMs < toMs)) {
    sumMs += limit * (atMs - sinceMs)
    sinceMs = atMs
    limit = to
  }
  return (sumMs + limit * (toMs - sinceMs)) / (toMs - fromMs)
}
