import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realEnv } from '../../../src/core/clock.ts'
import type { Route } from '../../../src/core/route.ts'
import type { ClosableFetcher } from '../../../src/fetch/fetcher.ts'
import { type CrawlRun, crawl, type Job } from '../../../src/index.ts'
import { checkJob } from '../../../src/job/check-job.ts'
import { createJobFetcher } from '../../../src/run/job-fetcher.ts'
import { answerOf, createRawServer, type RawRequest, type RawServer } from '../../servers/raw.ts'

const user = 'customer-SEKRET-user'
const password = 'pä/ss+SEKRET=w:rd?'

/** Each way in which somebody might have written them. */
const spellings = [user, password, `${user}:${password}`].flatMap(text => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(text).toString('base64url'),
  Buffer.from(text).toString('hex'),
  JSON.stringify(text).slice(1, -1),
])

/** One kind of failure for each proxy of the list, most of them with all that was asked in their answer. */
const failures: readonly ((request: RawRequest) => string | undefined)[] = [
  ({ head }) => answerOf(`you sent:\n${head}`, [`X-Asked: ${head.replaceAll('\r\n', ' ')}`], '502 Bad Gateway'),
  ({ head }) => answerOf(head, ['Proxy-Authenticate: Basic'], '407 Who are you'),
  ({ head, socket }) => void socket.end(head.slice(head.indexOf('Proxy-'))),
  ({ socket }) => void socket.resetAndDestroy(),
  ({ head, path }) => `HTTP/1.1 503 ${path} ${/Basic (\S+)/i.exec(head)?.[1]}\r\n\r\n`,
  () => answerOf(`user ${user} has used up its ${encodeURIComponent(password)}`, [], '403 Out of credit'),
]

async function textsBelow(folder: string): Promise<readonly (readonly [name: string, text: string])[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  return await Promise.all(
    names
      .filter(entry => entry.isFile())
      .map(async entry => [entry.name, await readFile(join(entry.parentPath, entry.name), 'latin1')] as const),
  )
}

const found = (text: string): readonly string[] => {
  const lower = text.toLowerCase()
  return spellings.filter(
    spelling =>
      lower.includes(spelling.toLowerCase()) || lower.includes(Buffer.from(spelling).toString('latin1').toLowerCase()),
  )
}

const hosts = Array.from({ length: 510 }, (_, nth) => `h${nth}.test`)
/** Through a tunnel: what goes wrong is the proxy's, and costs no waiting for a host. */
const seeds = hosts.map(host => `https://${host}/`)
const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`

function jobWith(proxies: readonly RawServer[], baseDir: string): Job {
  const list = proxies.map(({ port }, nth) => ({ url: `http://${login}@127.0.0.1:${port}`, region: `r${nth}` }))
  return checkJob(
    {
      name: 'secrets',
      seeds,
      item: { title: 'h1' },
      robots: { ignoreFor: hosts },
      limits: { perHost: { policy: 'fixed', max: 64 }, rate: 'none', delayMs: 0 },
      retries: { url: 3, proxy: 1 },
      proxies: { list },
    },
    { path: 'secrets.yaml', baseDir },
  )
}

/** Takes the proxies in turn, whatever came of them before: a pool would leave them alone for minutes. */
function reckless(inner: ClosableFetcher, job: Job): ClosableFetcher {
  const specs = job.proxies.list.flatMap(source => (source.kind === 'proxy' ? [source.spec] : []))
  let turn = 0
  return {
    ...inner,
    fetch(request, signal) {
      const spec = specs[turn++ % specs.length]
      if (spec === undefined) throw new Error('there are no proxies')
      const { address, label } = spec
      const route: Route = { proxy: address, connection: 'fresh', sessionKey: null, region: label, label }
      return inner.fetch({ ...request, route }, signal)
    },
  }
}

async function toldBy(run: CrawlRun): Promise<string> {
  const told: string[] = []
  for await (const result of run) told.push(JSON.stringify(result))
  return [...told, JSON.stringify(await run.finished()), JSON.stringify(run.proxies.views())].join('\n')
}

const askedOf = (proxies: readonly RawServer[]): number =>
  proxies.reduce((sum, { requests }) => sum + requests.length, 0)

describe('credentials of proxies', () => {
  test('are in no file, log, result or report of a thousand failures', async () => {
    const proxies = await Promise.all(failures.map(answer => createRawServer({ answer })))
    const out = await mkdtemp(join(tmpdir(), 'millrace-secrets-'))
    const job = jobWith(proxies, out)
    await using fetcher = await createJobFetcher(job, realEnv)
    const direct = { ...job, proxies: { ...job.proxies, list: [] } }
    const told = await toldBy(crawl(direct, { threads: 0, out, fetcher: reckless(fetcher, job) }))
    expect(askedOf(proxies)).toBeGreaterThanOrEqual(1_000)
    for (const { requests } of proxies)
      for (const { head } of requests) expect(head).toMatch(/^Proxy-Authorization: Basic /im)
    const files = await textsBelow(out)
    expect(files.map(([name]) => name)).toEqual(expect.arrayContaining(['dead.jsonl', 'run.log', 'report.json']))
    for (const [name, text] of [...files, ['told', told] as const]) expect(found(text), name).toEqual([])
    await Promise.all(proxies.map(proxy => proxy[Symbol.asyncDispose]()))
    await rm(out, { recursive: true })
  })

  test('are not told by the pool either, when it leaves them alone', async () => {
    const stop = new AbortController()
    let asked = 0
    const proxies = await Promise.all(
      failures.map(answer =>
        createRawServer(request => {
          asked += 1
          if (asked === 20) setTimeout(() => stop.abort(), 200)
          return answer(request)
        }),
      ),
    )
    const out = await mkdtemp(join(tmpdir(), 'millrace-secrets-'))
    const run = crawl(jobWith(proxies, out), { threads: 0, out, signal: stop.signal })
    const told = await toldBy(run)
    const files = await textsBelow(out)
    expect(files.find(([name]) => name === 'run.log')?.[1]).toMatch(/proxy|proxies/)
    for (const [name, text] of [...files, ['told', told] as const]) expect(found(text), name).toEqual([])
    await Promise.all(proxies.map(proxy => proxy[Symbol.asyncDispose]()))
    await rm(out, { recursive: true })
  })
})
