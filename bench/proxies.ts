import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'undici'
import { realClock, realEnv } from '../src/core/clock.ts'
import type { Route } from '../src/core/route.ts'
import { newTask } from '../src/core/task.ts'
import { createFetcher } from '../src/fetch/create-fetcher.ts'
import { createRequestHeaders } from '../src/fetch/request-headers.ts'
import { crawl, type JobInput } from '../src/index.ts'
import { defaultTimeouts } from '../src/job/defaults.ts'
import { cert } from '../test/fetch/certificates.ts'
import { assertBounds, type Bound, machine, median } from './machine.ts'

/**
 * Proxies over real sockets: what a fresh connection for each request costs beside a bare one of undici's, and what
 * becomes of 2,000 URLs when 15 of 50 proxies, a whole region, say no or stay silent, and of a run when all do.
 *
 *     node bench/proxies.ts
 */
const proxyCount = 50
const badCount = 15
const urlCount = 2_000
const rounds = 7
const requestsPerRound = 400
const inFlight = 16
const connectMs = 3_000
const parkedForMs = 4_000
const userAgent = 'millrace-bench/1.0 (+https://millrace.test/)'

const child = fork(new URL('proxy-servers.ts', import.meta.url), [String(proxyCount)], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
const [{ ports }] = (await once(child, 'message')) as [{ readonly ports: readonly number[] }]

async function say<T>(message: string): Promise<T> {
  child.send(message)
  const [answer] = await once(child, 'message')
  return answer as T
}

async function cpuUsOf(get: () => Promise<void>): Promise<number> {
  let left = requestsPerRound
  const before = process.cpuUsage()
  const work = async (): Promise<void> => {
    while (left-- > 0) await get()
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requestsPerRound
}

const url = 'http://host.test/page'
const task = newTask(url, new URL(url), 'page')
const headers = createRequestHeaders({ userAgent, headers: {} })(task, { authorization: null, cookie: null })

/** A client for each request, on the same proxy and with the same request. */
const bare = (port: number) => (): Promise<void> =>
  new Promise((resolve, reject) => {
    const client = new Client(`http://127.0.0.1:${port}`)
    client.dispatch(
      { path: url, method: 'GET', headers: [...headers, 'host', 'host.test'] },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => void client.destroy().then(resolve),
        onResponseError: (_, error) => reject(error),
      },
    )
  })

async function freshRatio(port: number): Promise<number> {
  await using fetcher = createFetcher({
    env: realEnv,
    timeouts: defaultTimeouts,
    bodyBytes: 10_000_000,
    userAgent,
    headers: {},
  })
  const route: Route = {
    proxy: { protocol: 'http', host: '127.0.0.1', port, credentials: null },
    connection: 'fresh',
    sessionKey: null,
    region: 'bench',
    label: 'bench',
  }
  const { signal } = new AbortController()
  const ours = async (): Promise<void> => {
    const { kind } = await fetcher.fetch({ task, route, grow: () => {} }, signal)
    if (kind !== 'page') throw new Error(`a page was expected, and ${kind} came`)
  }
  const theirs = bare(port)
  await cpuUsOf(theirs)
  await cpuUsOf(ours)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [theirs, ours] : [ours, theirs]
    const [one, other] = [await cpuUsOf(first), await cpuUsOf(second)]
    ratios.push(round % 2 === 0 ? other / one : one / other)
  }
  return median(ratios)
}

const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'))
const ca = join(folder, 'ca.pem')
await writeFile(ca, cert)

const jobOver = (urls: number, name: string): JobInput => ({
  name,
  seeds: Array.from({ length: urls }, (_, nth) => `https://localhost/${nth}`),
  item: { title: 'h1' },
  robots: { ignoreFor: ['localhost'] },
  limits: { perHost: { policy: 'fixed', max: 24 }, rate: 'none', delayMs: 0 },
  timeouts: { connectMs },
  tls: { ca },
  proxies: {
    list: ports.map((port, at) => ({
      url: `http://127.0.0.1:${port}`,
      region: at < badCount ? 'bad' : `good${at % 3}`,
    })),
  },
})

async function regionFails(mode: '502' | 'silent'): Promise<readonly Bound[]> {
  await say(`${mode} 0 ${badCount}`)
  await say('count')
  const startedMs = realClock.nowMs()
  const { ledger } = await crawl(jobOver(urlCount, mode), { threads: 0 }).finished()
  const asked = await say<readonly number[]>('count')
  await say(`good 0 ${badCount}`)
  const wasted = asked.slice(0, badCount).reduce((sum, times) => sum + times, 0)
  return [
    { name: `${mode}: part of the URLs that came home`, value: ledger.done / urlCount, atLeast: 0.995 },
    { name: `${mode}: attempts that were wasted`, value: wasted, atMost: 5 * badCount + urlCount * 0.05 },
    { name: `${mode}: seconds in all`, value: (realClock.nowMs() - startedMs) / 1000, atMost: 120 },
  ]
}

async function allFail(): Promise<readonly Bound[]> {
  await say(`502 0 ${proxyCount}`)
  await say('count')
  const run = crawl(jobOver(200, 'parked'), { threads: 0, signal: AbortSignal.timeout(parkedForMs) })
  const { ledger } = await run.finished()
  const asked = await say<readonly number[]>('count')
  const seconds = parkedForMs / 1000
  return [
    { name: 'all fail: attempts a second of the proxy asked most', value: Math.max(...asked) / seconds, atMost: 1 },
    { name: 'all fail: URLs that ended dead meanwhile', value: ledger.failed, atMost: 0 },
  ]
}

console.log(JSON.stringify(machine))
try {
  assertBounds([
    {
      name: 'CPU of a fresh connection, over a bare fresh dispatch',
      value: await freshRatio(ports.at(-1) ?? 0),
      atMost: 1.3,
    },
    ...(await regionFails('502')),
    ...(await regionFails('silent')),
    ...(await allFail()),
  ])
} finally {
  child.disconnect()
  await rm(folder, { recursive: true })
}
