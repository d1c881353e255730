import type { DatabaseSync } from 'node:sqlite'
import type { JsonValue } from '../../core/wire.ts'

/** A task that ended dead. */
export interface DeadTask {
  readonly row: number
  /** Error code. */
  readonly reason: string
  /** Where it had come to. */
  readonly url: string
  /** As it was asked for. */
  readonly askedUrl: string
}

/** @param codes null: whatever they died of */
export function deadTasks(database: DatabaseSync, codes: readonly string[] | null): readonly DeadTask[] {
  return database
    .prepare(
      `SELECT row, reason, coalesce(record ->> '$.url', id) AS url, coalesce(record ->> '$.asked', record ->> '$.url', id) AS askedUrl FROM tasks
       WHERE state = 'failed' AND (?1 IS NULL OR reason IN (SELECT value FROM json_each(?1))) ORDER BY row`,
    )
    .all(codes === null ? null : JSON.stringify(codes)) as unknown as DeadTask[]
}

/**
 * Dead tasks are to be done, with nothing tried and due now. They go on where redirects had led them, since the URLs on
 * the way are known to be theirs. Where the outputs end by then and what else is to be remembered go with it, in one
 * transaction.
 * @param positionsOf where the outputs end, by where they ended at the commit before
 */
export function revive(
  database: DatabaseSync,
  tasks: readonly DeadTask[],
  positionsOf: (positions: JsonValue, isLast: boolean) => JsonValue,
  meta: Readonly<Record<string, string>>,
): void {
  // On the disk itself before a file is replaced by what this says.
  database.exec('PRAGMA synchronous = FULL')
  database.exec('BEGIN IMMEDIATE')
  try {
    const update = database.prepare(
      `UPDATE tasks SET state = NULL, reason = NULL,
         record = json_remove(record, '$.attempts', '$.waitedMs', '$.threadDeaths', '$.notBeforeWallMs', '$.leftMs') WHERE row = ?`,
    )
    for (const { row } of tasks) update.run(row)
    const outputs = database.prepare('SELECT segment, positions FROM outputs ORDER BY segment').all()
    const replace = database.prepare('UPDATE outputs SET positions = ? WHERE segment = ?')
    for (const [at, { segment, positions }] of outputs.entries())
      replace.run(
        JSON.stringify(positionsOf(JSON.parse(String(positions)), at === outputs.length - 1)),
        Number(segment),
      )
    const remember = database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)')
    for (const [key, value] of Object.entries(meta)) remember.run(key, value)
    database.exec('COMMIT')
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw thrown
  }
}
