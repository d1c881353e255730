import type { Job, ProxyRules, ProxySource } from '../job/job.ts'
import { type Environment, readProxyList } from './proxy-list.ts'

/** Through whom a job would go. Labels alone: no credentials. */
export interface ProxyPlan {
  readonly connection: ProxyRules['connection']
  readonly rotation: ProxyRules['rotation']
  readonly count: number
  /** With how many proxies in each; those that are a region of their own count together, as ``. */
  readonly regions: readonly { readonly region: string; readonly count: number }[]
  /** The first of them. */
  readonly proxies: readonly { readonly proxy: string; readonly region: string | null; readonly weight: number }[]
  /** Lists that only a run asks for: functions of the job's module. */
  readonly unread: number
}

/** A plan is read by a person. */
const mostProxies = 1_000

const isReadable = ({ kind }: ProxySource): boolean => kind !== 'function'

/**
 * Null: directly. Reads files and the environment, and calls nothing.
 * @throws CONFIG_INVALID one of them cannot be read
 */
export async function planProxies({ proxies: rules }: Job, environment: Environment): Promise<ProxyPlan | null> {
  if (rules.list.length === 0) return null
  const specs = await readProxyList(rules.list.filter(isReadable), environment)
  const byRegion = Map.groupBy(specs, ({ region }) => region ?? '')
  return {
    connection: rules.connection,
    rotation: rules.rotation,
    count: specs.length,
    regions: [...byRegion].map(([region, own]) => ({ region, count: own.length })),
    proxies: specs.slice(0, mostProxies).map(({ label, region, weight }) => ({ proxy: label, region, weight })),
    unread: rules.list.filter(source => !isReadable(source)).length,
  }
}
