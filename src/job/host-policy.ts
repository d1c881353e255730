import { type HostKey, isLoopback } from '../core/url.ts'
import { withoutPort } from '../scope/host-name.ts'
import type { HostOverride, HostPolicy, Job } from './job.ts'

/** What the job says of this host by its key or, failing that, by its name for every port. */
export function hostOverrideOf(job: Job, host: HostKey): HostOverride | null {
  for (const name of [host, withoutPort(host)]) if (Object.hasOwn(job.hosts, name)) return job.hosts[name] ?? null
  return null
}

/** `override`, over what holds for hosts without one. */
export const overridden = (
  { perHost, rate, delayMs }: HostPolicy,
  override: Pick<HostOverride, 'perHost' | 'rate' | 'delayMs'> | null,
): HostPolicy => ({
  perHost: override?.perHost ?? perHost,
  rate: override?.rate === 'none' ? null : (override?.rate ?? rate),
  delayMs: override?.delayMs ?? delayMs,
})

/** The override of the host, over what holds for one's own machine or for everybody else's. */
export const hostPolicyOf = (job: Job, host: HostKey): HostPolicy =>
  overridden(isLoopback(host) ? job.loopback : job.limits, hostOverrideOf(job, host))
