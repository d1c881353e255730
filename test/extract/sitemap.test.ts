import { describe, expect, test } from 'vitest'
import { readSitemap, type SitemapEntry } from '../../src/extract/sitemap.ts'

function read(text: string, isRobotsFile = false) {
  const entries: SitemapEntry[] = []
  const reading = readSitemap(text, isRobotsFile, entry => {
    entries.push(entry)
    return true
  })
  return { ...reading, entries, urls: entries.map(({ url }) => url) }
}

const urlset = (inner: string): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`

describe('every form in which URLs are listed is known', () => {
  test('a sitemap, with dates', () => {
    const { form, isWhole, entries } = read(
      urlset(
        '<url><loc> http://a.test/1?x=1&amp;y=2\n</loc><lastmod>2026-01-02</lastmod></url><url><loc><![CDATA[http://a.test/2?a&b]]></loc></url>',
      ),
    )
    expect({ form, isWhole }).toEqual({ form: 'urls', isWhole: true })
    expect(entries).toEqual([
      { url: 'http://a.test/1?x=1&y=2', changed: '2026-01-02', isSitemap: false },
      { url: 'http://a.test/2?a&b', changed: null, isSitemap: false },
    ])
  })

  test('an index', () => {
    const { form, entries } = read(
      '<sitemapindex><sitemap><loc>http://a.test/s.xml.gz</loc><lastmod>2026</lastmod></sitemap></sitemapindex>',
    )
    expect(form).toBe('index')
    expect(entries).toEqual([{ url: 'http://a.test/s.xml.gz', changed: '2026', isSitemap: true }])
  })

  test('a prefix of its own, and images that are no pages', () => {
    expect(
      read(
        '<s:urlset><s:url><image:image><image:loc>http://a.test/i.png</image:loc></image:image><image:loc>http://a.test/j.png</image:loc><s:loc>http://a.test/1</s:loc></s:url></s:urlset>',
      ).urls,
    ).toEqual(['http://a.test/1'])
  })

  test('RSS and Atom', () => {
    const rss =
      '<rss><channel><link>http://a.test/</link><item><title>x</title><link>http://a.test/1</link><pubDate>Sun, 01 Mar 2026 10:00:00 GMT</pubDate></item></channel></rss>'
    expect(read(rss).entries).toEqual([
      { url: 'http://a.test/1', changed: 'Sun, 01 Mar 2026 10:00:00 GMT', isSitemap: false },
    ])
    const atom =
      '<feed><link href="http://a.test/"/><entry><link rel="edit" href="http://a.test/edit"/><link href="http://a.test/1"/><updated>2026-03-01T00:00:00Z</updated><author><name>x</name></author></entry></feed>'
    expect(read(atom).entries).toEqual([{ url: 'http://a.test/1', changed: '2026-03-01T00:00:00Z', isSitemap: false }])
  })

  test('a URL a line', () => {
    expect(read('http://a.test/1\r\n\nno url\n  https://a.test/2')).toMatchObject({
      form: 'lines',
      urls: ['http://a.test/1', 'https://a.test/2'],
    })
  })

  test('the Sitemap lines of a robots file', () => {
    const text = 'User-agent: *\nDisallow: /x\nSitemap: http://a.test/1.xml\nsitemap :http://b.test/2.xml # two\n'
    expect(read(text, true)).toMatchObject({
      form: 'robots',
      urls: ['http://a.test/1.xml', 'http://b.test/2.xml'],
      isWhole: true,
    })
    expect(read('User-agent: *', true)).toMatchObject({ form: 'robots', urls: [] })
  })
})

describe('what is broken is read as far as it goes', () => {
  test('a file that breaks off keeps what was whole', () => {
    const whole = urlset('<url><loc>http://a.test/1</loc></url><url><loc>http://a.test/2</loc></url>')
    const { urls, isWhole } = read(whole.slice(0, whole.indexOf('/2') + 1))
    expect({ urls, isWhole }).toEqual({ urls: ['http://a.test/1'], isWhole: false })
  })

  test('an entry without an end ends where the next begins', () => {
    expect(read(urlset('<url><loc>http://a.test/1</loc><url><loc>http://a.test/2</loc></url>')).urls).toEqual([
      'http://a.test/1',
      'http://a.test/2',
    ])
  })

  test.each([
    '<!doctype html><html><body><url><loc>http://a.test/1</loc></url></body></html>',
    '',
    'nothing here',
    '{}',
  ])('%j is no sitemap', text => {
    expect(read(text)).toMatchObject({ form: 'none', urls: [] })
  })

  test('entities that a file declares are not expanded', () => {
    const bomb = `<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>${urlset('<url><loc>http://a.test/&b;&x;</loc></url>')}`
    expect(read(bomb).urls.join()).not.toMatch(/aaaa|root:/)
  })

  test('a value without end takes no memory', () => {
    const { urls } = read(urlset(`<url><loc>http://a.test/${'x'.repeat(2_000_000)}</loc></url>`))
    expect(urls.join().length).toBeLessThan(100_000)
  })
})

test('reading ends when there is enough', () => {
  let taken = 0
  const text = urlset('<url><loc>http://a.test/1</loc></url>'.repeat(10_000))
  readSitemap(text, false, () => {
    taken += 1
    return taken < 5
  })
  expect(taken).toBe(5)
})
