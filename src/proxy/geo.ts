import { type Fault, faultOf } from '../core/errors.ts'
import type { Task } from '../core/task.ts'
import { withoutCredentials } from '../core/url.ts'
import type { GeoRule } from '../job/job.ts'

/** Where a task wants to come out: as its seed says, or else as the job does. Null: anywhere. */
export function geoOf({ geo, url, page }: Pick<Task, 'geo' | 'url' | 'page'>, rule: GeoRule | null): string | null {
  if (geo !== null || rule === null) return geo
  if (typeof rule === 'string') return rule
  if (typeof rule === 'function') return rule(url, page)
  return Object.hasOwn(rule, page) ? (rule[page] ?? null) : null
}

/** Why a task ends that wants to come out where no proxy of the list does. */
export function noWayFault(task: Task, geo: string | null): Fault {
  const where = geo === null ? 'a place to come out at (geo, or proxies.regions)' : `a proxy of region "${geo}"`
  return faultOf('PROXY_FAILED', `${withoutCredentials(task.url)}: there is no proxy for it; it needs ${where}`)
}
