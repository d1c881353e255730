import type { Task } from '../core/task.ts'
import { createTimeHeap, type HeapEntry } from '../core/time-heap.ts'
import type { HostKey } from '../core/url.ts'
import type { WaitCause, Waits } from '../core/waits.ts'
import {
  createTaskQueue,
  findOf,
  lowestPriorityOf,
  pushFirstOf,
  pushLastOf,
  type TaskQueue,
  takeFirstOf,
  takeLastOf,
} from './task-queue.ts'

/**
 * The due tasks of every host, by priority and then first in first out, and the turn between hosts: of those that are
 * ready the one with the fewest tasks out, and of equals the one that has waited longest. Where all places of a run are
 * taken this fills them like water: each host gets as many places as the next one or as it can use (max-min fairness;
 * Bertsekas and Gallager, Data Networks, 6.5.2), while a turn for each request would give equal numbers of requests and
 * let slow hosts have most of the places. A host that has what it can work at, as far as its gate can tell, goes after all
 * that have not: what it gets on top stands in its own queue. Where places are left the order changes nothing.
 *
 * A host is ready (its gates are to be asked), or paused until the time its gates named, or blocked until it is woken, or
 * idle: nothing of it is due. So a call costs as much as hosts changed, times the logarithm of how many are ready. A host
 * with nothing due and nothing out leaves no trace.
 */
export interface HostLanes {
  pushLast(task: Task): void
  /** For a task that was taken and is given back. */
  pushFirst(task: Task): void
  /**
   * A task of the next host in turn that is ready, which is out until `end`. Null when no host is.
   * @param waits told what its hosts waited for
   */
  next(nowMs: number, readyAtMs: (host: HostKey) => number, waits?: Waits): Task | null
  /** A task that was taken is no longer out. */
  end(host: HostKey): void
  /** Ready again from wherever it waits; true when that changed anything. */
  wake(host: HostKey): boolean
  /** Due tasks of one host. */
  sizeOf(host: HostKey): number
  /** Of the due task of a host that would go last; Infinity when it has none. */
  lowestPriorityOf(host: HostKey): number
  /** Takes away those that would go last until `keep` are left, without those that must stay; how many went. */
  trim(host: HostKey, keep: number, mayGo: (task: Task) => boolean): number
  /** A due task that passes, of any host; null when none does. Looks at all: for people, not for each page. */
  find(passes: (task: Task) => boolean): Task | null
  /** The earliest time a gate has named; Infinity when none did. Meaningful when `next` has just returned null. */
  readonly nextAtMs: number
  /** Those with due tasks. */
  readonly hosts: number
  readonly queued: number
}

interface Lane {
  readonly host: HostKey
  readonly due: TaskQueue
  out: number
  place: 'ready' | 'paused' | 'blocked' | 'idle'
  /** In the heap of its place, where that has one. */
  entry: HeapEntry<Lane> | null
  /** Where it is ready: after all that have not enough. */
  hasEnough: boolean
  /** What its first task has waited for since then; null: for nothing of its host's. */
  cause: WaitCause | null
  sinceMs: number
  /** When its gates were to be asked again: after that it waits for its turn. */
  readyAtMs: number
}

/** More than there are tasks out of any host: added to them it makes one number, which is all that a heap orders by, of two. */
const enoughOut = 2 ** 32

/**
 * @param clockMs left out: nobody wants to know what hosts wait for
 * @param hasEnough whether a host has all it can work at with so many more; asked of those alone that have tasks out
 */
export function createLanes(
  clockMs: () => number = () => 0,
  hasEnough: (host: HostKey, more: number) => boolean = () => false,
): HostLanes {
  const lanes = new Map<HostKey, Lane>()
  /** By tasks out where the heap says time: fewest first, and equals in order of arrival, is what it is for. */
  const ready = createTimeHeap<Lane>()
  const paused = createTimeHeap<Lane>()
  let queued = 0
  let hosts = 0

  function leave(lane: Lane): void {
    if (lane.entry !== null) (lane.place === 'ready' ? ready : paused).remove(lane.entry)
    lane.entry = null
  }

  /** @param more tasks that have just been taken, and that its gates have not been asked for yet */
  function enterReady(lane: Lane, more = 0): void {
    leave(lane)
    lane.place = 'ready'
    lane.hasEnough = lane.out > 0 && hasEnough(lane.host, more)
    lane.entry = ready.push(lane.hasEnough ? enoughOut + lane.out : lane.out, lane)
  }

  function laneOf(host: HostKey): Lane {
    const known = lanes.get(host)
    if (known !== undefined) return known
    const times = { cause: null, sinceMs: 0, readyAtMs: 0 }
    const lane: Lane = { host, due: createTaskQueue(), out: 0, place: 'idle', entry: null, hasEnough: false, ...times }
    lanes.set(host, lane)
    return lane
  }

  /** Another task is the first in its line from now on. */
  function isFirst(lane: Lane, nowMs: number): void {
    lane.cause = null
    lane.readyAtMs = nowMs
  }

  /** What its first task waited for until now. */
  function tell({ cause, sinceMs, readyAtMs }: Lane, nowMs: number, waits: Waits): void {
    if (cause !== null) waits.note(cause, readyAtMs - sinceMs)
    waits.note(waits.sharedSince(readyAtMs), nowMs - readyAtMs)
  }

  function refused(lane: Lane, nowMs: number, waits: Waits): void {
    const cause = waits.causeOf(lane.host)
    if (cause === lane.cause) return
    tell(lane, nowMs, waits)
    lane.cause = cause
    lane.sinceMs = nowMs
  }

  /** After a task was put into its lane. */
  function count(lane: Lane): void {
    queued += 1
    if (lane.place !== 'idle') return
    hosts += 1
    isFirst(lane, clockMs())
    enterReady(lane)
  }

  function park(lane: Lane, untilMs: number): void {
    const isTimed = untilMs < Number.POSITIVE_INFINITY
    lane.place = isTimed ? 'paused' : 'blocked'
    lane.entry = isTimed ? paused.push(untilMs, lane) : null
  }

  function takeFrom(lane: Lane): Task | null {
    const task = takeFirstOf(lane.due)
    if (task !== null) {
      queued -= 1
      lane.out += 1
    }
    if (lane.due.size > 0) enterReady(lane, 1)
    else {
      lane.place = 'idle'
      hosts -= 1
    }
    return task
  }

  function popReady(): Lane | undefined {
    const lane = ready.pop()
    if (lane !== undefined) lane.entry = null
    return lane
  }

  return {
    pushLast(task) {
      const lane = laneOf(task.host)
      pushLastOf(lane.due, task)
      count(lane)
    },
    pushFirst(task) {
      const lane = laneOf(task.host)
      pushFirstOf(lane.due, task)
      count(lane)
    },
    next(nowMs, readyAtMs, waits) {
      while (paused.firstAtMs <= nowMs) {
        const openedAtMs = paused.firstAtMs
        const lane = paused.pop()
        if (lane === undefined) break
        lane.entry = null
        lane.readyAtMs = openedAtMs
        enterReady(lane)
      }
      for (let lane = popReady(); lane !== undefined; lane = popReady()) {
        const atMs = readyAtMs(lane.host)
        if (atMs <= nowMs) {
          if (waits !== undefined) tell(lane, nowMs, waits)
          isFirst(lane, nowMs)
          return takeFrom(lane)
        }
        if (waits !== undefined) refused(lane, nowMs, waits)
        park(lane, atMs)
      }
      return null
    },
    end(host) {
      const lane = lanes.get(host)
      if (lane === undefined) return
      lane.out -= 1
      if (lane.place === 'ready') enterReady(lane)
      else if (lane.place === 'idle' && lane.out === 0) lanes.delete(host)
    },
    wake(host) {
      const lane = lanes.get(host)
      if (lane === undefined || lane.place === 'idle') return false
      if (lane.place === 'ready') {
        if (lane.hasEnough && !hasEnough(host, 0)) enterReady(lane)
        return false
      }
      lane.readyAtMs = clockMs()
      enterReady(lane)
      return true
    },
    sizeOf: host => lanes.get(host)?.due.size ?? 0,
    lowestPriorityOf(host) {
      const lane = lanes.get(host)
      return lane === undefined ? Number.POSITIVE_INFINITY : lowestPriorityOf(lane.due)
    },
    trim(host, keep, mayGo) {
      const lane = lanes.get(host)
      if (lane === undefined) return 0
      const before = lane.due.size
      const staying: Task[] = []
      while (lane.due.size + staying.length > keep) {
        const task = takeLastOf(lane.due)
        if (task === null) break
        if (!mayGo(task)) staying.push(task)
      }
      for (const task of staying.reverse()) pushLastOf(lane.due, task)
      const gone = before - lane.due.size
      queued -= gone
      return gone
    },
    find(passes) {
      for (const { due } of lanes.values()) {
        const found = findOf(due, passes)
        if (found !== null) return found
      }
      return null
    },
    get nextAtMs() {
      return paused.firstAtMs
    },
    get hosts() {
      return hosts
    },
    get queued() {
      return queued
    },
  }
}
