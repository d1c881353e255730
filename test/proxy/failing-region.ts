import type { LimiterPolicy } from '../../src/job/job.ts'
import { type Drive, drive, specsOf } from './driver.ts'

export const failsFromMs = 20_000
export const failsToMs = 60_000
/** By then its exits are left alone. */
export const ejectedMs = failsFromMs + 10_000
export const urls = 2_000
/** 15 of 50. */
const specs = [...specsOf('bad', 15), ...specsOf('one', 15), ...specsOf('two', 20)]

export const troubles = {
  'connect time-outs of 3 s': { failure: 'timeout', afterMs: 3_000 },
  'answers of 502 to CONNECT': { failure: 'refused', afterMs: 30 },
} as const
export type Trouble = (typeof troubles)[keyof typeof troubles]

/** One region of three fails for a while. */
export function failingRegion(trouble: Trouble, seed: number, policy?: LimiterPolicy): Drive {
  const weather = (region: string, _: string, nowMs: number) =>
    region === 'bad' && nowMs >= failsFromMs && nowMs < failsToMs ? trouble : null
  return drive({ specs, weather, urls, perSecond: 20, untilMs: 200_000, seed, ...(policy && { policy }) })
}

const p95 = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.ceil(values.length * 0.95) - 1] ?? 0

const timesMs = ({ times }: Drive, fromMs: number, toMs: number): number[] =>
  times.flatMap(({ cameAtMs, tookMs }) => (cameAtMs >= fromMs && cameAtMs < toMs ? [tookMs] : []))

/** What a URL takes once the region is left alone, over what it took before. */
export const slowdown = (it: Drive): number =>
  p95(timesMs(it, ejectedMs, failsToMs)) / p95(timesMs(it, 5_000, failsFromMs))

/** The lowest limit of the host since the region fails, over that before. */
export function limitKept({ limits }: Drive): number {
  const before = limits.findLast(({ atMs }) => atMs <= failsFromMs)?.limit ?? 0
  return Math.min(before, ...limits.flatMap(({ atMs, limit }) => (atMs > failsFromMs ? [limit] : []))) / before
}

export const wasted = ({ attempts }: Drive): number => attempts.filter(({ isFault }) => isFault).length
