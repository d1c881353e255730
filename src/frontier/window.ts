import { MillraceError, toFault } from '../core/errors.ts'
import type { Fate } from '../core/fate.ts'
import type { Task } from '../core/task.ts'
import type { HostKey } from '../core/url.ts'
import type { HostLanes } from './lanes.ts'
import type { Shelf, StoreBatch } from './stores/store.ts'

/**
 * Which undone tasks are in memory. A host has a window of its next tasks there; the rest is on the shelf, which is the
 * store, and comes back as the window runs low. So a queue of millions costs disk and no heap, and a host with millions
 * of tasks leaves room for all others.
 *
 * Only what the store was handed can be left to it. A task therefore begins in memory, unless its host has tasks on the
 * shelf that go first, and goes to the shelf with the commit that tells the store of it. The store cannot tell which of
 * its undone tasks are in memory, or done and not yet committed: what comes back is compared with the rows held here.
 */
export interface Window {
  /** Undone tasks that are on the shelf alone. */
  readonly shelved: number
  /** A new task: true to queue it, false to leave it to the store. */
  keeps(task: Task): boolean
  /** A task goes on, at another URL or with its ledgers charged: the store does not know until commit `sequence`. */
  changed(task: Task, sequence: number): void
  /** One was taken of the due tasks of a host. */
  taken(host: HostKey): void
  /** In the same synchronous step in which the commit of these changes was asked of the store. */
  handedOver(batch: Pick<StoreBatch, 'fates' | 'links'> & { readonly sequence: number }): void
  /** Tasks that an earlier process left, all of them on the shelf. */
  restore(left: ReadonlyMap<HostKey, number>): void
  /** @throws what went wrong when the shelf was asked */
  mustBeWhole(): void
}

export interface WindowOptions {
  readonly shelf: Shelf
  readonly lanes: Pick<HostLanes, 'sizeOf' | 'lowestPriorityOf' | 'trim'>
  /** Takes tasks that came back from the shelf. */
  readonly onLoaded: (tasks: readonly Task[]) => void
  /** Tasks are wanted that no commit has told the store of. */
  readonly onUncommitted: () => void
  readonly size: WindowSize
}

/** How many due tasks are held of one host, and about how many of all hosts together. */
export interface WindowSize {
  readonly perHost: number
  readonly total: number
}

/** A task takes some 500 bytes. */
export const defaultWindow: WindowSize = { perHost: 1_000, total: 20_000 }
/** Every host has a few at hand, however many hosts there are. */
const leastPerHost = 8
const hostsAtOnce = 256
/** A commit that is asked for brings every task that was put before; one may have been on its way already. */
const mostHopes = 3

interface HostShare {
  shelved: number
  /** Tasks of it in memory, those taken and those that are done and not yet committed among them. */
  held: number
}

/** For stores that hold nothing: every task stays. */
export const everything: Window = {
  shelved: 0,
  keeps: () => true,
  changed() {},
  taken() {},
  handedOver() {},
  restore() {},
  mustBeWhole() {},
}

const isOver = ({ kind }: Fate): boolean => kind === 'done' || kind === 'dead' || kind === 'skipped'

function rowOf({ row, url }: Task): number {
  if (row === undefined) throw new MillraceError('INVARIANT', `${url} has no row, and its store has a shelf`)
  return row
}

export function createWindow({ shelf, lanes, onLoaded, onUncommitted, size }: WindowOptions): Window {
  const shares = new Map<HostKey, HostShare>()
  const held = new Map<number, HostKey>()
  /** Rows whose change the store does not know, by the commit that will tell it. */
  const changes = new Map<number, number>()
  /** Rows that ceased to be held while the shelf was being read: what it gives may be older than that. */
  const released = new Set<number>()
  const wanted = new Set<HostKey>()
  /** Wanted, and the shelf had nothing: a commit brings them. How often that was hoped for in vain. */
  const uncommitted = new Map<HostKey, number>()
  let shelved = 0
  let lastRow = 0
  let isLoading = false
  let failure: MillraceError | null = null

  const perHost = (): number =>
    Math.max(leastPerHost, Math.min(size.perHost, Math.floor(size.total / Math.max(1, shares.size))))

  function shareOf(host: HostKey): HostShare {
    const known = shares.get(host)
    if (known !== undefined) return known
    const share = { shelved: 0, held: 0 }
    shares.set(host, share)
    return share
  }

  function putOnShelf(host: HostKey, count: number): void {
    shareOf(host).shelved += count
    shelved += count
  }

  function hold(row: number, host: HostKey): void {
    release(row)
    held.set(row, host)
    shareOf(host).held += 1
  }

  function release(row: number): void {
    const host = held.get(row)
    const share = host === undefined ? undefined : shares.get(host)
    if (host === undefined || share === undefined) return
    held.delete(row)
    if (isLoading) released.add(row)
    share.held -= 1
    if (share.held === 0 && share.shelved === 0) shares.delete(host)
  }

  function want(host: HostKey): void {
    wanted.add(host)
    if (!isLoading) void load()
  }

  function wantIfLow(host: HostKey): void {
    if (shelved === 0 || (shares.get(host)?.shelved ?? 0) === 0) return
    if (lanes.sizeOf(host) < perHost() / 2) want(host)
  }

  async function load(): Promise<void> {
    isLoading = true
    try {
      while (wanted.size > 0) {
        const hosts = [...wanted].slice(0, hostsAtOnce)
        for (const host of hosts) wanted.delete(host)
        const most = perHost()
        const answer = await shelf.first(hosts.map(host => ({ host, max: most + shareOf(host).held })))
        const fresh = answer.filter(task => !held.has(rowOf(task)) && !released.has(rowOf(task)))
        released.clear()
        take(fresh)
        const found = new Set(fresh.map(({ host }) => host))
        for (const host of hosts) if (!found.has(host)) waitForCommit(host)
      }
    } catch (thrown) {
      const { code, message } = toFault(thrown, 'STORE_FAILED')
      failure = new MillraceError(code, message, { cause: thrown })
      onLoaded([])
    } finally {
      isLoading = false
    }
  }

  function take(tasks: readonly Task[]): void {
    for (const task of tasks) {
      uncommitted.delete(task.host)
      hold(rowOf(task), task.host)
      shareOf(task.host).shelved -= 1
    }
    shelved -= tasks.length
    onLoaded(tasks)
  }

  function waitForCommit(host: HostKey): void {
    const left = shares.get(host)?.shelved ?? 0
    if (left === 0) return
    const times = (uncommitted.get(host) ?? 0) + 1
    if (times > mostHopes)
      throw new MillraceError('INVARIANT', `${left} tasks of ${host} are said to be in the store, and are not`)
    uncommitted.set(host, times)
    onUncommitted()
  }

  return {
    get shelved() {
      return shelved
    },
    keeps(task) {
      const share = shareOf(task.host)
      if (share.shelved > 0 && task.priority <= lanes.lowestPriorityOf(task.host)) {
        putOnShelf(task.host, 1)
        wantIfLow(task.host)
        return false
      }
      hold(rowOf(task), task.host)
      return true
    },
    changed(task, sequence) {
      const row = rowOf(task)
      changes.set(row, sequence)
      hold(row, task.host)
    },
    taken: wantIfLow,
    handedOver({ fates, links, sequence }) {
      const hosts = new Set(uncommitted.keys())
      for (const link of links) {
        lastRow = Math.max(lastRow, rowOf(link))
        hosts.add(link.host)
      }
      for (const { task, fate } of fates) {
        const row = rowOf(task)
        if ((changes.get(row) ?? Number.POSITIVE_INFINITY) <= sequence) changes.delete(row)
        if (isOver(fate)) release(row)
      }
      const most = perHost()
      for (const host of hosts) {
        const gone = lanes.trim(host, most, task => {
          const row = rowOf(task)
          if (row > lastRow || changes.has(row)) return false
          release(row)
          return true
        })
        if (gone > 0) putOnShelf(host, gone)
        wantIfLow(host)
      }
    },
    restore(left) {
      for (const [host, count] of left) {
        putOnShelf(host, count)
        want(host)
      }
    },
    mustBeWhole() {
      if (failure !== null) throw failure
    },
  }
}
