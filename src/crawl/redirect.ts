import { faultOf } from '../core/errors.ts'
import type { Fate } from '../core/fate.ts'
import { type Reach, type Task, taskId } from '../core/task.ts'
import { hostKey } from '../core/url.ts'
import type { Routes } from '../scope/routes.ts'

/** Where a redirect leads, and what it may lead to. */
export interface Target {
  /** Absolute and sendable. */
  readonly url: string
  readonly reach: Reach
}

/**
 * A redirect as the next step of the same task: judged by scope, routed to a page rule and sent through the gates
 * like any other URL, never followed inside the transport.
 */
export function redirectOf(task: Task, { url: target, reach }: Target, routes: Routes, maxRedirects: number): Fate {
  const url = new URL(target)
  const id = taskId(routes.keyOf(url), task.session)
  const trail = [...task.hops, task.id]
  // Only the URL as it was sent tells a circle: sites redirect one spelling of a page to another, which has the same
  // key, and back to a page by way of another one.
  if (target === task.url) {
    const place = target === task.askedUrl ? '' : `, at ${target}`
    return dead(`${task.askedUrl} is redirected to itself${place}`)
  }
  if (trail.length > maxRedirects)
    return dead(`${task.askedUrl} is redirected more than ${maxRedirects} times (redirects.max)`)
  if (routes.judge(url, new URL(task.url)) === 'out') return { kind: 'skipped', reason: 'out-of-scope' }
  // A rule that fits any URL was chosen on purpose and stays; one that names its URLs is asked again, so that a
  // product that now leads to a list is not read as a product.
  const page = routes.isMatched(task.page) ? (routes.pageOf(url) ?? task.page) : task.page
  const to = { ...task, id, url: target, host: hostKey(url), page, hops: trail, reach, notBeforeMs: 0 }
  return { kind: 'moved', to }
}

const dead = (message: string): Fate => ({ kind: 'dead', fault: faultOf('REDIRECT_LIMIT', message), status: null })
