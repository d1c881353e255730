import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { fits, type Selection } from './selection.ts'
import type { Confirmed, Contents, Entry, Found } from './store-messages.ts'

/**
 * Stored answers in SQLite, synchronous: it lives in a thread of its own. SQLite keeps no checksums, so they are kept
 * beside what was written: a flipped bit would be a wrong page.
 *
 * undici brings a store of this kind (`SqliteCacheStore`) and is not used. It works in the thread that asks, compressing
 * with zstd there; it tells answers apart by URL and `Vary` alone, not by who asked; it writes the values of those
 * headers in the clear; it has a bound of entries and none of bytes, and drops what is stale, which is the very thing
 * that is wanted while selectors are written. What remains of it is a table.
 *
 * Several processes may use one file: the log lets readers go on beside a writer, and writers wait for each other.
 */
export interface AnswerDatabase {
  contents(): Contents
  /** The answer to such a request that came last; null where there is none, or it is damaged. */
  find(key: string, headers: readonly string[], isLoose: boolean): Found | null
  /** One transaction, which also drops what was not used for longest, down to the ceiling. */
  write(changes: Changes): void
  close(): void
}

export interface Changes {
  readonly entries: readonly Entry[]
  readonly confirmed: readonly Confirmed[]
  /** Keys of entries that go, before others come. */
  readonly dropped: ReadonlySet<string>
  /** Entries that were used, and when. */
  readonly used: ReadonlyMap<number, number>
}

/** Bodies apart from the rest, so that looking for keys and for what is old reads none of them. */
const schema = `
  CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, selection TEXT NOT NULL, url TEXT NOT NULL, status INTEGER NOT NULL, headers TEXT NOT NULL,
    setCookies TEXT NOT NULL, source TEXT NOT NULL, cameAtMs REAL NOT NULL, freshUntilMs REAL NOT NULL, usedAtMs REAL NOT NULL,
    bytes INTEGER NOT NULL, headSum INTEGER NOT NULL, bodySum INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS answersByKey ON answers (key, cameAtMs, freshUntilMs);
  CREATE INDEX IF NOT EXISTS answersByUse ON answers (usedAtMs, bytes);
  CREATE TABLE IF NOT EXISTS bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS total (one INTEGER PRIMARY KEY CHECK (one = 1), bytes INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO total VALUES (1, 0);
  CREATE TRIGGER IF NOT EXISTS answerAdded AFTER INSERT ON answers BEGIN
    UPDATE total SET bytes = bytes + new.bytes;
  END;
  CREATE TRIGGER IF NOT EXISTS answerDropped AFTER DELETE ON answers BEGIN
    DELETE FROM bodies WHERE id = old.id;
    UPDATE total SET bytes = bytes - old.bytes;
  END;
  UPDATE total SET bytes = (SELECT CAST(TOTAL(bytes) AS INTEGER) FROM answers);`

/** What an entry takes beside its texts and its body. */
const rowBytes = 300
/** Others that write are waited for: a batch of theirs takes some 10 ms. */
const lockedMs = 5_000
/** Dropped at a time. */
const droppedAtOnce = 64

const headColumns = 'key, selection, status, headers, setCookies, source, cameAtMs, freshUntilMs, headSum'

type Row = Record<string, unknown>

const codeOf = (thrown: unknown): number =>
  thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number' ? thrown.errcode & 0xff : 0

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
export const isDamage = (thrown: unknown): boolean => codeOf(thrown) === 11 || codeOf(thrown) === 26
/** SQLITE_BUSY and SQLITE_LOCKED. */
export const isLocked = (thrown: unknown): boolean => codeOf(thrown) === 5 || codeOf(thrown) === 6

/** @throws Error with SQLite's own message and code */
export function openAnswerDatabase(path: string, maxBytes: number): AnswerDatabase {
  const database = new DatabaseSync(path, { timeout: lockedMs })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    database.exec(`BEGIN IMMEDIATE; ${schema}; COMMIT`)
  } catch (thrown) {
    database.close()
    throw thrown
  }
  const statements = new Map<string, StatementSync>()
  function prepared(sql: string): StatementSync {
    const known = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, known)
    return known
  }

  const totalBytes = (): number => Number(prepared('SELECT bytes FROM total').get()?.bytes ?? 0)
  const drop = (id: number): boolean => Number(prepared('DELETE FROM answers WHERE id = ?').run(id).changes) > 0

  function dropBeyondCeiling(): void {
    while (totalBytes() > maxBytes) {
      const oldest = prepared('SELECT id FROM answers ORDER BY usedAtMs LIMIT ?').all(droppedAtOnce)
      let dropped = 0
      for (const { id } of oldest) {
        if (drop(Number(id))) dropped += 1
        if (totalBytes() <= maxBytes) return
      }
      // None are left, or an index that is damaged names some that are not there.
      if (dropped === 0) return
    }
  }

  /** Of all that a request is given but its body, and of what decides which request that is. */
  const headSumOf = ({ key, selection, status, headers, setCookies, source, cameAtMs, freshUntilMs }: Row): number =>
    crc32(JSON.stringify([key, selection, status, headers, setCookies, source, cameAtMs, freshUntilMs]))

  function insert(entry: Entry): void {
    const { key, url, status, from, cameAtMs, freshUntilMs, body } = entry
    const [selection, headers] = [JSON.stringify(entry.selection), JSON.stringify(entry.headers)]
    const setCookies = JSON.stringify(entry.setCookies)
    const bytes = body.length + headers.length + setCookies.length + url.length + rowBytes
    // One that is larger than the rest together would drive them all out.
    if (bytes > maxBytes / 2) return
    prepared('DELETE FROM answers WHERE key = ? AND selection = ?').run(key, selection)
    const row = [key, selection, url, status, headers, setCookies, from, cameAtMs, freshUntilMs, cameAtMs, bytes]
    const headSum = headSumOf({ key, selection, status, headers, setCookies, source: from, cameAtMs, freshUntilMs })
    const { lastInsertRowid } = prepared(
      `INSERT INTO answers (key, selection, url, status, headers, setCookies, source, cameAtMs, freshUntilMs, usedAtMs, bytes, headSum, bodySum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(...row, headSum, crc32(body))
    prepared('INSERT INTO bodies VALUES (?, ?)').run(lastInsertRowid, body)
  }

  function confirm({ id, headers, cameAtMs, freshUntilMs }: Confirmed): void {
    const known = prepared(`SELECT ${headColumns} FROM answers WHERE id = ?`).get(id)
    if (known === undefined || !isSound(known)) return
    const text = JSON.stringify(headers)
    prepared(
      'UPDATE answers SET headers = ?, headSum = ?, cameAtMs = ?, freshUntilMs = ?, usedAtMs = ? WHERE id = ?',
    ).run(text, headSumOf({ ...known, headers: text, cameAtMs, freshUntilMs }), cameAtMs, freshUntilMs, cameAtMs, id)
  }

  const isSound = (row: Row): boolean => headSumOf(row) === row.headSum

  function read(id: number, row: Row): Found | null {
    const body = prepared('SELECT body FROM bodies WHERE id = ?').get(id)?.body
    if (!(body instanceof Uint8Array) || crc32(body) !== row.bodySum) {
      drop(id)
      return null
    }
    return {
      id,
      status: Number(row.status),
      headers: JSON.parse(String(row.headers)),
      setCookies: JSON.parse(String(row.setCookies)),
      from: row.source as Found['from'],
      cameAtMs: Number(row.cameAtMs),
      freshUntilMs: Number(row.freshUntilMs),
      body: body as Uint8Array<ArrayBuffer>,
    }
  }

  return {
    contents() {
      const rows = database.prepare('SELECT key, cameAtMs, freshUntilMs FROM answers').all()
      return {
        keys: rows.map(({ key }) => String(key)),
        cameAtMs: Float64Array.from(rows, ({ cameAtMs }) => Number(cameAtMs)),
        freshUntilMs: Float64Array.from(rows, ({ freshUntilMs }) => Number(freshUntilMs)),
      }
    },
    find(key, headers, isLoose) {
      const rows = prepared(`SELECT id, bodySum, ${headColumns} FROM answers WHERE key = ? ORDER BY cameAtMs DESC`).all(
        key,
      )
      for (const row of rows) {
        const id = Number(row.id)
        if (!isSound(row)) drop(id)
        else if (fits(JSON.parse(String(row.selection)) as Selection, headers, isLoose)) return read(id, row)
      }
      return null
    },
    write({ entries, confirmed, dropped, used }) {
      database.exec('BEGIN IMMEDIATE')
      try {
        for (const key of dropped) prepared('DELETE FROM answers WHERE key = ?').run(key)
        for (const entry of entries) insert(entry)
        for (const one of confirmed) confirm(one)
        for (const [id, atMs] of used) prepared('UPDATE answers SET usedAtMs = ? WHERE id = ?').run(atMs, id)
        dropBeyondCeiling()
        database.exec('COMMIT')
      } catch (thrown) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw thrown
      }
    },
    close: () => database.close(),
  }
}
