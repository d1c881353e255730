import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createStage } from '../../src/stage/stage.ts'
import { bytesOf, pageRule, parsed, parseRequest, stageRules } from './requests.ts'

const stage = createStage(
  stageRules([pageRule('product', { match: '/p/*', follow: ['a'] }), pageRule('other', { follow: ['a'] })], {
    sitemaps: [
      { name: 'sitemap', since: null, page: null },
      { name: 'sitemap 2', since: '2026-01-01', page: 'other' },
    ],
  }),
  () => 0,
)

const urlset = (urls: readonly string[]): string =>
  `<urlset>${urls.map(url => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
const ask = (content: string | Uint8Array, more: Partial<ReturnType<typeof parseRequest>> = {}) =>
  stage.run(
    parseRequest(bytesOf(content), {
      askedUrl: 'http://shop.test/sitemap.xml',
      finalUrl: 'http://shop.test/sitemap.xml',
      page: 'sitemap',
      contentType: 'application/xml',
      ...more,
    }),
  )
const linksOf = (reply: ReturnType<typeof ask>): string[] =>
  parsed(reply).links.map(({ url, page }) => `${page} ${url}`)

test('entries are judged by scope, routed and keyed like links', () => {
  const reply = ask(urlset(['http://shop.test/p/1', 'http://shop.test/about?b=1&a=2', 'http://else.test/p/1', '/p/2']))
  expect(linksOf(reply)).toEqual([
    'product http://shop.test/p/1',
    'other http://shop.test/about?b=1&a=2',
    'product http://shop.test/p/2',
  ])
  expect(parsed(reply).links[1]?.key).toBe('http://shop.test/about?a=2&b=1')
  expect(parsed(reply)).toMatchObject({ itemCount: 0 })
})

test('a seed may say which rule reads them, and from when on changes are wanted', () => {
  const text = `<urlset><url><loc>http://shop.test/p/1</loc><lastmod>2025-12-31</lastmod></url><url><loc>http://shop.test/p/2</loc><lastmod>2026-01-01</lastmod></url><url><loc>http://shop.test/p/3</loc></url></urlset>`
  expect(linksOf(ask(text, { page: 'sitemap 2' }))).toEqual([
    'other http://shop.test/p/2',
    'other http://shop.test/p/3',
  ])
})

describe('sitemaps that sitemaps name', () => {
  const index = (url: string): string => `<sitemapindex><sitemap><loc>${url}</loc></sitemap></sitemapindex>`

  test('are sitemaps of the same seed, on hosts of the same domain', () => {
    expect(linksOf(ask(index('http://files.shop.test/1.xml.gz'), { page: 'sitemap 2' }))).toEqual([
      'sitemap 2 http://files.shop.test/1.xml.gz',
    ])
    expect(linksOf(ask(index('http://else.test/1.xml')))).toEqual([])
  })

  test('are not followed for ever', () => {
    expect(linksOf(ask(index('/2.xml'), { depth: 4 }))).toHaveLength(1)
    expect(linksOf(ask(index('/2.xml'), { depth: 5 }))).toEqual([])
  })

  test('may be anywhere where a robots file names them', () => {
    const reply = ask('User-agent: *\nSitemap: http://else.test/1.xml', {
      askedUrl: 'http://shop.test/robots.txt',
      finalUrl: 'http://shop.test/robots.txt',
      contentType: 'text/plain',
    })
    expect(linksOf(reply)).toEqual(['sitemap http://else.test/1.xml'])
  })
})

describe('packed sitemaps', () => {
  const many = Array.from({ length: 50_001 }, (_, nth) => `http://shop.test/p/${nth}`)

  const some = many.slice(0, 2_000)
  const packed = gzipSync(urlset(some))

  test('are known by their bytes, and have as many URLs as they have', () => {
    const file = gzipSync(urlset(many))
    expect(parsed(ask(file, { contentType: 'application/octet-stream' })).links).toHaveLength(50_001)
  })

  test('may have a content coding on top', () => {
    expect(parsed(ask(gzipSync(packed), { contentCoding: 'gzip' })).links).toHaveLength(2_000)
  })

  test('that break off keep what was whole, and say so', () => {
    const reply = parsed(ask(packed.subarray(0, packed.byteLength / 2)))
    expect(reply.links.length).toBeGreaterThan(500)
    expect(reply.links.length).toBeLessThan(2_000)
    expect(reply.refused).toMatchObject([{ code: 'DECODE_FAILED', message: expect.stringMatching(/to its end/) }])
  })

  test('that unpack to more than any sitemap are cut, and say so', () => {
    const file = gzipSync(`${urlset(some).slice(0, -9)}${' '.repeat(101 * 1024 * 1024)}</urlset>`, { level: 1 })
    const reply = parsed(ask(file))
    expect(reply.links).toHaveLength(2_000)
    expect(reply.refused).toMatchObject([{ code: 'BODY_TOO_LARGE' }])
  })

  test('with more entries than are kept say so', () => {
    const reply = parsed(ask('http://shop.test/\n'.repeat(200_002)))
    expect(reply.refused).toMatchObject([{ code: 'BODY_TOO_LARGE', message: expect.stringMatching(/200000 entries/) }])
  })
})

test('a page that is served in place of a sitemap is refused by its URL, with what would be accepted', () => {
  const faultOf = (code: string, message: RegExp) => ({ fault: { code, message: expect.stringMatching(message) } })
  expect(ask('<!doctype html><title>Not found</title>', { contentType: 'text/html' })).toMatchObject(
    faultOf('CONTENT_TYPE', /^http:\/\/shop\.test\/sitemap\.xml: this is no sitemap; accepted are/),
  )
  expect(ask(gzipSync('x').subarray(0, 5))).toMatchObject(
    faultOf('DECODE_FAILED', /^http:\/\/shop\.test\/sitemap\.xml: the body is/),
  )
})
