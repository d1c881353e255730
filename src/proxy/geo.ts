import { type Fault, faultOf } from '../core/errors.ts'
import { robotsPage, type Task } from '../core/task.ts'
import { withoutCredentials } from '../core/url.ts'
import type { GeoRule } from '../job/job.ts'

/** Where a task wants to come out. Null: anywhere. */
export type GeoOf = (task: Task) => string | null

/**
 * As the seed of a task says, or else as the job does. A function is asked once for each try of a task: its answer is
 * needed at each step of an admission, which would come to nothing if it changed meanwhile. It knows pages, and no robots
 * files: where none asks for a place in whose stead one is fetched, any will do.
 */
export function createGeoOf(rule: GeoRule | null): GeoOf {
  const told = new WeakMap<Task, string | null>()

  function tellOnce(rule: GeoRule & ((url: string, page: string) => string | null), task: Task): string | null {
    const known = told.get(task)
    if (known !== undefined) return known
    const geo = rule(task.url, task.page) ?? null
    told.set(task, geo)
    return geo
  }

  return task => {
    const { geo, page } = task
    if (geo !== null || rule === null) return geo
    if (typeof rule === 'string') return rule
    if (typeof rule === 'function') return page === robotsPage ? null : tellOnce(rule, task)
    return Object.hasOwn(rule, page) ? (rule[page] ?? null) : null
  }
}

/** Why a task ends that wants to come out where no proxy of the list does. */
export function noWayFault(task: Task, geo: string | null): Fault {
  const where = geo === null ? 'a place to come out at (geo, or proxies.regions)' : `a proxy of region "${geo}"`
  return faultOf('PROXY_FAILED', `${withoutCredentials(task.url)}: there is no proxy for it; it needs ${where}`)
}
