import type { Readable } from 'node:stream'
import type { Env } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import { timingOf } from '../core/outcome.ts'
import type { Route } from '../core/route.ts'
import { newTask, startPage } from '../core/task.ts'
import { type HostKey, hostKey, sendableUrl } from '../core/url.ts'
import type { ClosableFetcher } from '../fetch/fetcher.ts'
import { hostPolicyOf } from '../job/host-policy.ts'
import type { Job, ProxyRules } from '../job/job.ts'
import { readSeeds } from '../job/seeds.ts'
import { meanSpacingMs } from '../pace/mean-spacing.ts'
import type { Exit } from '../proxy/exit.ts'
import { createExits } from '../proxy/exits.ts'
import { hintOf } from '../proxy/judge.ts'
import { createRouter } from '../proxy/route-of.ts'
import { type ExitAudit, exitAuditOf, type Seen } from './exit-audit.ts'
import { createJobFetcher } from './job-fetcher.ts'
import { type Environment, readProxyList } from './proxy-list.ts'

/** How one host took the requests of one region. */
export interface HostAudit {
  readonly host: HostKey
  readonly region: string
  readonly answers: number
  /** 403, 429 and 503. */
  readonly blocked: number
  readonly faults: number
}

export interface ProxiesAudit {
  readonly name: string
  readonly connection: ProxyRules['connection']
  readonly echo: string | null
  readonly proxies: readonly ExitAudit[]
  readonly hosts: readonly HostAudit[]
}

export interface AuditOptions {
  readonly env: Env
  readonly environment: Environment
  readonly stdin: Readable
  readonly signal: AbortSignal
  /** A page that answers with the address that it is asked from. */
  readonly echo?: string
  /** By way of each proxy. */
  readonly requests: number
}

/** Ways that are audited at a time. */
const together = 8
/** An audit is a look, and no crawl. */
const mostHosts = 20
const mostSeeds = 10_000
/** Proxies of a region that ask each host. */
const askersOfRegion = 2

interface Seeds {
  /** The first URL of each host. */
  readonly urls: ReadonlyMap<HostKey, string>
  readonly places: ReadonlySet<string>
}

async function firstSeeds(job: Job, { stdin, signal }: AuditOptions): Promise<Seeds> {
  const urls = new Map<HostKey, string>()
  const places = new Set<string>()
  let read = 0
  for await (const line of readSeeds(job, stdin, signal)) {
    if (read++ >= mostSeeds) break
    const url = line.kind === 'seed' ? sendableUrl(line.seed.url) : null
    if (line.kind !== 'seed' || url === null) continue
    if (line.seed.geo !== null) places.add(line.seed.geo)
    const host = hostKey(url)
    if (urls.size < mostHosts && !urls.has(host)) urls.set(host, url.href)
  }
  return { urls, places }
}

async function inTurns<T>(jobs: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const results: T[] = []
  const waiting = jobs.entries()
  const work = async (): Promise<void> => {
    for (const [at, job] of waiting) results[at] = await job()
  }
  await Promise.all(Array.from({ length: together }, work))
  return results
}

/**
 * How the proxies of a job do, each for itself: they are asked in turn, whatever came of them before. Where there is an
 * echo, it is what they are asked for; the first URL of each host is then asked by way of each region, at the pace that
 * the job has for it.
 * @throws CONFIG_INVALID the job has no proxies, or nothing to ask them for
 */
export async function auditProxies(job: Job, options: AuditOptions): Promise<ProxiesAudit> {
  const { env, environment, echo = null, requests, signal } = options
  const { proxies: rules } = job
  if (rules.list.length === 0)
    throw new MillraceError('CONFIG_INVALID', 'proxies.list: this job has no proxies to audit')
  if (echo !== null && sendableUrl(echo) === null)
    throw new MillraceError('CONFIG_INVALID', `--echo: ${echo} is no URL; accepted: http and https`)
  const { urls, places } = await firstSeeds(job, options)
  const exits = createExits(rules.regions)
  exits.add(await readProxyList(rules.list, environment))
  for (const place of places) exits.forGeo(place)
  const ways = exits.all
  const [firstUrl] = urls.values()
  const url = echo ?? firstUrl
  if (ways.length === 0 || url === undefined)
    throw new MillraceError(
      'CONFIG_INVALID',
      ways.length === 0
        ? 'proxies.regions: these gateways have {geo} in their user name, and no seed says where'
        : 'there is nothing to ask the proxies for; expected --echo, or a seed',
    )
  await using fetcher = await createJobFetcher(
    { ...job, cache: null, contentTypes: { accept: ['*/*'], refuse: [] } },
    env,
  )
  const routeOf = createRouter(rules.connection, env.random)
  const ask = (exit: Exit, asked: string): Promise<Seen> => fetchBy(fetcher, routeOf(exit, null), asked, signal)

  async function auditExit(exit: Exit): Promise<ExitAudit> {
    const seen: Seen[] = []
    for (let nth = 0; nth < requests && !signal.aborted; nth += 1) seen.push(await ask(exit, url ?? ''))
    return exitAuditOf(exit, seen, echo !== null)
  }

  async function auditHost(host: HostKey, page: string): Promise<readonly HostAudit[]> {
    const audits: HostAudit[] = []
    for (const [region, own] of Map.groupBy(ways, exit => exit.region)) {
      const audit = { host, region, answers: 0, blocked: 0, faults: 0 }
      for (const exit of own.slice(0, askersOfRegion)) {
        if (signal.aborted) break
        const hint = hintOf((await ask(exit, page)).outcome)
        if (hint.kind === 'fault') audit.faults += 1
        if (hint.kind === 'answered') audit.answers += 1
        if (hint.kind === 'answered' && hint.complaint === 'block') audit.blocked += 1
        await env.clock.sleep(meanSpacingMs(hostPolicyOf(job, host)), signal).catch(() => {})
      }
      audits.push(audit)
    }
    return audits
  }

  const proxies = await inTurns(ways.map(exit => () => auditExit(exit)))
  const hosts = await inTurns([...urls].map(seed => () => auditHost(...seed)))
  return { name: job.name, connection: rules.connection, echo, proxies, hosts: hosts.flat() }
}

async function fetchBy(fetcher: ClosableFetcher, route: Route, url: string, signal: AbortSignal): Promise<Seen> {
  const task = newTask(url, new URL(url), startPage)
  const outcome = await fetcher.fetch({ task, route, grow: () => {} }, signal)
  return { outcome, isNew: (timingOf(outcome)?.connectMs ?? 0) > 0 }
}
