import type { Fate } from '../core/fate.ts'
import { type Outcome, readingOf, timingOf } from '../core/outcome.ts'
import type { Page } from '../core/page.ts'
import { noAttempts, type Task, taskId } from '../core/task.ts'
import { hostKey } from '../core/url.ts'
import type { Link, ParseReply } from '../core/wire.ts'
import { fateOf } from '../pace/retry.ts'
import type { Admitted } from './admit.ts'
import type { House } from './house.ts'
import { redirectOf } from './redirect.ts'

/**
 * One URL from its grants to its fate, top to bottom; it settles last. The permit goes back as soon as the network
 * part is over, the slot when all is committed: a slow parser or sink closes admission by itself. A robots file has
 * no fate.
 */
export async function visit(house: House, admitted: Admitted, signal: AbortSignal): Promise<Fate | null> {
  const { task } = admitted
  using grants = admitted.grants
  const outcome = await fetchWith(house, admitted, signal)
  grants.place[Symbol.dispose]()
  if (house.robots.isRobotsTask(task)) return learnRobots(house, task, outcome)
  if (outcome.kind === 'moved')
    return settle(house, task, redirectOf(task, outcome.url, house.routes, house.maxRedirects))
  if (outcome.kind !== 'page')
    return settle(house, task, fateOf(task, outcome, house.retries, house.clock.nowMs(), house.random))
  const reply = await parsePage(house, outcome.page, signal)
  if (reply.kind === 'faulted')
    return settle(house, task, { kind: 'dead', fault: reply.fault, status: outcome.page.status })
  house.frontier.add(reply.links.map(link => followed(task, link)))
  await house.outlet.page(task, outcome.page, reply)
  return settle(house, task, { kind: 'done' })
}

/** The end of a robots file: its host's pages may go now, unless it must be asked for again. */
function learnRobots({ robots, clock, errands, frontier, space }: House, task: Task, outcome: Outcome): null {
  const again = robots.learn(task, outcome, clock.nowMs())
  if (again !== null) {
    errands.add(again)
    return null
  }
  // A redirect may have led elsewhere: the host that waits is the one whose file was asked for.
  const host = hostKey(new URL(task.askedUrl))
  space(host, robots.crawlDelayMs(host))
  frontier.wake(host)
  return null
}

async function fetchWith(house: House, { task, permit, grants }: Admitted, signal: AbortSignal): Promise<Outcome> {
  using held = permit
  const request = { task, proxy: null, grow: (bytes: number) => grants.slot.grow(bytes) }
  const outcome = await house.fetch(request, signal)
  held.settle(readingOf(outcome, house.stalledSince(held.grantedMs)))
  house.events.emit('task.fetched', () => ({
    task,
    outcome: outcome.kind,
    code: outcome.kind === 'failed' ? outcome.fault.code : null,
    status: outcome.kind === 'page' ? outcome.page.status : outcome.status,
    timing: timingOf(outcome),
    bodyBytes: outcome.kind === 'page' ? outcome.page.body.byteLength : 0,
  }))
  return outcome
}

async function parsePage(house: House, page: Page, signal: AbortSignal): Promise<ParseReply> {
  const { task, headers } = page
  const bodyBytes = page.body.byteLength
  const startMs = house.clock.nowMs()
  const reply = await house.parser.parse(
    {
      body: page.body,
      contentCoding: headers['content-encoding'] ?? '',
      contentType: headers['content-type'] ?? '',
      askedUrl: task.askedUrl,
      finalUrl: task.url,
      page: task.page,
      depth: task.depth,
      fetchedAt: house.clock.wallIso(),
      want: house.outlet.want,
    },
    signal,
  )
  house.events.emit('page.parsed', () => ({
    task,
    bodyBytes,
    decodedBytes: reply.kind === 'parsed' ? reply.decodedBytes : 0,
    items: reply.kind === 'parsed' ? reply.itemCount : 0,
    links: reply.kind === 'parsed' ? reply.links.length : 0,
    parseMs: house.clock.nowMs() - startMs,
    cpuMs: reply.cpuMs,
    engine: reply.kind === 'parsed' ? reply.engine : null,
  }))
  return reply
}

const followed = (parent: Task, link: Link): Task => ({
  id: taskId(link.key, parent.session),
  url: link.url,
  askedUrl: link.url,
  host: hostKey(new URL(link.url)),
  page: link.page,
  depth: parent.depth + 1,
  hops: [],
  session: parent.session,
  attempts: noAttempts,
  waitedMs: 0,
  notBeforeMs: 0,
})

/** Tells the outlet first and the ledger last: a URL is ended only once what came of it is handed over. */
export async function settle(house: House, task: Task, wanted: Fate): Promise<Fate> {
  if (wanted.kind === 'dead') await house.outlet.dead(task, wanted.fault, wanted.status)
  const fate = house.frontier.settle(task, wanted)
  house.events.emit('task.settled', () => ({ task, fate }))
  if (fate.kind === 'skipped') await house.outlet.skipped(task, fate.reason)
  return fate
}
