import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { type HostKey, hostKey, isLoopback, sendableUrl } from '../core/url.ts'
import { hostOverrideOf, hostPolicyOf } from '../job/host-policy.ts'
import type { HostPolicy, Job, LimiterPolicy, Rate } from '../job/job.ts'
import { openPolicy, presets } from '../job/presets.ts'
import { readSeeds } from '../job/seeds.ts'
import { meanSpacingMs } from '../pace/mean-spacing.ts'
import { namesHost } from '../scope/host-name.ts'
import { checkFiles } from './check-files.ts'
import { type ProxyPlan, planProxies } from './plan-proxies.ts'
import type { Environment } from './proxy-list.ts'

/** What one host would be asked, how fast, and why. */
export interface HostPlan {
  readonly host: HostKey
  readonly seeds: number
  readonly perHost: LimiterPolicy
  readonly rate: Rate | null
  readonly delayMs: HostPolicy['delayMs']
  /** Mean time between two departures that delay and rate alone ask for; 0: none. */
  readonly spacingMs: number
  /** Where this comes from: the preset, the job's limits, its `hosts`, or that the host is one's own machine. */
  readonly because: string
  /** One's own machine, and nothing in the job says how much it is asked. */
  readonly isOpen: boolean
  /** The recorded reason where it may be asked faster than others. */
  readonly reason: string | null
  readonly robots: 'obeyed' | 'ignored'
}

/** A job before anything is fetched. */
export interface JobPlan {
  readonly name: string
  readonly preset: Job['preset']
  readonly inFlight: number
  /** Over hosts that have a domain, or an address, in common; null: no bound. */
  readonly perDomain: number | null
  readonly perAddress: number | null
  readonly globalRate: Rate | null
  readonly seeds: number
  /** Lines of seed files that are no seeds; a run tells of each of them, and goes on. */
  readonly badSeeds: number
  /** At least so long for the seeds alone, by delays and rates; 0: they are asked for as fast as the hosts answer. */
  readonly leastMs: number
  /** Those with the most seeds first. */
  readonly hosts: readonly HostPlan[]
  readonly hostCount: number
  /** Null: requests go directly. */
  readonly proxies: ProxyPlan | null
}

/** A plan is read by a person. */
const mostHosts = 1_000

const tokenMs = (rate: Rate | null): number => (rate === null ? 0 : 1_000 / rate.tokensPerSecond)

function whyOf(job: Job, host: HostKey, policy: HostPolicy): string {
  if (hostOverrideOf(job, host) !== null) return `hosts["${host}"] of the job`
  const { perHost, rate, delayMs } = presets[job.preset]
  if (isLoopback(host)) return "one's own machine: open, but for what the job states under limits"
  return isDeepStrictEqual(policy, { perHost, rate, delayMs }) ? `preset ${job.preset}` : 'limits of the job'
}

function planHost(job: Job, host: HostKey, seeds: number): HostPlan {
  const policy = hostPolicyOf(job, host)
  const { perHost, rate, delayMs } = policy
  return {
    host,
    seeds,
    perHost,
    rate,
    delayMs,
    spacingMs: meanSpacingMs(policy),
    because: whyOf(job, host, policy),
    isOpen: perHost === openPolicy.perHost,
    reason: hostOverrideOf(job, host)?.reason ?? null,
    robots: namesHost(job.robots.ignoreFor, host) ? 'ignored' : 'obeyed',
  }
}

/**
 * What a run of this job would ask of whom, from its seeds alone: fetches nothing, neither a page nor a robots file.
 * @param stdin where `from: "-"` reads seeds
 * @param environment where `{ env: NAME }` of the proxies is looked up
 * @throws CONFIG_INVALID a file that the job names cannot be used: seeds, proxies, modules, certificates
 */
export async function planJob(
  job: Job,
  stdin: Readable,
  signal: AbortSignal,
  environment: Environment = {},
): Promise<JobPlan> {
  await checkFiles(job)
  const seedsOf = new Map<HostKey, number>()
  let seeds = 0
  let badSeeds = 0
  for await (const line of readSeeds(job, stdin, signal)) {
    const address = line.kind === 'seed' ? sendableUrl(line.seed.url) : null
    if (address === null) {
      badSeeds += 1
      continue
    }
    seeds += 1
    const host = hostKey(address)
    seedsOf.set(host, (seedsOf.get(host) ?? 0) + 1)
  }
  const busiest = [...seedsOf].sort(([, left], [, right]) => right - left)
  const hosts = busiest.map(([host, count]) => planHost(job, host, count))
  const { inFlight, perDomain, perAddress, globalRate } = job.limits
  // The first leaves at once.
  const leastMs = hosts.reduce(
    (most, plan) => Math.max(most, (plan.seeds - 1) * plan.spacingMs),
    Math.max(0, seeds - (globalRate?.burst ?? 0)) * tokenMs(globalRate),
  )
  return {
    name: job.name,
    preset: job.preset,
    inFlight,
    perDomain,
    perAddress,
    globalRate,
    seeds,
    badSeeds,
    leastMs,
    hosts: hosts.slice(0, mostHosts),
    hostCount: hosts.length,
    proxies: await planProxies(job, environment),
  }
}
