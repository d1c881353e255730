// Simulated time moves on while a module is being loaded: what draws the report is loaded beforehand.
import '../../src/report/run-page.ts'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { crawl, type JobInput, type Report } from '../../src/index.ts'
import { adds } from '../crawl/kit.ts'
import { createSimWeb, type HostModel, htmlOf } from '../sim/hosts.ts'
import { createRandom, createSimEnv } from '../sim/random.ts'
import { surround } from './store-here.ts'

vi.mock('node:worker_threads', async original => {
  const { StoreHere } = await import('./store-here.ts')
  return { ...(await original<object>()), Worker: StoreHere }
})

/** What is lost is modelled by the test, and no disk is waited for where there is one in memory. */
const memoryDisk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(memoryDisk, 'millrace-crash-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** When a process dies: at a time, or as its nth commit is about to be made or has just been made. */
type Death =
  | { readonly kind: 'time'; readonly atMs: number }
  | { readonly kind: 'before' | 'after'; readonly nth: number }

const pagesPerHost = 14
/** A binary tree; a page is also named by an address that leads to it. */
const childrenOf = (nth: number): number[] => [2 * nth + 1, 2 * nth + 2].filter(child => child < pagesPerHost)

function hostOf(random: () => number): HostModel {
  const troubled = random() < 0.5
  return {
    latency: { kind: 'exponential', meanMs: 20 + random() * 200 },
    failures: troubled ? { SERVER_ERROR: 0.15, CONNECT_FAILED: 0.1, THROTTLED: 0.05, HTTP_STATUS: 0.05 } : {},
    redirect: ({ pathname }) => (pathname.startsWith('/old/') ? pathname.slice('/old'.length) : null),
    page: ({ pathname }) => {
      const children = childrenOf(Number(pathname.slice(1)))
      return htmlOf(pathname, [...children.map(String), ...children.map(child => `/old/${child}`)])
    },
    ...(random() < 0.3 && { outages: [{ fromMs: 500, toMs: 500 + random() * 5000, as: 'refused' as const }] }),
  }
}

function deathOf(random: () => number): Death {
  const draw = random()
  if (draw < 1 / 3) return { kind: 'time', atMs: random() * 4000 }
  return { kind: draw < 2 / 3 ? 'before' : 'after', nth: 1 + Math.floor(random() * 8) }
}

/** One process, to its end or to its death: then the files as they were at that moment are in `next`. */
async function live(
  job: JobInput,
  seed: number,
  hosts: Record<string, HostModel>,
  path: string,
  next: string,
  death: Death | null,
) {
  const env = createSimEnv(seed)
  const web = createSimWeb({ env, seed, hosts })
  let isDead = false
  let commits = 0
  function die(): true {
    cpSync(path, next, { recursive: true })
    isDead = true
    return true
  }
  surround({
    clock: env.clock,
    dies(moment) {
      if (moment === 'before') commits += 1
      return isDead || (death?.kind === moment && commits === death.nth && die())
    },
  })
  const run = crawl(job, { env, fetcher: web, threads: 0, out: path })
  const report = await env.clock.run(async () => {
    if (death?.kind === 'time')
      env.clock.after(death.atMs, () => {
        if (!isDead) die()
        void run.close()
      })
    return await run.finished().catch(thrown => {
      if (isDead) return null
      throw thrown
    })
  })
  return isDead ? null : report
}

async function linesOf(path: string, name: string): Promise<{ readonly [key: string]: unknown }[]> {
  const text = await readFile(join(path, name), 'utf8')
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

async function mustBeExact(path: string, report: Report): Promise<void> {
  const done = (await linesOf(path, 'items.jsonl')).map(({ _url }) => String(_url))
  const dead = (await linesOf(path, 'dead.jsonl')).map(({ url }) => String(url))
  const ended = new Set([...done, ...dead])
  expect(ended.size, 'no URL is in the output twice').toBe(done.length + dead.length)
  expect(adds(report.ledger)).toBe(true)
  expect(report.ledger).toMatchObject({ pending: 0, done: done.length, failed: dead.length })
  expect(report.items).toBe(done.length)
  // A page whose other address came first is in the output under that one.
  const isKnown = (url: URL): boolean => ended.has(url.href) || ended.has(new URL(`/old${url.pathname}`, url).href)
  for (const url of done.map(text => new URL(text)))
    for (const child of childrenOf(Number(url.pathname.split('/').at(-1))))
      expect(isKnown(new URL(`/${child}`, url)), `a link of ${url} to ${child} has an end`).toBe(true)
}

function caseOf(random: () => number): { readonly job: JobInput; readonly hosts: Record<string, HostModel> } {
  const hosts = Object.fromEntries(
    Array.from({ length: 1 + Math.floor(random() * 2) }, (_, nth) => [`h${nth}.test`, hostOf(random)]),
  )
  const job: JobInput = {
    seeds: Object.keys(hosts).map(host => `http://${host}/0`),
    item: { title: 'h1' },
    follow: ['a'],
    limits: { perHost: { policy: 'aimd', start: 2, max: 8 }, rate: 'none', delayMs: 0 },
  }
  return { job, hosts }
}

const seeds = Number(process.env.CRASH_SEEDS ?? 110)

test(`whatever fails and wherever a process dies, every run ends with each URL exactly once (${seeds} seeds)`, async () => {
  let deaths = 0
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = createRandom(seed)
    const { job, hosts } = caseOf(random)
    const placeOf = (nth: number): string => join(folder, `${seed}-${nth}`)
    const planned = Array.from({ length: Math.floor(random() * 4) }, () => deathOf(random))
    let ended: Report | null = null
    let nth = 0
    for (; ended === null; nth += 1) {
      ended = await live(job, seed * 100 + nth, hosts, placeOf(nth), placeOf(nth + 1), planned[nth] ?? null)
      if (ended === null) deaths += 1
    }
    await mustBeExact(placeOf(nth - 1), ended)
    for (let old = 0; old <= nth; old += 1) await rm(placeOf(old), { recursive: true, force: true })
  }
  expect(deaths).toBeGreaterThan(seeds / 2)
}, 1_200_000)

test('a bit that was flipped in the log of a dead process costs fetches: it is told with its place, and the output is exact', async () => {
  let damages = 0
  const hear = (message: unknown): void => {
    if (/state\.db-wal is not what was written at byte \d+/.test(String((message as { damage: unknown }).damage)))
      damages += 1
  }
  subscribe('millrace:run.resumed', hear)
  let deaths = 0
  for (let nth = 1; deaths < 10; nth += 1) {
    const random = createRandom(1_000 + nth)
    const { job, hosts } = caseOf(random)
    const [dead, next] = [join(folder, `flipped-${nth}`), join(folder, `flipped-${nth}-next`)]
    // Some end before that.
    if ((await live(job, nth, hosts, dead, next, { kind: 'after', nth: 3 })) !== null) continue
    deaths += 1
    const log = readFileSync(join(next, 'state.db-wal'))
    // Anywhere but in the last frame, which could be a torn one.
    const at = Math.floor(random() * (log.byteLength - 4096 - 24))
    log[at] = (log[at] ?? 0) ^ 16
    writeFileSync(join(next, 'state.db-wal'), log)
    const report = await live(job, nth, hosts, next, '', null)
    if (report === null) throw new Error('it died')
    await mustBeExact(next, report)
  }
  unsubscribe('millrace:run.resumed', hear)
  expect(damages).toBe(deaths)
})
