import type { Task } from '../core/task.ts'
import { createTimeHeap, type HeapEntry } from '../core/time-heap.ts'
import type { HostKey } from '../core/url.ts'
import { createDeque, type Deque, pushFirst, pushLast, takeFirst } from './deque.ts'

/**
 * The due tasks of every host, first in first out, and the turn between hosts. A host is in one of three places: in
 * the ring (its gates are to be asked), in a heap by the time its gates named, or nowhere but the map, waiting to be
 * woken. So a call costs as much as hosts changed, however many there are. A host without tasks leaves no trace.
 */
export interface HostLanes {
  pushLast(task: Task): void
  /** For a task that was taken and is given back. */
  pushFirst(task: Task): void
  /** A task of the next host in turn that is ready. Null when no host is. */
  next(nowMs: number, readyAtMs: (host: HostKey) => number): Task | null
  /** Back to the ring from wherever it waits; true when that changed anything. */
  wake(host: HostKey): boolean
  /** The earliest time a gate has named; Infinity when none did. Meaningful when `next` has just returned null. */
  readonly nextAtMs: number
  readonly hosts: number
  readonly queued: number
}

interface Lane {
  readonly host: HostKey
  readonly due: Deque<Task>
  place: 'ring' | 'paused' | 'blocked'
  pause: HeapEntry<Lane> | null
}

export function createLanes(): HostLanes {
  const lanes = new Map<HostKey, Lane>()
  const ring = createDeque<Lane>()
  const paused = createTimeHeap<Lane>()
  let queued = 0

  function enterRing(lane: Lane): void {
    if (lane.pause !== null) paused.remove(lane.pause)
    lane.pause = null
    lane.place = 'ring'
    pushLast(ring, lane)
  }

  function laneOf(host: HostKey): Lane {
    const known = lanes.get(host)
    if (known !== undefined) return known
    const lane: Lane = { host, due: createDeque(), place: 'ring', pause: null }
    lanes.set(host, lane)
    enterRing(lane)
    return lane
  }

  function park(lane: Lane, untilMs: number): void {
    if (untilMs === Number.POSITIVE_INFINITY) {
      lane.place = 'blocked'
      return
    }
    lane.place = 'paused'
    lane.pause = paused.push(untilMs, lane)
  }

  function takeFrom(lane: Lane): Task | null {
    const task = takeFirst(lane.due) ?? null
    if (task !== null) queued -= 1
    if (lane.due.size > 0) pushLast(ring, lane)
    else lanes.delete(lane.host)
    return task
  }

  return {
    pushLast(task) {
      pushLast(laneOf(task.host).due, task)
      queued += 1
    },
    pushFirst(task) {
      pushFirst(laneOf(task.host).due, task)
      queued += 1
    },
    next(nowMs, readyAtMs) {
      while (paused.firstAtMs <= nowMs) {
        const lane = paused.pop()
        if (lane !== undefined) enterRing(lane)
      }
      for (let lane = takeFirst(ring); lane !== undefined; lane = takeFirst(ring)) {
        const atMs = readyAtMs(lane.host)
        if (atMs <= nowMs) return takeFrom(lane)
        park(lane, atMs)
      }
      return null
    },
    wake(host) {
      const lane = lanes.get(host)
      if (lane === undefined || lane.place === 'ring') return false
      enterRing(lane)
      return true
    },
    get nextAtMs() {
      return paused.firstAtMs
    },
    get hosts() {
      return lanes.size
    },
    get queued() {
      return queued
    },
  }
}
