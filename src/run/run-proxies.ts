import type { Env } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import type { Events } from '../core/events.ts'
import type { Job, ProxyLine } from '../job/job.ts'
import { directOnly, type Proxies } from '../proxy/lease.ts'
import { createProxyPool } from '../proxy/pool.ts'
import type { ProxyView } from '../proxy/view.ts'
import { type Environment, proxySpecsOf, readProxyList } from './proxy-list.ts'

/** The proxies of a run, for whoever runs it: they may come and go while it does. */
export interface ProxyControl {
  /**
   * Takes more of them into the list. Returns their labels.
   * @throws CONFIG_INVALID a line is no proxy, or the job goes directly to its hosts
   */
  add(lines: readonly ProxyLine[]): readonly string[]
  /** What is under way through it ends as it would. False: there is none of that label. */
  remove(label: string): boolean
  views(): readonly ProxyView[]
}

export interface RunProxies extends ProxyControl {
  readonly gate: Proxies
}

/** Of a job without any. */
export const noProxies: RunProxies = {
  gate: directOnly,
  add() {
    throw new MillraceError('CONFIG_INVALID', 'this job goes directly to its hosts; give it proxies.list to begin with')
  },
  remove: () => false,
  views: () => [],
}

export interface RunProxiesOptions {
  readonly env: Env
  readonly events: Events
  readonly environment: Environment
  readonly onReturned: () => void
}

/** @throws CONFIG_INVALID the list cannot be read */
export async function openRunProxies(
  { proxies, timeouts, retries }: Pick<Job, 'proxies' | 'timeouts' | 'retries'>,
  options: RunProxiesOptions,
): Promise<RunProxies> {
  if (proxies.list.length === 0) return noProxies
  const { env, events, onReturned, environment } = options
  const pool = createProxyPool({
    env,
    events,
    onReturned,
    rules: proxies,
    specs: await readProxyList(proxies.list, environment),
    budgetMs: timeouts.connectMs + timeouts.firstByteMs,
    retries: retries.proxy,
    parkMs: retries.totalWaitMs,
  })
  return { gate: pool, add: lines => pool.add(proxySpecsOf(lines)), remove: pool.remove, views: pool.views }
}
