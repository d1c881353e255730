import type { Clock } from '../../core/clock.ts'
import { MillraceError } from '../../core/errors.ts'
import type { Fate, SkipReason } from '../../core/fate.ts'
import type { Task } from '../../core/task.ts'
import { type HostKey, hostKey } from '../../core/url.ts'
import type { JsonValue } from '../../core/wire.ts'
import { fingerprint } from './fingerprint.ts'

/** A task as the database has it. Wall time, since a `Clock` means nothing to the next process. */
export interface TaskRow {
  readonly row: number
  readonly id: string
  /** Number of its host. */
  readonly lane: number
  readonly url: string
  /** Null: the same as `url`. */
  readonly asked: string | null
  readonly page: string
  readonly depth: number
  /** Ids of redirects so far, as JSON; null: none. */
  readonly hops: string | null
  readonly session: string | null
  readonly geo: string | null
  /** As JSON; null: none. */
  readonly meta: string | null
  readonly priority: number
  readonly reach: string
  readonly urlAttempts: number
  readonly proxyAttempts: number
  readonly waits: number
  readonly waitedMs: number
  /** Milliseconds since 1970; 0: now. */
  readonly notBeforeWallMs: number
}

/** What became of a task. */
export interface RowEnd {
  readonly row: number
  readonly state: 'done' | 'failed' | 'skipped'
  /** Error code or skip reason; null for pages. */
  readonly reason: string | null
}

/** A host with tasks left undone. */
export interface LaneLeft {
  /** Of one of them. */
  readonly url: string
  readonly left: number
}

/** What crosses to the thread of the store. */
export interface RowBatch {
  readonly added: readonly TaskRow[]
  /** Tasks that go on, with their ledgers charged or at another URL. */
  readonly changed: readonly TaskRow[]
  readonly ended: readonly RowEnd[]
  readonly sequence: number
  readonly positions: JsonValue
}

/** What an earlier process left. */
export interface Recovered {
  readonly done: number
  readonly failed: number
  readonly skips: Readonly<Partial<Record<SkipReason, number>>>
  readonly pending: number
  /** Null: nothing was committed yet. */
  readonly positions: JsonValue
  /** Positions of earlier commits, some megabytes apart, to tell where a file was damaged. */
  readonly checkpoints: readonly JsonValue[]
}

const scratch = new Int32Array(2)

/**
 * A number for a host, the same in every process: 53 bits of its fingerprint, since an index over names would be many
 * times as large. Hosts that share one are told apart by their URLs.
 */
export function laneOf(host: HostKey): number {
  fingerprint(host, scratch, 0)
  const [high = 0, low = 0] = scratch
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}

const wallMs = (clock: Clock): number => Date.parse(clock.wallIso())

/** @throws INVARIANT a task that was never put */
function rowNumberOf(task: Task): number {
  if (task.row === undefined) throw new MillraceError('INVARIANT', `${task.url} has no row in the store`)
  return task.row
}

export function rowOf(task: Task, clock: Clock): TaskRow {
  const { notBeforeMs, attempts } = task
  return {
    row: rowNumberOf(task),
    id: task.id,
    lane: laneOf(task.host),
    url: task.url,
    asked: task.askedUrl === task.url ? null : task.askedUrl,
    page: task.page,
    depth: task.depth,
    hops: task.hops.length === 0 ? null : JSON.stringify(task.hops),
    session: task.session,
    geo: task.geo,
    meta: task.meta === null ? null : JSON.stringify(task.meta),
    priority: task.priority,
    reach: task.reach,
    urlAttempts: attempts.url,
    proxyAttempts: attempts.proxy,
    waits: attempts.waits,
    waitedMs: task.waitedMs,
    notBeforeWallMs: notBeforeMs === 0 ? 0 : wallMs(clock) + notBeforeMs - clock.nowMs(),
  }
}

export function taskOf(row: TaskRow, clock: Clock): Task {
  const hops: readonly string[] = row.hops === null ? [] : JSON.parse(row.hops)
  return {
    id: row.id,
    url: row.url,
    askedUrl: row.asked ?? row.url,
    host: hostKey(new URL(row.url)),
    page: row.page,
    depth: row.depth,
    hops,
    session: row.session,
    geo: row.geo,
    meta: row.meta === null ? null : JSON.parse(row.meta),
    priority: row.priority,
    reach: row.reach === 'public' ? 'public' : 'any',
    attempts: { url: row.urlAttempts, proxy: row.proxyAttempts, waits: row.waits },
    waitedMs: row.waitedMs,
    notBeforeMs: row.notBeforeWallMs === 0 ? 0 : Math.max(0, clock.nowMs() + row.notBeforeWallMs - wallMs(clock)),
    row: row.row,
  }
}

/** Null for a fate that leaves the task to be done. */
export function endOf(task: Task, fate: Fate): RowEnd | null {
  const row = rowNumberOf(task)
  switch (fate.kind) {
    case 'done':
      return { row, state: 'done', reason: null }
    case 'dead':
      return { row, state: 'failed', reason: fate.fault.code }
    case 'skipped':
      return { row, state: 'skipped', reason: fate.reason }
    case 'retry':
    case 'moved':
      return null
    default:
      return fate satisfies never
  }
}
