import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { crawl } from '../../src/index.ts'
import { htmlOf } from '../sim/hosts.ts'
import { adds, simulate, urlsOf } from './kit.ts'

const open = { perHost: { policy: 'fixed', max: 4 }, rate: 'none', delayMs: 0 } as const
const item = { title: 'h1' }
const pathsOf = (web: { readonly log: readonly { readonly url: string }[] }): string[] =>
  web.log.map(({ url }) => url.replace('http://a.test', '')).filter(path => path !== '/robots.txt')

test('a URL is sent byte for byte as it was found, whatever its key is', async () => {
  const lines: string[] = []
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', bytes => {
      const [line = ''] = bytes.toString('latin1').split('\r\n')
      lines.push(line)
      const body = line.includes(' / ')
        ? '<a href="/%7Ea?b=2&a=1">1</a><a href="/%7ea?a=1&b=2#x">2</a><a href="/%e2%82%ac;v=1?&utm_source=x&q=%20+">3</a>'
        : '<h1>x</h1>'
      const status = line.includes('robots') ? '404 Not Found' : '200 OK'
      socket.end(
        `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const seeds = [`http://127.0.0.1:${address.port}/`]
    const report = await crawl({ seeds, item, follow: 'a' }, { threads: 0 }).finished()
    expect(report.ledger).toMatchObject({ discovered: 3, done: 3 })
    expect(lines.filter(line => !line.includes('robots')).sort()).toEqual([
      'GET / HTTP/1.1',
      'GET /%7Ea?b=2&a=1 HTTP/1.1',
      'GET /%e2%82%ac;v=1?&utm_source=x&q=%20+ HTTP/1.1',
    ])
  } finally {
    server.close()
  }
})

test('URLs that differ by what says nothing of a page are fetched once', async () => {
  const links = ['/p?utm_source=a', '/p?utm_source=b', '/p', '/p?ref=1', '/p?ref=2']
  const { web } = await simulate({
    job: { seeds: ['http://a.test/'], item, follow: 'a', urls: { alsoDrop: ['ref'] }, limits: open },
    hosts: { 'a.test': { page: url => htmlOf('x', url.pathname === '/' ? links : []) } },
  })
  expect(pathsOf(web)).toEqual(['/', '/p?utm_source=a'])
})

test('URLs of a higher priority go first, by their page rule and by the selector that found them', async () => {
  const { web } = await simulate({
    job: {
      seeds: ['http://a.test/'],
      pages: [
        { name: 'home', match: '/', follow: ['.late', { selector: '.soon', priority: 9 }, '.late2'] },
        { name: 'product', match: '/p/*', item, priority: 5 },
        { name: 'other', item },
      ],
      limits: { ...open, perHost: { policy: 'fixed', max: 1 } },
    },
    hosts: {
      'a.test': {
        page: url =>
          url.pathname === '/'
            ? '<a class=late href=/1>1</a><a class=late2 href=/p/1>2</a><a class=soon href=/2>3</a>'
            : '<h1>x</h1>',
      },
    },
  })
  expect(pathsOf(web)).toEqual(['/', '/2', '/p/1', '/1'])
})

describe('what pages say of themselves', () => {
  const head = (text: string, links: readonly string[] = []): string => `<head>${text}</head>${htmlOf('x', links)}`

  test('noindex gives no item, and its links are followed', async () => {
    const page = (url: URL): string =>
      url.pathname === '/' ? head('<meta name=robots content=noindex>', ['/1']) : head('')
    const { report } = await simulate({
      job: { seeds: ['http://a.test/'], item, follow: 'a', nofollow: 'obey', limits: open },
      hosts: { 'a.test': { page } },
    })
    expect(report).toMatchObject({ items: 1, ledger: { done: 1, skipped: 1 }, skips: { noindex: 1 } })
  })

  const spellings = (url: URL): string =>
    url.pathname === '/'
      ? htmlOf('home', ['/p?v=1', '/p?v=2', '/p?v=3'])
      : head('<link rel=canonical href=/p>', url.search === '?v=3' ? ['/p'] : [])

  test('`use`: the spellings of one page give one item, and its canonical URL is not asked for', async () => {
    const { report, web } = await simulate({
      job: { seeds: ['http://a.test/'], item, follow: 'a', canonical: 'use', limits: open },
      hosts: { 'a.test': { page: spellings } },
    })
    expect(report).toMatchObject({ items: 2, ledger: { discovered: 5, done: 2, skipped: 3 }, skips: { canonical: 3 } })
    expect(pathsOf(web)).not.toContain('/p')
  })

  test('`follow`: the canonical URL is asked for in their stead, once', async () => {
    const { report, web, results } = await simulate({
      job: { seeds: ['http://a.test/'], item, follow: 'a', canonical: 'follow', limits: open },
      hosts: { 'a.test': { page: spellings } },
    })
    expect(report).toMatchObject({ items: 2, ledger: { done: 2, skipped: 2 }, skips: { 'redirected-to-known': 2 } })
    expect(pathsOf(web).filter(path => path === '/p')).toHaveLength(1)
    expect(results.find(result => result.kind === 'page' && result.finalUrl === 'http://a.test/p')).toBeDefined()
  })

  test('pages that name each other as canonical are read all the same', async () => {
    const page = (url: URL): string => head(`<link rel=canonical href=${url.pathname === '/1' ? '/2' : '/1'}>`)
    const { report } = await simulate({
      job: { seeds: ['http://a.test/1'], item, canonical: 'follow', limits: open },
      hosts: { 'a.test': { page } },
    })
    expect(report).toMatchObject({ items: 1, ledger: { discovered: 1, done: 1 } })
  })

  test('a page with the text of another one gives no item, and its links are not followed', async () => {
    const text = 'Words that are the same on both of them. '.repeat(10)
    const page = (url: URL): string =>
      url.pathname === '/'
        ? htmlOf('home', ['/1', '/2'])
        : `<h1>x</h1><p>${text}</p><a href="${url.pathname}/more"></a>`
    const { report } = await simulate({
      job: { seeds: ['http://a.test/'], item, follow: 'a', scope: { maxDepth: 2 }, sameContent: 'skip', limits: open },
      hosts: { 'a.test': { page } },
    })
    expect(report.skips['same-content']).toBe(2)
    expect(report).toMatchObject({ items: 2, ledger: { discovered: 4, done: 2 } })
  })
})

describe('traps', () => {
  test('links that are wrong by a level are left, and told', async () => {
    const { report, results } = await simulate({
      job: { seeds: ['http://a.test/'], item, follow: 'a', limits: open },
      hosts: { 'a.test': { page: url => htmlOf('x', [`${url.pathname.replace(/\/?$/, '/')}about/`]) } },
    })
    expect(report).toMatchObject({
      finished: true,
      ledger: { discovered: 4, done: 3, skipped: 1 },
      skips: { trap: 1 },
      traps: [{ kind: 'repeating-segments', urls: 1, example: 'http://a.test/about/about/about/' }],
    })
    expect(results).toContainEqual({ kind: 'skipped', url: 'http://a.test/about/about/about/', reason: 'trap' })
    expect(adds(report.ledger)).toBe(true)
  })

  test('a list that goes on for ever ends', async () => {
    const page = (url: URL): string =>
      htmlOf('No more results', [`/list?page=${Number(url.searchParams.get('page')) + 1}`])
    const { report } = await simulate({
      job: { seeds: ['http://a.test/list?page=0'], item, follow: 'a', traps: { perPattern: 50 }, limits: open },
      hosts: { 'a.test': { page } },
    })
    expect(report).toMatchObject({ finished: true, ledger: { done: 51 }, skips: { trap: 1 } })
    expect(report.traps).toMatchObject([{ kind: 'parameters', pattern: 'a.test/list?page', urls: 1 }])
  })
})

describe('a budget', () => {
  const job = { seeds: urlsOf('a.test', 200), item, limits: open }
  const slow = { 'a.test': { latency: { kind: 'constant', ms: 500 } } } as const

  test('of pages ends the run after exactly so many', async () => {
    const { report } = await simulate({ job: { ...job, budget: { pages: 30 } }, hosts: slow })
    expect(report).toMatchObject({ finished: false, budget: 'pages', ledger: { done: 30, pending: 170 } })
  })

  test('of time ends it when that is up, with what is under way finished', async () => {
    const { report, web } = await simulate({ job: { ...job, budget: { time: '5s' } }, hosts: slow })
    expect(report).toMatchObject({ finished: false, budget: 'time' })
    expect(report.ledger.done).toBeGreaterThan(30)
    expect(report.ledger.done).toBe(web.log.filter(({ answer }) => answer === 200).length)
    expect(report.durationMs).toBeLessThan(6_000)
  })

  test('of bytes ends it soon after they have come', async () => {
    const hosts = { 'a.test': { page: () => 'x'.repeat(10_000) } }
    const { report } = await simulate({ job: { ...job, budget: { bytes: '100kB' } }, hosts })
    expect(report).toMatchObject({ finished: false, budget: 'bytes' })
    expect(report.ledger.done).toBeGreaterThanOrEqual(10)
    expect(report.ledger.done).toBeLessThanOrEqual(13)
  })

  test('of pages per host leaves the rest of a host alone, and the run goes on to its end', async () => {
    const { report, web } = await simulate({
      job: { ...job, seeds: [...job.seeds, ...urlsOf('b.test', 5)], budget: { perHost: { pages: 10 } } },
      hosts: { 'a.test': { failures: { HTTP_STATUS: 0.3 } }, 'b.test': {} },
    })
    expect(report).toMatchObject({ finished: true, budget: null, ledger: { done: 15, pending: 0 } })
    expect(report.skips.budget).toBeGreaterThan(150)
    expect(web.requestsOf('a.test').filter(({ answer, url }) => answer === 200 && !url.endsWith('.txt'))).toHaveLength(
      10,
    )
    expect(adds(report.ledger)).toBe(true)
  })

  test('that is not spent is not told', async () => {
    const { report } = await simulate({ job: { ...job, budget: { pages: 1_000, time: '1d' } }, hosts: slow })
    expect(report).toMatchObject({ finished: true, budget: null, ledger: { done: 200 } })
  })
})
