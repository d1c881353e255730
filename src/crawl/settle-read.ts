import type { Fate } from '../core/fate.ts'
import type { Page } from '../core/page.ts'
import { newTask, type Task, taskId } from '../core/task.ts'
import { addLinks } from './add-links.ts'
import type { House } from './house.ts'
import type { Yield } from './outlet.ts'
import { redirectOf } from './redirect.ts'
import { bury, settle } from './settle.ts'

/** The end of a page that was read: what it says of itself decides whether it counts. */
export async function settleRead(house: House, task: Task, page: Page, reply: Yield['reply']): Promise<Fate> {
  const { routes, redirects, contents, traps } = house
  const { status, reach } = page
  if (reply.refresh !== undefined)
    return await settle(house, task, redirectOf(task, { url: reply.refresh, reach }, routes, redirects.max))
  const canonical = canonicalOf(house, task, reply)
  if (canonical !== null && house.canonical === 'follow') {
    const fate = redirectOf(task, { url: canonical.url, reach }, routes, redirects.max)
    // A canonical URL that leads too far is no reason to lose the page.
    if (fate.kind === 'moved') return await drop(house, task, reply, fate)
  }
  if (reply.content !== undefined && contents?.add(`${task.page} ${taskId(reply.content, task.session)}`) === false)
    return await drop(house, task, reply, { kind: 'skipped', reason: 'same-content' })
  if (reply.row !== undefined) traps?.read(new URL(task.url), reply.row)
  const claimed = canonical !== null && house.canonical === 'use' ? canonical : null
  return await addLinks(house, page, reply, claimed?.key ?? null, async () => {
    if (reply.noindex === true) return await drop(house, task, reply, { kind: 'skipped', reason: 'noindex' })
    if (claimed === null) return await settle(house, task, { kind: 'done' }, 'parse', { status, reply })
    if (house.frontier.has(claimed.id)) return await drop(house, task, reply, { kind: 'skipped', reason: 'canonical' })
    // Read here, so it is not asked for when a link leads to it.
    const { session } = task
    const read = newTask(claimed.id, new URL(claimed.url), task.page, { depth: task.depth, session, reach })
    const kept = bury(house, read, { kind: 'skipped', reason: 'canonical' })
    const [fate] = await Promise.all([settle(house, task, { kind: 'done' }, 'parse', { status, reply }), kept])
    return fate
  })
}

/** The end of a page that was read and does not count. */
function drop(house: House, task: Task, { itemCount }: Yield['reply'], fate: Fate): Promise<Fate> {
  house.events.emit('page.dropped', () => ({ task, items: itemCount }))
  return settle(house, task, fate, 'parse')
}

/** The URL that a page names as its own, where it is another one than those that led to it. */
function canonicalOf(
  { canonical: mode }: House,
  task: Task,
  { canonical }: Yield['reply'],
): { readonly url: string; readonly key: string; readonly id: string } | null {
  if (canonical === undefined || mode === 'ignore') return null
  const id = taskId(canonical.key, task.session)
  return id === task.id || task.hops.includes(id) ? null : { ...canonical, id }
}
