import { onAbort } from '../core/abort.ts'
import type { Fault } from '../core/errors.ts'
import type { Fate, SkipReason } from '../core/fate.ts'
import { isSourcePage, type Task } from '../core/task.ts'
import type { HostKey } from '../core/url.ts'
import { createWakeup, type Wakeup } from '../core/wakeup.ts'
import { type Admitted, admit, type Step } from './admit.ts'
import type { House } from './house.ts'
import { recall } from './recall.ts'
import { bury, settle } from './settle.ts'
import { visit } from './visit.ts'
import { createWaits } from './waits.ts'

export interface Stop {
  /** Admission ends; what is under way is finished. */
  readonly drain: AbortController
  /** What is under way is cut, and its tasks go back uncounted. */
  readonly cut: AbortController
}

/** Reads seeds until they end or the signal aborts; one with a fault ends at once. */
export type SeedSource = (signal: AbortSignal) => AsyncIterable<{ readonly task: Task; readonly fault: Fault | null }>

/** Long enough for timers and sockets to have their turn. */
const turnMs = 1

/** Why a page that was read may not count for the output; it was asked for all the same. */
const readSkips: readonly SkipReason[] = ['noindex', 'canonical', 'same-content']

const isSpent = ({ page }: Task, fate: Fate | null): boolean =>
  !isSourcePage(page) && (fate?.kind === 'done' || (fate?.kind === 'skipped' && readSkips.includes(fate.reason)))

/**
 * Admits until nothing is pending, visits what was admitted, and throws what no page could be blamed for.
 * @returns true when every seed was read and every URL has an outcome
 */
export async function crawl(house: House, seeds: SeedSource, stop: Stop): Promise<boolean> {
  const { frontier, wakeup, spending } = house
  const visits = new Set<Promise<void>>()
  const waits = createWaits(house)
  const ended = new AbortController()
  const signal = AbortSignal.any([stop.drain.signal, stop.cut.signal, ended.signal])
  using _ending = onAbort(signal, wakeup.wake)
  let failure: { readonly thrown: unknown } | null = null
  /** Woken when the queue has room for more seeds. */
  const room = createWakeup(house.clock)

  /** The first failure that is nobody's page: the run ends here, and what is under way is cut. */
  function fail(thrown: unknown): void {
    failure ??= { thrown }
    stop.cut.abort(thrown)
  }

  /** @param host whose page it may become; null: it costs no host anything */
  function start(task: Task, host: HostKey | null, work: () => Promise<Fate | null>): void {
    spending.start(host)
    let isPage = false
    house.events.emit('visit.started', () => ({ task }))
    const visiting = work()
      .then(fate => {
        isPage = isSpent(task, fate)
      })
      .catch(thrown => {
        if (!stop.cut.signal.aborted) fail(thrown)
        if (frontier.isLeased(task)) frontier.settle(task, { kind: 'retry', notBeforeMs: 0, charge: 'none' })
      })
      .finally(() => {
        visits.delete(visiting)
        house.events.emit('visit.ended', () => ({ task }))
        if (spending.end(host, isPage) && host !== null) frontier.wake(host)
        wakeup.wake()
        if (frontier.size.queued < mostQueued) room.wake()
      })
    visits.add(visiting)
  }

  function startVisit(admitted: Admitted): void {
    const { task, permit } = admitted
    house.events.emit('task.admitted', () => ({ task, hostInFlight: permit.inFlight }))
    start(task, isSourcePage(task.page) ? null : task.host, () => visit(house, admitted, stop.cut.signal))
  }

  const feeding = feed(house, seeds(signal), room, signal).then(
    () => true,
    thrown => {
      if (!signal.aborted) fail(thrown)
      return false
    },
  )
  while (!signal.aborted && spending.spent === null) {
    const step: Step = spending.hasRoom ? admit(house, waits) : { kind: 'wait', untilMs: Number.POSITIVE_INFINITY }
    if (step.kind === 'done') break
    if (step.kind === 'admitted') startVisit(step)
    else if (step.kind === 'at-hand') start(step.task, null, () => recall(house, step, stop.cut.signal))
    else if (step.kind === 'refused') start(step.task, null, () => refuse(house, step))
    else if (step.kind === 'turn') await house.clock.sleep(turnMs, signal).catch(() => {})
    else await wakeup.sleepUntil(step.untilMs)
  }
  // A run that ends before its seeds do reads no more of them.
  ended.abort()
  const isFed = await feeding
  await Promise.all(visits)
  if (failure !== null) throw (failure as { readonly thrown: unknown }).thrown
  return isFed && frontier.counts.pending === 0
}

/** Ends a task without a request. It holds room for a page meanwhile, so that a reader who is behind is waited for. */
async function refuse(house: House, { task, grants, fate }: Step & { readonly kind: 'refused' }): Promise<Fate> {
  using held = grants
  // It has no body, and nothing is learnt of its host by that.
  held.slot.expect(0, false)
  held.place[Symbol.dispose]()
  held.backlog[Symbol.dispose]()
  return await settle(house, task, fate)
}

/** Seeds that may wait in the queue: a file of millions is read as its URLs are fetched, and never held whole. */
const mostQueued = 50_000

/** While seeds are still being read an empty queue is not the end. */
async function feed(house: House, seeds: ReturnType<SeedSource>, room: Wakeup, signal: AbortSignal): Promise<void> {
  const { frontier } = house
  using _hold = frontier.hold()
  for await (const { task, fault } of seeds) {
    if (fault === null) frontier.add([task])
    else await bury(house, task, { kind: 'dead', fault, status: null })
    while (frontier.size.queued >= mostQueued) await room.sleepUntil(Number.POSITIVE_INFINITY, signal)
  }
}
