import { MillraceError } from '../core/errors.ts'
import type { Fate } from '../core/fate.ts'
import { type Outcome, readingOf, timingOf } from '../core/outcome.ts'
import type { Page } from '../core/page.ts'
import { newTask, type Reach, type Task, taskId } from '../core/task.ts'
import { hostKey, withoutCredentials } from '../core/url.ts'
import type { Link, ParseReply } from '../core/wire.ts'
import { fateOf } from '../pace/retry.ts'
import { withinBudget } from '../pace/retry-budget.ts'
import type { Admitted } from './admit.ts'
import type { House } from './house.ts'
import type { EndedIn, Yield } from './outlet.ts'
import { redirectOf } from './redirect.ts'

/**
 * One URL from its grants to its fate, top to bottom; it settles last. The permit goes back as soon as the network
 * part is over, the slot when all is committed: a slow parser or sink closes admission by itself. (Hence every `return
 * await`: a promise that is merely returned would let go of the slot at once.) A robots file has no fate.
 */
export async function visit(house: House, admitted: Admitted, signal: AbortSignal): Promise<Fate | null> {
  const { task } = admitted
  using grants = admitted.grants
  const outcome = await fetchWith(house, admitted, signal)
  grants.place[Symbol.dispose]()
  if (house.robots.isRobotsTask(task)) return learnRobots(house, task, outcome)
  if (outcome.kind === 'moved')
    return await settle(house, task, redirectOf(task, outcome, house.routes, house.redirects.max))
  if (outcome.kind !== 'page') return await settle(house, task, fateAfter(house, task, outcome))
  const { status, reach } = outcome.page
  const copy = house.suspects.copyOf(outcome.page)
  const reply = await parsePage(house, outcome.page, signal)
  if (reply.kind === 'faulted')
    return await settle(house, task, await house.suspects.fateAfter(outcome.page, copy, reply.fault), 'parse')
  if (reply.refresh !== undefined)
    return await settle(house, task, redirectOf(task, { url: reply.refresh, reach }, house.routes, house.redirects.max))
  addLinks(house, outcome.page, reply.links)
  return await settle(house, task, { kind: 'done' }, 'parse', { status, reply })
}

/** An attempt that brought no page: the ledgers of its URL say what they pay, the budget of its host whether it may. */
function fateAfter({ retries, clock, random, hosts }: House, task: Task, outcome: Outcome): Fate {
  const nowMs = clock.nowMs()
  const fate = fateOf(task, outcome, retries, nowMs, random)
  return withinBudget(fate, outcome, nowMs, () => hosts.takeRetry(task.host))
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
  // Nobody stopped this run: the transport it was given is closed, and asking again would go on for ever.
  if (outcome.kind === 'failed' && outcome.fault.code === 'ABORTED' && !signal.aborted)
    throw new MillraceError('ABORTED', `the transport was closed while ${withoutCredentials(task.url)} was fetched`)
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
      ...(house.wantsHeaders(task.page) && { status: page.status, headers }),
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
    queuedMs: reply.queuedMs ?? 0,
    cpuMs: reply.cpuMs,
    engine: reply.kind === 'parsed' ? reply.engine : null,
  }))
  return reply
}

const followed = ({ depth, session, geo, meta }: Task, { key, url, page }: Link, reach: Reach): Task =>
  newTask(taskId(key, session), new URL(url), page, { depth: depth + 1, session, geo, meta, reach })

/** Most links lead to pages that are known: only the others are made into tasks. */
function addLinks({ frontier }: House, { task: parent, reach }: Page, links: readonly Link[]): void {
  const fresh = links.filter(({ key }) => !frontier.has(taskId(key, parent.session)))
  if (fresh.length > 0) frontier.add(fresh.map(link => followed(parent, link, reach)))
}

/**
 * The end of a visit. The links of a page, its lines and its fate are handed over in one synchronous step, so that
 * they are kept together or not at all; then it waits until they are.
 */
export async function settle(
  house: House,
  task: Task,
  wanted: Fate,
  stage: EndedIn = 'fetch',
  page: Yield | null = null,
): Promise<Fate> {
  const fate = house.frontier.settle(task, wanted)
  const kept = fate.kind === 'retry' || fate.kind === 'moved' ? null : house.outlet.take(task, fate, stage, page)
  house.events.emit('task.settled', () => ({ task, fate }))
  await kept
  return fate
}
