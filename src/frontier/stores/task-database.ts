import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { keyOfId } from '../../core/task.ts'
import type { Column } from '../../stage/columns.ts'
import { createCheckpoints } from './checkpoint-rows.ts'
import { fingerprint } from './fingerprint.ts'
import { openItemTable } from './item-table.ts'
import type { IdPrints } from './known-ids.ts'
import { type DeadTask, deadTasks, revive } from './revive.ts'
import type { LaneLeft, Recovered, RowBatch, RowEnd, TaskRow } from './task-rows.ts'
import { walDamageAt } from './wal-damage.ts'

type RestOf<F> = F extends (first: DatabaseSync, ...rest: infer Rest) => void ? Rest : never

/** Tasks of a run in SQLite, synchronous: it lives in a thread of its own. */
export interface TaskDatabase {
  readonly recovered: Recovered
  /** Rows that are numbered already. */
  readonly rows: number
  /** All that were ever put. */
  known(): IdPrints
  /** Tasks left undone, by row number, from beyond `afterRow`. */
  pending(afterRow: number, max: number): readonly TaskRow[]
  /** Undone tasks of one host: those of a higher priority first, then by row number. */
  ofLane(lane: number, max: number): readonly TaskRow[]
  /** The first undone row of every host, and how many there are. */
  lanes(): readonly LaneLeft[]
  /** One transaction; `isSynced`: it is on the disk itself when this returns, and so are all before it. */
  commit(batch: RowBatch, isSynced: boolean): void
  /** Brings to the disk itself what was committed before. */
  sync(): void
  /** Tasks that ended dead, of these codes or of all. */
  dead(codes: readonly string[] | null): readonly DeadTask[]
  /** They are to be done again; see `revive.ts`. */
  revive(...how: RestOf<typeof revive>): void
  readMeta(key: string): string | null
  /** A transaction of its own; `isSynced` as of a commit. */
  writeMeta(key: string, value: string, isSynced: boolean): void
  close(): void
}

const schemaVersion = '4'

/**
 * Rows by sequential number: random keys touch a page of the database each, and the log pays for whole pages. Which ids
 * are known is asked of the set in memory; no index on them is needed.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS tasks (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL, lane INTEGER NOT NULL, priority INTEGER NOT NULL, record TEXT NOT NULL,
    state TEXT, reason TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS outputs (segment INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, positions TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`

const columnNames = ['row', 'id', 'lane', 'priority', 'record'] as const satisfies readonly (keyof TaskRow)[]
const columns = columnNames.join(', ')
/** Made when a task is first asked for by its host: most runs hold all of theirs in memory, and pay nothing for it. */
const shelfIndex = 'CREATE INDEX IF NOT EXISTS shelf ON tasks (lane, priority DESC, row) WHERE state IS NULL'

const insertSql = `INSERT INTO tasks (${columns}) VALUES (${columnNames.map(() => '?').join(', ')})`
const updateSql = `UPDATE tasks SET ${columnNames.map((name, at) => `${name} = ?${at + 1}`).join(', ')} WHERE row = ?1`

const idsSql = `SELECT id, record ->> '$.session' AS session, record ->> '$.hops' AS hops FROM tasks`

const valuesOf = (task: TaskRow) => columnNames.map(name => task[name])

/** To be asked before SQLite opens the file, which leaves out what it cannot read and says nothing. */
function damageOf(walPath: string): string | null {
  const atByte = existsSync(walPath) ? walDamageAt(readFileSync(walPath)) : null
  if (atByte === null) return null
  return `${walPath} is not what was written at byte ${atByte}: what was kept from there on is done once more`
}

/** @throws Error with SQLite's own message: locked by another process, damaged, not a database */
export function openTaskDatabase(path: string, itemColumns: readonly Column[] | null = null): TaskDatabase {
  const damage = damageOf(`${path}-wal`)
  const database = new DatabaseSync(path, { timeout: 0 })
  // The lock is held until the process ends, however it ends: two runs never share a folder.
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec('BEGIN IMMEDIATE')
  database.exec(schema)
  database.exec('COMMIT')
  const check = database.prepare('PRAGMA quick_check(1)').get()
  const verdict = check === undefined ? 'no answer' : String(Object.values(check)[0])
  if (verdict !== 'ok') throw new Error(`the database is damaged: ${verdict}`)

  const statements = new Map<string, StatementSync>()
  function prepared(sql: string): StatementSync {
    const known = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, known)
    return known
  }

  const readMeta = (key: string): string | null => {
    const found = prepared('SELECT value FROM meta WHERE key = ?').get(key)
    return found === undefined ? null : String(found.value)
  }
  function writeMeta(key: string, value: string): void {
    prepared('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(key, value)
  }

  const version = readMeta('schema')
  if (version === null) writeMeta('schema', schemaVersion)
  else if (version !== schemaVersion)
    throw new Error(`it was written by another version (schema ${version}, not ${schemaVersion})`)

  function countsBy(sql: string): Record<string, number> {
    return Object.fromEntries(
      database
        .prepare(sql)
        .all()
        .map(({ name, urls }) => [String(name), Number(urls)]),
    )
  }

  function recover(): Recovered {
    const states = countsBy(`SELECT coalesce(state, 'pending') AS name, count(*) AS urls FROM tasks GROUP BY 1`)
    const skips = countsBy(`SELECT reason AS name, count(*) AS urls FROM tasks WHERE state = 'skipped' GROUP BY 1`)
    const outputs = database.prepare('SELECT positions FROM outputs ORDER BY segment').all()
    const checkpoints = outputs.map(({ positions }) => JSON.parse(String(positions)))
    return {
      done: states.done ?? 0,
      failed: states.failed ?? 0,
      skips,
      pending: states.pending ?? 0,
      positions: checkpoints.at(-1) ?? null,
      damage,
      checkpoints,
    }
  }

  function insert(task: TaskRow): void {
    prepared(insertSql).run(...valuesOf(task))
  }

  function change(task: TaskRow): void {
    prepared(updateSql).run(...valuesOf(task))
  }

  function end({ row, state, reason }: RowEnd): void {
    prepared('UPDATE tasks SET state = ?, reason = ? WHERE row = ?').run(state, reason, row)
  }

  const table = itemColumns === null ? null : openItemTable(database, itemColumns)
  const checkpoints = createCheckpoints(database)
  let isFull = false
  let syncs = 0
  /** In the write-ahead log `full` syncs the log with each transaction, and `normal` only before it is emptied. */
  function syncEach(wanted: boolean): void {
    if (wanted !== isFull) database.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`)
    isFull = wanted
  }

  let hasShelf = false
  function needShelf(): void {
    if (!hasShelf) database.exec(shelfIndex)
    hasShelf = true
  }

  return {
    recovered: recover(),
    rows: Number(database.prepare('SELECT coalesce(max(row), 0) AS rows FROM tasks').get()?.rows ?? 0),
    known() {
      const ids: number[] = []
      const sessionKeys: number[] = []
      const pair = new Int32Array(2)
      const add = (words: number[], text: string): void => {
        fingerprint(text, pair, 0)
        words.push(pair[0] ?? 0, pair[1] ?? 0)
      }
      for (const { id, session, hops } of database.prepare(idsSql).iterate()) {
        const own: readonly string[] = hops === null ? [String(id)] : [String(id), ...JSON.parse(String(hops))]
        for (const one of own) {
          add(ids, one)
          if (session !== null) add(sessionKeys, keyOfId(one, String(session)))
        }
      }
      return { ids: Int32Array.from(ids), sessionKeys: Int32Array.from(sessionKeys) }
    },
    pending: (afterRow, max) =>
      prepared(`SELECT ${columns} FROM tasks WHERE state IS NULL AND row > ? ORDER BY row LIMIT ?`).all(
        afterRow,
        max,
      ) as unknown as TaskRow[],
    ofLane(lane, max) {
      needShelf()
      return prepared(
        `SELECT ${columns} FROM tasks WHERE lane = ? AND state IS NULL ORDER BY priority DESC, row LIMIT ?`,
      ).all(lane, max) as unknown as TaskRow[]
    },
    lanes() {
      needShelf()
      return database
        .prepare(
          `SELECT coalesce(record ->> '$.url', id) AS url, left
           FROM (SELECT min(row) AS first, count(*) AS left FROM tasks WHERE state IS NULL GROUP BY lane) JOIN tasks ON row = first`,
        )
        .all() as unknown as LaneLeft[]
    },
    commit({ added, changed, ended, sequence, positions, items = [] }, isSynced) {
      syncEach(isSynced)
      database.exec('BEGIN')
      try {
        for (const task of added) insert(task)
        for (const task of changed) change(task)
        for (const one of ended) end(one)
        table?.insert(items)
        checkpoints.write(sequence, positions)
        database.exec('COMMIT')
      } catch (thrown) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw thrown
      }
    },
    sync() {
      syncEach(true)
      writeMeta('synced', String(syncs++))
    },
    dead: codes => deadTasks(database, codes),
    revive: (...how) => revive(database, ...how),
    readMeta,
    writeMeta(key, value, isSynced) {
      syncEach(isSynced)
      writeMeta(key, value)
    },
    close: () => database.close(),
  }
}
