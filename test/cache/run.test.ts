import type { IncomingMessage, RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type CrawlResult, crawl, type JobInput, type Report } from '../../src/index.ts'
import { createHttpServer } from '../servers/http.ts'
import { temporaryFolder } from './kit.ts'

interface Site extends AsyncDisposable {
  readonly url: string
  /** Paths that were asked for, with their status; robots files among them. */
  readonly log: string[]
}

async function startSite(listener: RequestListener): Promise<Site> {
  const log: string[] = []
  const server = await createHttpServer((request, response) => {
    response.once('close', () => log.push(`${request.url} ${response.statusCode}`))
    listener(request, response)
  })
  return {
    url: server.url,
    log,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const etagOf = (path: string): string => `"${path}"`
const pages = 12

/** A list that leads to pages, one of them by a redirect and one that is gone. */
const shop =
  (headers: (request: IncomingMessage) => Record<string, string>): RequestListener =>
  (request, response) => {
    const path = request.url ?? ''
    if (path === '/robots.txt') return void response.writeHead(200, { 'content-type': 'text/plain' }).end('')
    if (path === '/old') return void response.writeHead(301, { location: '/page/1' }).end()
    if (path === '/gone') return void response.writeHead(410).end()
    if (request.headers['if-none-match'] === etagOf(path)) return void response.writeHead(304, headers(request)).end()
    const links = Array.from({ length: pages }, (_, nth) => `<a href="/page/${nth}">${nth}</a>`).join('')
    const body = path === '/' ? `${links}<a href="/gone"></a><a href="/old"></a>` : `<h1>Page ${path}</h1>`
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag: etagOf(path), ...headers(request) })
    response.end(`<title>${path}</title>${body}`)
  }

interface Ran {
  readonly report: Report
  /** Items without the time at which they were read. */
  readonly items: string
  readonly times: readonly unknown[]
}

async function ran(job: JobInput): Promise<Ran> {
  const run = crawl(job, { threads: 0 })
  const results: CrawlResult[] = []
  for await (const result of run) results.push(result)
  const items = results.flatMap(result => (result.kind === 'page' ? result.items : []))
  const bare = items.map(({ _at, ...rest }) => JSON.stringify(rest)).sort()
  return { report: await run.finished(), items: bare.join('\n'), times: items.map(({ _at }) => _at) }
}

const jobOf = (site: Site, more: Partial<JobInput> = {}): JobInput => ({
  name: 'shop',
  seeds: [`${site.url}/`],
  item: { title: 'title', heading: 'h1' },
  follow: ['a'],
  ...more,
})

describe('reuse', () => {
  test('gives the items of a run without a cache, and then again without asking anybody, at full speed', async () => {
    await using site = await startSite(shop(() => ({ 'cache-control': 'no-store' })))
    await using folder = await temporaryFolder()
    const bare = await ran(jobOf(site))
    const cache = { dir: folder.path, mode: 'reuse' } as const
    const first = await ran(jobOf(site, { cache }))
    expect(first.items).toBe(bare.items)
    expect(bare.report.cache).toBeNull()
    expect(first.report.cache).toEqual({ hits: 0, revalidated: 0, stored: pages + 3 })
    const asked = site.log.length
    // Half an hour of waiting, were the host asked.
    const slowly = { limits: { delayMs: 120_000, globalRate: { perMinute: 1 }, inFlight: 1 } }
    const again = await ran(jobOf(site, { cache, ...slowly }))
    expect(again.items).toBe(first.items)
    expect(site.log.slice(asked)).toEqual([])
    expect(again.report.cache).toEqual({ hits: pages + 3, revalidated: 0, stored: 0 })
    expect(again.report.ledger).toEqual(first.report.ledger)
    expect(again.report.bytesIn).toBe(0)
    expect(again.report.hosts).toEqual([])
  })

  test('an item says when its page came, not when it was read again', async () => {
    await using site = await startSite(shop(() => ({})))
    await using folder = await temporaryFolder()
    const cache = { dir: folder.path, mode: 'reuse' } as const
    await ran(jobOf(site, { cache }))
    const cameBefore = new Date().toISOString()
    const again = await ran(jobOf(site, { cache }))
    for (const time of again.times) expect(String(time) < cameBefore).toBe(true)
  })

  test('asks only for what it does not have, robots file first', async () => {
    await using site = await startSite(shop(() => ({})))
    await using folder = await temporaryFolder()
    const cache = { dir: folder.path, mode: 'reuse' } as const
    await ran(jobOf(site, { cache }))
    site.log.length = 0
    const more = await ran(jobOf(site, { cache, seeds: [`${site.url}/`, `${site.url}/new`] }))
    expect(site.log).toEqual(['/robots.txt 200', '/new 200'])
    expect(more.report.cache).toEqual({ hits: pages + 3, revalidated: 0, stored: 1 })
  })

  test('a page that turns out to block us is asked for again, and not kept', async () => {
    let isBlocking = true
    await using site = await startSite((request, response) => {
      if (request.url === '/robots.txt') return void response.end('')
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(isBlocking ? '<div id="captcha"></div>' : '<h1>A page</h1>')
    })
    await using folder = await temporaryFolder()
    const job = jobOf(site, {
      cache: { dir: folder.path, mode: 'reuse' },
      proxies: { blockSigns: [{ name: 'captcha', selector: '#captcha' }] },
    } as Partial<JobInput>)
    const blocked = await ran(job)
    expect(blocked.report.ledger).toMatchObject({ done: 0, failed: 1 })
    isBlocking = false
    const free = await ran(job)
    expect(free.items).toContain('A page')
    expect(free.report.cache?.hits).toBe(0)
  })
})

describe('revalidate', () => {
  test('asks about what is not fresh, and gives the same items from a 304', async () => {
    await using site = await startSite(shop(() => ({ 'cache-control': 'no-cache' })))
    await using folder = await temporaryFolder()
    const cache = folder.path
    const first = await ran(jobOf(site, { cache }))
    site.log.length = 0
    const again = await ran(jobOf(site, { cache }))
    expect(again.items).toBe(first.items)
    expect(again.report.cache).toEqual({ hits: 0, revalidated: pages + 1, stored: 0 })
    expect(site.log.filter(line => line.endsWith('304'))).toHaveLength(pages + 1)
    expect(again.report.hosts[0]?.requests).toBeGreaterThan(pages)
  })

  test('uses what is fresh without asking, and without teaching a limiter', async () => {
    await using site = await startSite(shop(() => ({ 'cache-control': 'max-age=3600' })))
    await using folder = await temporaryFolder()
    const cache = folder.path
    const first = await ran(jobOf(site, { cache }))
    site.log.length = 0
    const again = await ran(jobOf(site, { cache }))
    expect(again.items).toBe(first.items)
    expect(again.report.cache).toEqual({ hits: pages + 1, revalidated: 0, stored: 0 })
    // Neither is stored: nobody said for how long they hold.
    expect(site.log.sort()).toEqual(['/gone 410', '/old 301', '/robots.txt 200'])
    expect(again.report.hosts[0]?.requests).toBe(3)
  })
})
