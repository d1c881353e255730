import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openAnswerFiles } from '../../src/cache/answer-files.ts'
import type { AnswerStore } from '../../src/cache/answer-store.ts'
import type { Answer, Asking, HttpCache, Recalled, Wanted } from '../../src/cache/cache.ts'
import { type CacheOptions, createCache, openCache } from '../../src/cache/create-cache.ts'
import type { CacheSetup } from '../../src/cache/store-messages.ts'
import { createWriteBehind } from '../../src/cache/write-behind.ts'
import { type Clock, realClock } from '../../src/core/clock.ts'
import { newTask, type Task } from '../../src/core/task.ts'

export interface Folder extends AsyncDisposable {
  readonly path: string
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-cache-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

export const noon = Date.parse('2026-03-01T12:00:00Z')

/** A wall clock held in the hand. */
export interface Wall {
  readonly clock: Clock
  nowMs: number
}

export function wallAt(nowMs = noon): Wall {
  const wall = { nowMs, clock: { ...realClock, wallIso: () => new Date(wall.nowMs).toISOString() } }
  return wall
}

/** A store in this very thread: most tests are about what is stored, and a thread takes its time to start. */
function storeHere(setup: CacheSetup, tell: (reason: string) => void): AnswerStore {
  const files = openAnswerFiles(setup, tell)
  const { find, keep, confirm, drop, close } = createWriteBehind({ files, clock: realClock, tell, onWritten: () => {} })
  return {
    contents: files.contents,
    find: async question => find(question),
    keep(entry) {
      keep(entry)
      return true
    },
    confirm,
    drop,
    [Symbol.asyncDispose]: async () => close(),
  }
}

type Options = Partial<CacheOptions & CacheSetup>

const optionsWith = (wall: Wall, options: Options): CacheOptions => ({
  mode: 'revalidate',
  maxAgeMs: Number.POSITIVE_INFINITY,
  clock: wall.clock,
  keepsCookies: () => false,
  tell: reason => expect.fail(`the cache told: ${reason}`),
  ...options,
})

export async function cacheIn(folder: string, wall: Wall, options: Options = {}): Promise<HttpCache> {
  const all = optionsWith(wall, options)
  return createCache(storeHere({ folder, maxBytes: 2 ** 26, ...options }, all.tell), all)
}

/** With its thread, as runs have it. */
export const threadedCacheIn = (folder: string, wall: Wall, options: Options = {}): Promise<HttpCache> =>
  openCache({ folder, maxBytes: 2 ** 26, ...options }, optionsWith(wall, options))

export const usual = ['User-Agent', 'test/1.0', 'Accept', 'text/html', 'Accept-Encoding', 'gzip']

export const wanted = (url: string, headers: readonly string[] = usual, more: Partial<Task> = {}): Wanted => ({
  task: newTask(url, new URL(url), 'page', more),
  headers,
})

export const answer = (body: string, headers: Readonly<Record<string, string>> = {}, status = 200): Answer => ({
  status,
  headers,
  setCookies: [],
  body: new Uint8Array(Buffer.from(body)),
  from: 'public',
})

/** Asks, and learns what the host said. */
export async function learn(cache: HttpCache, what: Wanted, said: Answer): Promise<Asking> {
  const asking = await cache.ask(what)
  asking.learn(said)
  return asking
}

export const textOf = (recalled: Recalled | null): string | null =>
  recalled === null ? null : Buffer.from(recalled.body).toString()

export const recall = (cache: HttpCache, what: Wanted): Promise<Recalled | null> => cache.recall(what, () => true)

/** What may be used unasked, as text; null where nothing is. */
export async function used(cache: HttpCache, what: Wanted): Promise<string | null> {
  return cache.holds(what) ? textOf(await recall(cache, what)) : null
}
