import { type HostKey, isLoopback } from '../core/url.ts'
import { withoutPort } from '../scope/host-name.ts'
import type { HostOverride, HostPolicy, Job } from './job.ts'

/** What the job says of this host by its key or, failing that, by its name for every port. */
export function hostOverrideOf(job: Job, host: HostKey): HostOverride | null {
  for (const name of [host, withoutPort(host)]) if (Object.hasOwn(job.hosts, name)) return job.hosts[name] ?? null
  return null
}

/** The override of the host, over what holds for one's own machine or for everybody else's. */
export function hostPolicyOf(job: Job, host: HostKey): HostPolicy {
  const base = isLoopback(host) ? job.loopback : job.limits
  const override = hostOverrideOf(job, host)
  return {
    perHost: override?.perHost ?? base.perHost,
    rate: override?.rate === 'none' ? null : (override?.rate ?? base.rate),
    delayMs: override?.delayMs ?? base.delayMs,
  }
}
