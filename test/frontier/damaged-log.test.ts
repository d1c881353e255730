import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/core/clock.ts'
import type { Task } from '../../src/core/task.ts'
import { openTaskDatabase, type TaskDatabase } from '../../src/frontier/stores/task-database.ts'
import { rowOf } from '../../src/frontier/stores/task-rows.ts'
import { walDamageAt } from '../../src/frontier/stores/wal-damage.ts'
import { createRandom } from '../sim/random.ts'
import { taskOf } from './tasks.ts'

/** As a process leaves them that is killed after ten commits: the file, its log, and where each commit ends in that. */
interface Left {
  readonly database: Buffer
  readonly log: Buffer
  /** Of commit 0, 1, ... */
  readonly ends: readonly number[]
}

/** No disk is waited for where there is one in memory. */
const memoryDisk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const commits = 10
let folder = ''
let left: Left

const numbered = (nth: number): Task => ({ ...taskOf(`http://a.test/${nth}`), row: nth + 1 })

function commit(database: TaskDatabase, nth: number): void {
  const added = [rowOf(numbered(nth), realClock)]
  const ended = nth === 0 ? [] : [{ row: nth, state: 'done' as const, reason: null }]
  const positions = { items: { bytes: nth * 10, lines: nth, crc: 0 } }
  database.commit({ added, changed: [], ended, sequence: nth, positions }, false)
}

beforeAll(() => {
  folder = mkdtempSync(join(memoryDisk, 'millrace-log-'))
  const path = join(folder, 'state.db')
  const database = openTaskDatabase(path)
  const ends = Array.from({ length: commits }, (_, nth) => {
    commit(database, nth)
    return statSync(`${path}-wal`).size
  })
  left = { database: readFileSync(path), log: readFileSync(`${path}-wal`), ends }
  database.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

let opened = 0
/** Opens a state whose log is this, and says how many commits are in it, and what it says of damage. */
function openWith(log: Buffer): { readonly commits: number; readonly damage: string | null } {
  const path = join(folder, `${opened++}.db`)
  writeFileSync(path, left.database)
  writeFileSync(`${path}-wal`, log)
  const database = openTaskDatabase(path)
  const { done, pending, damage } = database.recovered
  database.close()
  rmSync(path)
  // What a commit holds is there as a whole or not at all: a task that was added and the end of the one before.
  expect(pending).toBe(done + pending === 0 ? 0 : 1)
  return { commits: done + pending, damage }
}

/** The last commit that ends there or before. */
const wholeIn = (bytes: number): number => left.ends.filter(end => end <= bytes).length

describe('a log that was cut', () => {
  const step = Number(process.env.CUT_STEP ?? 97)
  test(`within its last three commits opens each time, with all commits that are whole (each ${step}th byte)`, () => {
    const from = left.ends[commits - 4] ?? 0
    // The bytes about the ends of commits are those that count.
    const places = new Set(left.ends.slice(-4).flatMap(end => [end - 1, end, end + 1]))
    for (let at = from; at < left.log.byteLength; at += step) places.add(at)
    for (const at of places) {
      if (at < from || at > left.log.byteLength) continue
      const found = openWith(left.log.subarray(0, at))
      expect(found, `cut at byte ${at}`).toEqual({ commits: wholeIn(at), damage: null })
    }
  }, 300_000)
})

describe('a bit of the log that was flipped', () => {
  const flips = Number(process.env.FLIPS ?? 150)
  const isLastFrame = (at: number): boolean => at >= left.log.byteLength - 4096 - 24

  test(`is told with its place, and what came before it is there (${flips} places)`, () => {
    const random = createRandom(7)
    for (let nth = 0; nth < flips; nth += 1) {
      const at = Math.floor(random() * left.log.byteLength)
      const log = Buffer.from(left.log)
      log[at] = (log[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      const found = openWith(log)
      // Within the header, the whole log is of no use; within a frame, what comes from there on.
      expect(found.commits, `flipped at byte ${at}`).toBe(at < 32 ? wholeIn(0) : wholeIn(at))
      if (isLastFrame(at)) continue
      const frame = at < 32 ? 0 : at - ((at - 32) % (4096 + 24))
      expect(found.damage, `flipped at byte ${at}`).toContain(`at byte ${frame}: `)
    }
  }, 300_000)

  test('is found by reading the log alone, in a thousand places', () => {
    const random = createRandom(8)
    for (let nth = 0; nth < 1_000; nth += 1) {
      const at = Math.floor(random() * (left.log.byteLength - 4096 - 24))
      const log = Buffer.from(left.log)
      log[at] = (log[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      const frame = at < 32 ? 0 : at - ((at - 32) % (4096 + 24))
      expect(walDamageAt(log), `flipped at byte ${at}`).toBe(frame)
    }
  })
})

test('what an earlier round of the log left behind its end is no damage', () => {
  const path = join(folder, 'round.db')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a)')
  for (let nth = 0; nth < 50; nth += 1) database.exec(`INSERT INTO t VALUES ('${'x'.repeat(500)}')`)
  database.exec('PRAGMA wal_checkpoint(RESTART)')
  database.exec("INSERT INTO t VALUES ('next round')")
  copyFileSync(`${path}-wal`, `${path}-copy`)
  database.close()
  const log = readFileSync(`${path}-copy`)
  expect(log.byteLength).toBeGreaterThan(50 * 4096)
  expect(walDamageAt(log)).toBeNull()
})
