import type { Page } from '../core/page.ts'
import { isSitemapPage, newTask, type Reach, type Task, taskId } from '../core/task.ts'
import type { Link } from '../core/wire.ts'
import { type PackedLinks, slicesOf } from '../stage/link-packs.ts'
import type { House } from './house.ts'
import { bury } from './settle.ts'

/** What a sitemap names is a seed; sitemaps that name sitemaps count how deep they are. */
const depthOf = (parent: Task, { page }: Link): number =>
  isSitemapPage(parent.page) && !isSitemapPage(page) ? 0 : parent.depth + 1

function followed(parent: Task, link: Link, reach: Reach): Task {
  const { session, geo, meta } = parent
  const { key, url, page, priority = 0 } = link
  return newTask(taskId(key, session), new URL(url), page, {
    depth: depthOf(parent, link),
    session,
    geo,
    meta,
    reach,
    priority,
  })
}

/** Others get their turn: sockets, timers, and the commit of what has come so far. */
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * Queues some links of a page; what waits until those are kept that are traps. Most links lead to pages that are known:
 * only the others are made into tasks.
 */
function addSlice(
  house: House,
  { task: parent, reach }: Page,
  links: readonly Link[],
  leftOut: string | null,
): Promise<void>[] {
  const { frontier, traps } = house
  // What a site lists on purpose is no trap.
  const watched = isSitemapPage(parent.page) ? null : traps
  const fresh: Task[] = []
  const trapped: Task[] = []
  for (const link of links) {
    if (link.key === leftOut || frontier.has(taskId(link.key, parent.session))) continue
    const task = followed(parent, link, reach)
    if (watched === null || watched.judge(new URL(link.url)) === null) fresh.push(task)
    else trapped.push(task)
  }
  if (fresh.length > 0) frontier.add(fresh)
  return trapped.map(task => bury(house, task, { kind: 'skipped', reason: 'trap' }))
}

/**
 * Queues the links of a page, in the synchronous step in which it is called. Only a page that has very many goes on in
 * slices, since it must not hold this thread: some of its links may be kept before its fate is. That is safe, as they are
 * known when the page comes again.
 * @param leftOut the key of one that is not followed
 * @param then runs in the same synchronous step as the last of them
 */
export async function addLinks<T>(
  house: House,
  page: Page,
  links: PackedLinks,
  leftOut: string | null,
  then: () => Promise<T>,
): Promise<T> {
  const waits: Promise<void>[] = []
  const slices = slicesOf(links)
  let slice = slices.next()
  while (slice.done !== true) {
    for (const wait of addSlice(house, page, slice.value, leftOut)) {
      // Heard of below; until then nobody listens.
      wait.catch(() => {})
      waits.push(wait)
    }
    slice = slices.next()
    if (slice.done !== true) await turn()
  }
  const [result] = await Promise.all([then(), ...waits])
  return result
}
