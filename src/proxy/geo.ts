import type { Task } from '../core/task.ts'
import type { GeoRule } from '../job/job.ts'

/** Where a task wants to come out: as its seed says, or else as the job does. Null: anywhere. */
export function geoOf({ geo, url, page }: Pick<Task, 'geo' | 'url' | 'page'>, rule: GeoRule | null): string | null {
  if (geo !== null || rule === null) return geo
  if (typeof rule === 'string') return rule
  if (typeof rule === 'function') return rule(url, page)
  return Object.hasOwn(rule, page) ? (rule[page] ?? null) : null
}
