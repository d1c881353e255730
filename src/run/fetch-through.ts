import type { Clock } from '../core/clock.ts'
import { errorTraits, MillraceError } from '../core/errors.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Task } from '../core/task.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import type { Proxies } from '../proxy/lease.ts'

const never = new AbortController().signal

/**
 * One URL outside of a run, the way that its job goes: through a proxy where it has any, and through another one where
 * that fails.
 * @param tries after the first
 * @throws PROXY_FAILED no proxy could take it
 */
export async function fetchThrough(
  fetch: Fetcher,
  proxies: Proxies,
  task: Task,
  tries: number,
  clock: Clock,
): Promise<Outcome> {
  const fault = proxies.faultOf(task)
  if (fault !== null) throw new MillraceError(fault.code, fault.message)
  for (let left = tries; ; left -= 1) {
    using lease = proxies.acquire(task)
    const { outcome } = lease.settle(await fetch({ task, route: lease.route, grow: () => {} }, never))
    const isElsewhere = outcome.kind === 'failed' && errorTraits[outcome.fault.code].retry === 'elsewhere'
    if (!isElsewhere || left <= 0 || proxies.readyForMs(task) > clock.nowMs()) return outcome
  }
}
