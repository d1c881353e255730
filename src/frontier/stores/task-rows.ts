import type { Clock } from '../../core/clock.ts'
import { MillraceError } from '../../core/errors.ts'
import type { Fate, SkipReason } from '../../core/fate.ts'
import { type Attempts, newTask, noAttempts, type Reach, type Task } from '../../core/task.ts'
import type { HostKey } from '../../core/url.ts'
import type { JsonObject, JsonValue } from '../../core/wire.ts'
import { fingerprint } from './fingerprint.ts'

/** A task as the database has it: what is asked for by the row, and the rest as JSON, which costs a third of columns. */
export interface TaskRow {
  readonly row: number
  readonly id: string
  /** Number of its host. */
  readonly lane: number
  readonly priority: number
  /** A `TaskRecord`. */
  readonly record: string
}

/** In wall time, since a `Clock` means nothing to the next process. */
interface StoredWait {
  /** Milliseconds since 1970. */
  readonly notBeforeWallMs?: number | undefined
  /** What was left of the wait when this was written: a wall clock that is set back must not make it longer. */
  readonly leftMs?: number | undefined
}

/** What is left out is as usual. */
interface TaskRecord extends StoredWait {
  /** Left out: the id. */
  readonly url?: string
  /** Left out: the URL. */
  readonly asked?: string
  readonly page: string
  readonly depth?: number
  readonly hops?: readonly string[]
  readonly session?: string
  readonly geo?: string
  readonly meta?: JsonObject
  readonly reach?: Reach
  readonly attempts?: Attempts
  readonly waitedMs?: number
  readonly threadDeaths?: number
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
  /** Items for the table, as lines of JSON. */
  readonly items?: readonly Uint8Array[]
}

/** What an earlier process left. */
export interface Recovered {
  readonly done: number
  readonly failed: number
  readonly skips: Readonly<Partial<Record<SkipReason, number>>>
  readonly pending: number
  /** Null: nothing was committed yet. */
  readonly positions: JsonValue
  /** What of the log was changed by somebody else, in a sentence; null: nothing. Commits from there on are not in the rest. */
  readonly damage: string | null
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

/** What a record says of a wait, of which nothing is left where its time has come. */
function waitOf({ notBeforeMs }: Task, clock: Clock): StoredWait {
  if (notBeforeMs === 0) return {}
  const leftMs = Math.max(0, notBeforeMs - clock.nowMs())
  return { notBeforeWallMs: wallMs(clock) + leftMs, leftMs }
}

/** On this process's clock, and no longer from now than what was left of the wait. */
function notBeforeOf({ notBeforeWallMs, leftMs = Number.POSITIVE_INFINITY }: StoredWait, clock: Clock): number {
  if (notBeforeWallMs === undefined) return 0
  return Math.max(0, clock.nowMs() + Math.min(notBeforeWallMs - wallMs(clock), leftMs))
}

/** Of a task that has not begun, most is as usual. */
function recordOf(task: Task, clock: Clock): TaskRecord {
  const { id, url, askedUrl, page, depth, hops, session, geo, meta, reach, attempts, waitedMs, threadDeaths } = task
  return {
    ...(url !== id && { url }),
    ...(askedUrl !== url && { asked: askedUrl }),
    page,
    ...(depth !== 0 && { depth }),
    ...(hops.length > 0 && { hops }),
    ...(session !== null && { session }),
    ...(geo !== null && { geo }),
    ...(meta !== null && { meta }),
    ...(reach !== 'any' && { reach }),
    ...(attempts !== noAttempts && { attempts }),
    ...(waitedMs !== 0 && { waitedMs }),
    ...(threadDeaths !== undefined && { threadDeaths }),
    ...waitOf(task, clock),
  }
}

export const rowOf = (task: Task, clock: Clock): TaskRow => ({
  row: rowNumberOf(task),
  id: task.id,
  lane: laneOf(task.host),
  priority: task.priority,
  record: JSON.stringify(recordOf(task, clock)),
})

export function taskOf({ row, id, priority, record }: TaskRow, clock: Clock): Task {
  const { url = id, asked: askedUrl = url, notBeforeWallMs, leftMs, ...known }: TaskRecord = JSON.parse(record)
  const notBeforeMs = notBeforeOf({ notBeforeWallMs, leftMs }, clock)
  return newTask(id, new URL(url), known.page, { ...known, url, askedUrl, priority, notBeforeMs, row })
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
