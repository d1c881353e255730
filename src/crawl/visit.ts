import { errorTraits, MillraceError } from '../core/errors.ts'
import type { Fate } from '../core/fate.ts'
import { isBlock, isStopped, type Outcome, readingOf, timingOf } from '../core/outcome.ts'
import type { Page } from '../core/page.ts'
import { isSourcePage, type Task } from '../core/task.ts'
import { hostKey, withoutCredentials } from '../core/url.ts'
import type { BlockSign, ParseReply, ParseTimes } from '../core/wire.ts'
import { fateOf, withCharge } from '../pace/retry.ts'
import { withinBudget } from '../pace/retry-budget.ts'
import type { Judgement, ProxyLease } from '../proxy/lease.ts'
import { linkCountOf } from '../stage/link-packs.ts'
import type { Admitted } from './admit.ts'
import type { House } from './house.ts'
import { redirectOf } from './redirect.ts'
import { settle } from './settle.ts'
import { settleFaulted } from './settle-faulted.ts'
import { settleRead } from './settle-read.ts'

/**
 * One URL from its grants to its fate, top to bottom; it settles last. The permit goes back as soon as the network
 * part is over, the slot when all is committed: a slow parser or sink closes admission by itself. (Hence every `return
 * await`: a promise that is merely returned would let go of the slot at once.) A robots file has no fate, nor has what was
 * withdrawn before anything was asked.
 */
export async function visit(house: House, admitted: Admitted, signal: AbortSignal): Promise<Fate | null> {
  const { task } = admitted
  using grants = admitted.grants
  const attempt = await fetchWith(house, admitted, signal)
  if (attempt === null) return withdraw(house, task)
  const { outcome } = attempt
  grants.place[Symbol.dispose]()
  if (outcome.kind !== 'page') grants.backlog[Symbol.dispose]()
  if (house.robots.isRobotsTask(task)) return learnRobots(house, task, attempt)
  if (outcome.kind === 'moved')
    return await settle(house, task, redirectOf(task, outcome, house.routes, house.redirects.max))
  if (outcome.kind !== 'page') return await settle(house, task, fateAfter(house, task, attempt))
  const copy = house.suspects.copyOf(outcome.page)
  const answeredAtMs = house.clock.nowMs()
  const reply = await parsePage(house, outcome.page, signal)
  grants.backlog[Symbol.dispose]()
  if (reply.kind === 'faulted') return await settleFaulted(house, outcome.page, copy, reply)
  if (reply.blocked !== undefined) {
    house.recall?.forget(task)
    const judged = unmask(house, admitted, outcome, reply.blocked, answeredAtMs)
    return await settle(house, task, fateOfBlocked(house, admitted, judged), 'parse')
  }
  return await settleRead(house, task, outcome.page, reply)
}

/** As if it had never been admitted: it keeps its turn, and goes through the gates once they are open again. */
function withdraw({ errands, frontier, robots, events }: House, task: Task): null {
  events.emit('task.withdrawn', () => ({ task }))
  if (robots.isRobotsTask(task)) errands.add(task)
  else frontier.putBack(task)
  return null
}

/** A page that came is none, by what it says. */
function unmask(
  { events }: House,
  { task, lease, permit }: Admitted,
  outcome: Outcome,
  sign: BlockSign,
  answeredAtMs: number,
): Judgement {
  const judged = lease.unmask(outcome, sign)
  const code = isBlock(judged.outcome) ? 'BLOCKED' : 'PROXY_FAILED'
  // A lie of the proxy says nothing of the host.
  if (code === 'BLOCKED') permit.unmask()
  events.emit('page.unmasked', () => ({ task, code, answeredAtMs }))
  return judged
}

/**
 * What cost nobody anything goes behind the other pages of its host. As the first it would be the next probe of the
 * proxies as well, and one that no proxy brings would make them seem down to all the others.
 */
const othersFirstMs = 1

/** An attempt that brought no page: the ledgers of its URL say what they pay, the budget of its host whether it may. */
function fateAfter({ retries, clock, random, hosts }: House, task: Task, { outcome, isFree }: Judgement): Fate {
  const nowMs = clock.nowMs()
  if (isFree) return becauseOf(outcome, { kind: 'retry', notBeforeMs: nowMs + othersFirstMs, charge: 'none' })
  const fate = fateOf(task, outcome, retries, nowMs, random)
  return becauseOf(
    outcome,
    withinBudget(fate, outcome, nowMs, () => hosts.takeRetry(task.host)),
  )
}

/** What the log says of each attempt: only that of the last one is kept with its URL. */
function becauseOf(outcome: Outcome, fate: Fate): Fate {
  if (fate.kind !== 'retry') return fate
  if (outcome.kind === 'throttled') return { ...fate, cause: { code: 'THROTTLED', status: outcome.status } }
  if (outcome.kind !== 'failed') return fate
  return { ...fate, cause: { code: outcome.fault.code, status: outcome.status } }
}

/** Without proxies there is no other way to ask the same. */
const fateOfBlocked = (house: House, { task, lease }: Admitted, judged: Judgement): Fate => {
  const { outcome } = judged
  if (lease.route !== null || outcome.kind !== 'failed') return fateAfter(house, task, judged)
  return { kind: 'dead', fault: outcome.fault, status: outcome.status }
}

/** The end of a robots file: its host's pages may go now, unless it must be asked for again. */
function learnRobots(house: House, task: Task, attempt: Judgement): null {
  const { robots, clock, errands, frontier, space, proxies } = house
  const { outcome } = attempt
  // All pages of the host wait for it, those that go another way among them: any way will do.
  const anywhere = { ...task, geo: null }
  const next = proxies.faultOf(anywhere) === null ? anywhere : task
  if (outcome.kind === 'failed' && errorTraits[outcome.fault.code].retry === 'elsewhere') {
    // It says nothing of the file.
    const fate = fateAfter(house, task, attempt)
    if (fate.kind === 'retry') {
      errands.add(withCharge(next, fate, clock.nowMs()))
      return null
    }
  }
  const again = robots.learn(outcome.kind === 'moved' ? task : next, outcome, clock.nowMs())
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

/** Null: nothing was asked of its host, which was closed meanwhile; its grants go back with nothing learnt. */
async function fetchWith(house: House, admitted: Admitted, signal: AbortSignal): Promise<Judgement | null> {
  const { task, grants, permit } = admitted
  using held = permit
  using lease: ProxyLease = admitted.lease
  using stall = house.stalls.begin()
  const { depart, sent } = permit
  const { grow } = grants.slot
  const expect = (bytes: number): void => grants.slot.expect(bytes, !isSourcePage(task.page))
  // As a rule it is small or not there, which says nothing of pages: those of many hosts come before any page does.
  if (house.robots.isRobotsTask(task)) expect(0)
  const request = { task, route: lease.route, grow, expect, depart, sent }
  const fetched = await house.fetch(request, signal)
  if (held.isWithdrawn && isStopped(fetched)) return null
  // Nobody stopped this run: the transport it was given is closed, and asking again would go on for ever.
  if (isStopped(fetched) && !signal.aborted)
    throw new MillraceError('ABORTED', `the transport was closed while ${withoutCredentials(task.url)} was fetched`)
  const judgement = lease.settle(fetched)
  const { outcome } = judgement
  if (outcome.kind === 'page') {
    house.spending.took(outcome.page.body.byteLength)
    expect(outcome.page.body.byteLength)
  }
  const reading = readingOf(outcome, stall.hasStalled(), lease.route?.region)
  // Often a file that lies ready: it says nothing of how long a page takes.
  held.settle(house.robots.isRobotsTask(task) && outcome.kind === 'page' ? { ...reading, pageless: true } : reading)
  house.events.emit('task.fetched', () => ({
    task,
    outcome: outcome.kind,
    code: outcome.kind === 'failed' ? outcome.fault.code : null,
    status: outcome.kind === 'page' ? outcome.page.status : outcome.status,
    timing: timingOf(outcome),
    bodyBytes: outcome.kind === 'page' ? outcome.page.body.byteLength : 0,
    heldMs: house.clock.nowMs() - held.grantedMs,
  }))
  return judgement
}

const noTimes: ParseTimes = { decodeMs: 0, serialiseMs: 0 }

export async function parsePage(house: House, page: Page, signal: AbortSignal): Promise<ParseReply> {
  const { task, headers } = page
  const bodyBytes = page.body.byteLength
  const startMs = house.clock.nowMs()
  house.events.emit('page.handed', () => ({ task }))
  const reply = await house.parser.parse(
    {
      body: page.body,
      contentCoding: headers['content-encoding'] ?? '',
      contentType: headers['content-type'] ?? '',
      askedUrl: task.askedUrl,
      finalUrl: task.url,
      page: task.page,
      depth: task.depth,
      fetchedAt: page.cameAt ?? house.clock.wallIso(),
      want: house.outlet.want,
      meta: task.meta,
      ...(house.wantsHeaders(task.page) && { status: page.status, headers, timing: page.timing }),
    },
    signal,
  )
  if (reply.kind === 'parsed') house.suspects.cleared(task)
  if (reply.record !== undefined) house.outlet.archive?.(task, reply.record)
  house.events.emit('page.parsed', () => ({
    task,
    code: reply.kind === 'faulted' ? reply.fault.code : null,
    bodyBytes,
    decodedBytes: reply.kind === 'parsed' ? reply.decodedBytes : 0,
    items: reply.kind === 'parsed' ? reply.itemCount : 0,
    links: linkCountOf({ ...reply, links: reply.links ?? [] }),
    parseMs: house.clock.nowMs() - startMs,
    queuedMs: reply.queuedMs ?? 0,
    cpuMs: reply.cpuMs,
    parts: reply.times ?? noTimes,
    engine: reply.kind === 'parsed' ? reply.engine : null,
    audit: reply.audit ?? null,
    brokenBlocks: reply.kind === 'parsed' ? (reply.brokenBlocks ?? 0) : 0,
    ...(reply.kind === 'parsed' && reply.refused && { refused: reply.refused.length }),
    ...(reply.filled !== undefined && { filled: reply.filled }),
    ...(reply.unrouted && { unrouted: reply.unrouted }),
  }))
  return reply
}
