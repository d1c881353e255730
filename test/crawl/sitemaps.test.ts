import { expect, test } from 'vitest'
import { robotsPage } from '../../src/core/task.ts'
import { crawl, type JobInput } from '../../src/index.ts'
import { createSimWeb, type HostModel, htmlOf } from '../sim/hosts.ts'
import { createSimEnv } from '../sim/random.ts'
import { adds, simulate } from './kit.ts'

const open = { perHost: { policy: 'fixed', max: 4 }, rate: 'none', delayMs: 0 } as const
const item = { title: 'h1' }
const xml = (body: string) => ({ status: 200, contentType: 'application/xml', body })
const urlset = (urls: readonly string[]) =>
  xml(`<urlset>${urls.map(url => `<url><loc>${url}</loc></url>`).join('')}</urlset>`)
const index = (urls: readonly string[]) =>
  xml(`<sitemapindex>${urls.map(url => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`)

/** Pages of a host by their paths; any other is a page without links. */
const site = (pages: Readonly<Record<string, ReturnType<typeof xml> | string>>, robots?: string): HostModel => ({
  page: url => pages[url.pathname] ?? htmlOf(url.pathname, []),
  ...(robots !== undefined && { robots }),
})

test('what a sitemap names is fetched like seeds: at depth 0, by the rule that fits', async () => {
  const job: JobInput = {
    seeds: [{ sitemap: 'http://a.test/sitemap.xml' }],
    pages: [{ name: 'product', match: '/p/*', item, follow: 'a' }],
    scope: { maxDepth: 1 },
    limits: open,
  }
  const { report, results } = await simulate({
    job,
    hosts: {
      'a.test': site({
        '/sitemap.xml': index(['/1.xml', 'http://a.test/sitemap.xml']),
        '/1.xml': urlset(['/p/1', '/about', 'http://b.test/p/1']),
        '/p/1': htmlOf('one', ['/p/2']),
        '/p/2': htmlOf('two', ['/p/3']),
      }),
    },
  })
  expect(results.map(({ url }) => url).sort()).toEqual(
    ['/1.xml', '/p/1', '/p/2', '/sitemap.xml'].map(path => `http://a.test${path}`),
  )
  expect(report).toMatchObject({ items: 2, finished: true, ledger: { done: 4 } })
})

test('the robots file of a site names its sitemaps, even where it refuses everything else of its own', async () => {
  const { report, web } = await simulate({
    job: { seeds: [{ sitemap: 'robots', of: 'http://a.test/shop/' }], item, scope: 'any', limits: open },
    hosts: {
      'a.test': { robots: 'User-agent: *\nDisallow: /\nSitemap: http://files.test/s.xml' },
      'files.test': site({ '/s.xml': urlset(['http://b.test/1', 'http://a.test/closed']) }),
      'b.test': {},
    },
  })
  expect(web.requestsOf('b.test').map(({ url }) => url)).toContain('http://b.test/1')
  expect(report).toMatchObject({ items: 1, skips: { robots: 1 } })
})

test('a sitemap that cannot be read is a dead letter, and one that breaks off keeps what was whole', async () => {
  const { report, results } = await simulate({
    job: { seeds: [{ sitemap: 'http://a.test/none.xml' }, { sitemap: 'http://a.test/cut.xml' }], item, limits: open },
    hosts: { 'a.test': site({ '/cut.xml': xml('<urlset><url><loc>/1</loc></url><url><loc>/2') }) },
  })
  expect(report).toMatchObject({ items: 1, ledger: { discovered: 3, done: 2, failed: 1 } })
  expect(results.flatMap(result => (result.kind === 'dead' ? [`${result.url} ${result.code}`] : [])).sort()).toEqual([
    'http://a.test/cut.xml PARSE_FAILED',
    'http://a.test/none.xml CONTENT_TYPE',
  ])
  expect(adds(report.ledger)).toBe(true)
})

test('sitemaps cost nothing of a budget of pages', async () => {
  const { report } = await simulate({
    job: { seeds: [{ sitemap: 'http://a.test/s.xml' }], item, budget: { pages: 2 }, limits: open },
    hosts: { 'a.test': site({ '/s.xml': urlset(['/1', '/2', '/3']) }) },
  })
  expect(report).toMatchObject({ items: 2, budget: 'pages', ledger: { done: 3, pending: 1 } })
})

test('since leaves out sitemaps and URLs that have not changed', async () => {
  const entry = (tag: string, path: string, changed: string): string =>
    `<${tag}><loc>${path}</loc><lastmod>${changed}</lastmod></${tag}>`
  const { web } = await simulate({
    job: { seeds: [{ sitemap: 'http://a.test/s.xml', since: '2026-01-01' }], item, limits: open },
    hosts: {
      'a.test': site({
        '/s.xml': xml(
          `<sitemapindex>${entry('sitemap', '/old.xml', '2025-06-01')}${entry('sitemap', '/new.xml', '2026-02-01')}</sitemapindex>`,
        ),
        '/new.xml': xml(`<urlset>${entry('url', '/1', '2025-12-31')}${entry('url', '/2', '2026-01-15')}</urlset>`),
      }),
    },
  })
  expect(web.log.map(({ url }) => new URL(url).pathname).filter(path => path !== '/robots.txt')).toEqual([
    '/s.xml',
    '/new.xml',
    '/2',
  ])
})

test('addresses that the sitemap of a public host names have the reach of a stranger', async () => {
  const env = createSimEnv(1)
  const web = createSimWeb({ env, seed: 1, hosts: { 'a.test': site({ '/s.xml': urlset(['/1']) }) } })
  const reaches = new Map<string, string>()
  const fetcher = {
    ...web,
    async fetch(...[request, signal]: Parameters<typeof web.fetch>) {
      if (request.task.page !== robotsPage) reaches.set(request.task.url, request.task.reach)
      const outcome = await web.fetch(request, signal)
      // As the transport tells it of a host whose address is public.
      return outcome.kind === 'page' ? { ...outcome, page: { ...outcome.page, reach: 'public' as const } } : outcome
    },
  }
  const job: JobInput = { seeds: [{ sitemap: 'http://a.test/s.xml' }], item, limits: open }
  await env.clock.run(() => crawl(job, { env, fetcher, threads: 0 }).finished())
  expect(Object.fromEntries(reaches)).toEqual({ 'http://a.test/s.xml': 'any', 'http://a.test/1': 'public' })
})
