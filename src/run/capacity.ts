import { cpus } from 'node:os'
import { processCpuMs } from '../core/clock.ts'
import type { Job } from '../job/job.ts'
import type { Capacity } from '../observe/profile.ts'
import { availableThreads } from './cores.ts'

export interface CapacityOptions {
  readonly job: Job
  /** What a page that is being fetched takes of the page budget at least: see `gate/page-budget.ts`. */
  readonly reserveBytes: number
  /** 0: the run has none. */
  readonly proxies: number
  readonly foreignCores: number
}

export const capacityOf = ({ job, reserveBytes, proxies, foreignCores }: CapacityOptions): Capacity => ({
  cores: availableThreads(),
  foreignCores,
  inFlight: job.limits.inFlight,
  pageBudgetBytes: job.limits.pageBudgetBytes,
  reserveBytes,
  proxyPlaces: proxies === 0 ? null : proxies * job.proxies.perProxy,
})

/** CPU of the whole machine so far, idle time not counted. */
const machineBusyMs = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)

/**
 * How many cores others have used on average since it was made. Where the process may use only some of the cores of its
 * machine nobody knows which ones others use: it is taken to be none.
 */
export function watchForeignCores(): (durationMs: number) => number {
  const start = { machineMs: machineBusyMs(), ownMs: processCpuMs() }
  return durationMs => {
    const cores = cpus().length
    if (cores !== availableThreads() || durationMs <= 0) return 0
    const foreignMs = machineBusyMs() - start.machineMs - (processCpuMs() - start.ownMs)
    return Math.min(cores, Math.max(0, Math.round((foreignMs / durationMs) * 100) / 100))
  }
}
