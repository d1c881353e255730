import type { LimiterPolicy } from '../../../src/job/job.ts'
import type { Client, Server } from '../simulator.ts'

export type Figures = Readonly<Record<string, number>>

/** Bounds of one figure: of the mean over the seeds, and of each seed. */
export interface Mark {
  readonly mean?: readonly [atLeast: number, atMost: number]
  readonly each: readonly [atLeast: number, atMost: number]
}

/** An experiment: a server model, a load, faults, and what a good policy makes of them. */
export interface Scenario {
  readonly name: string
  readonly seeds: number
  /** `policyOf` gives the policy that is tried, with a bound as wide as the scenario wants it. */
  play(seed: number, policyOf: (max: number) => LimiterPolicy): Figures
  readonly marks: Readonly<Record<string, Mark>>
}

export const wide = 1024

export const atLeast = (bound: number, mean = bound): Mark => ({
  mean: [mean, Number.POSITIVE_INFINITY],
  each: [bound, Number.POSITIVE_INFINITY],
})
export const atMost = (bound: number, mean = bound): Mark => ({
  mean: [Number.NEGATIVE_INFINITY, mean],
  each: [Number.NEGATIVE_INFINITY, bound],
})
export const between = (low: number, high: number): Mark => ({ each: [low, high] })

/** Share of the workers' time that was spent working. */
export const utilisation = ({ busyMs }: Server, workers: number, fromS: number, toS: number): number =>
  busyMs.sum(fromS, toS) / (workers * (toS - fromS) * 1000)

/** Seconds until the first half second in which the workers were busy for 90 % of their time. */
export function secondsToFull(server: Server, workers: number, fromS: number, untilS: number): number {
  for (let at = fromS; at < untilS; at += 0.5)
    if (utilisation(server, workers, at, at + 0.5) >= 0.9) return at + 0.5 - fromS
  return Number.POSITIVE_INFINITY
}

export function answers({ verdicts }: Client, fromS: number, toS: number): number {
  const { good, refused, timeout, error } = verdicts
  return [good, refused, timeout, error].reduce((sum, series) => sum + series.sum(fromS, toS), 0)
}

export const goodPerSecond = ({ verdicts }: Client, fromS: number, toS: number): number =>
  verdicts.good.sum(fromS, toS) / (toS - fromS)

export const refusedRatio = (clients: readonly Client[], fromS: number, toS: number): number =>
  clients.reduce((sum, { verdicts }) => sum + verdicts.refused.sum(fromS, toS), 0) /
  clients.reduce((sum, client) => sum + answers(client, fromS, toS), 0)

export const meanLimit = ({ limitMs }: Client, fromS: number, toS: number): number =>
  limitMs.sum(fromS, toS) / ((toS - fromS) * 1000)

export const limitAt = ({ changes, lane }: Client, atMs: number): number =>
  changes.findLast(change => change.atMs <= atMs)?.to ?? changes[0]?.from ?? lane.limiter.limit

export const sentBetween = ({ sentAtMs }: Client, fromMs: number, toMs: number): number =>
  sentAtMs.reduce((sum, atMs) => sum + (atMs >= fromMs && atMs < toMs ? 1 : 0), 0)

/** Most of these times in any stretch of that length. */
export function mostWithin(timesMs: readonly number[], lengthMs: number, fromMs: number, toMs: number): number {
  const times = timesMs.filter(atMs => atMs >= fromMs && atMs < toMs)
  let most = 0
  for (let first = 0, last = 0; last < times.length; last += 1) {
    while ((times[last] ?? 0) - (times[first] ?? 0) >= lengthMs) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

export const peakLimit = ({ changes }: Client): number => changes.reduce((peak, { to }) => Math.max(peak, to), 0)

export function medianFirstByteMs({ answeredAtMs, firstByteMs }: Client, fromS: number, toS: number): number {
  const times = firstByteMs.filter((_, index) => {
    const atMs = answeredAtMs[index] ?? 0
    return atMs >= fromS * 1000 && atMs < toS * 1000
  })
  return times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN
}

/** Cuts for losses: a dip also lowers the limit, and gives it back. */
export const cutTimesMs = ({ changes }: Client): readonly number[] =>
  changes.filter(({ from, to, reason }) => to < from && /^(refused|timed out)/.test(reason)).map(({ atMs }) => atMs)

/** Jain's index of fairness: 1 when all have the same, 1/n when one has all. */
export function jain(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0)
  const squares = shares.reduce((total, share) => total + share * share, 0)
  return squares === 0 ? 0 : (sum * sum) / (shares.length * squares)
}
