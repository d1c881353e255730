import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * Cores' worth of time that the control group of the process allows it, by `cpu.max` (cgroup v2: quota and period in
 * microseconds) or the two files of v1. Infinity: no limit, or none that can be read.
 */
export function cgroupCores(read: (path: string) => string | null): number {
  const v2 = read('/sys/fs/cgroup/cpu.max')
  const [quota, period] =
    v2 === null
      ? [read('/sys/fs/cgroup/cpu/cpu.cfs_quota_us'), read('/sys/fs/cgroup/cpu/cpu.cfs_period_us')]
      : v2.trim().split(/\s+/)
  const cores = Number(quota) / Number(period)
  return cores > 0 && Number.isFinite(cores) ? cores : Number.POSITIVE_INFINITY
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/**
 * As many threads as there are cores for this process: those it may be scheduled on (libuv looks at affinity and at cgroup
 * v2), and no more than a container's share of their time. More threads than that only take it from each other, and in
 * the end from the main thread: a group that has used up its quota stands still as a whole.
 */
export const availableThreads = (read: (path: string) => string | null = readOrNull): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(cgroupCores(read))))
