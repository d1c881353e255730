import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AnswerDatabase, isDamage, isLocked, openAnswerDatabase } from './answer-database.ts'
import type { CacheSetup, Contents } from './store-messages.ts'

/**
 * The database of a folder. A damaged one is not mended and not written over: the next one gets the next number, so that
 * another process that still has the old file cannot harm the new one (SQLite removes logs by their names).
 */
export interface AnswerFiles {
  readonly database: AnswerDatabase
  /** As they were when it was opened. */
  readonly contents: Contents
  /** Leaves a damaged database for an empty one. */
  beginAnew(): void
}

/** The shape of the tables: a file of another shape is another file. */
const shape = 2
const named = new RegExp(`^answers-${shape}-(\\d+)\\.db$`)
const nameOf = (number: number): string => `answers-${shape}-${number}.db`

/** Two processes that make one file at the same time may find it locked whatever they are ready to wait. */
const tries = 50
const pauseMs = 20

function openPatiently(path: string, maxBytes: number): AnswerDatabase {
  for (let nth = 1; ; nth += 1)
    try {
      return openAnswerDatabase(path, maxBytes)
    } catch (thrown) {
      if (!isLocked(thrown) || nth === tries) throw thrown
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
}

/**
 * @param tell of a damaged file that was left
 * @throws Error the folder cannot be made or written
 */
export function openAnswerFiles({ folder, maxBytes }: CacheSetup, tell: (reason: string) => void): AnswerFiles {
  // Pages may be private.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const numbers = readdirSync(folder).map(name => Number(named.exec(name)?.[1] ?? 0))
  let number = Math.max(1, ...numbers)
  let database: AnswerDatabase

  function leave(): void {
    tell(`${join(folder, nameOf(number))} is damaged: it is removed, and the cache begins anew`)
    for (const suffix of ['', '-wal', '-shm'])
      try {
        rmSync(join(folder, nameOf(number) + suffix), { force: true })
      } catch {
        // Somebody else has it; its number is passed over.
      }
    number += 1
  }

  function beginAnew(): void {
    try {
      database?.close()
    } catch {
      // It is damaged.
    }
    leave()
    database = openPatiently(join(folder, nameOf(number)), maxBytes)
  }

  function open(): Contents {
    try {
      database = openPatiently(join(folder, nameOf(number)), maxBytes)
      return database.contents()
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown
      beginAnew()
      return database.contents()
    }
  }

  const contents = open()
  return {
    contents,
    get database() {
      return database
    },
    beginAnew,
  }
}
