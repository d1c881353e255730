import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { htmlText } from '../../src/core/html-text.ts'
import { type Addresses, createAddresses } from '../../src/demo/addresses.ts'
import { createCatalogue } from '../../src/demo/catalogue.ts'
import { createDice } from '../../src/demo/dice.ts'
import type { Product } from '../../src/demo/product.ts'
import { type DemoSite, startDemoSite } from '../../src/demo/site.ts'
import { type DemoExpectation, demoExpectation } from './expected.ts'
import { decoded, get, textOf } from './get.ts'
import { type Walk, walk } from './walk.ts'

let site: DemoSite
let addresses: Addresses
let expected: DemoExpectation
beforeAll(async () => {
  site = await startDemoSite({ slowMs: 0 })
  addresses = createAddresses(site.urls, site.catalogue)
  expected = demoExpectation(site.catalogue, site.urls)
})
afterAll(() => site[Symbol.asyncDispose]())

const product = (fits: (product: Product) => boolean): Product => {
  const { catalogue } = site
  const found = catalogue.products.find(
    candidate =>
      !catalogue.throttled.has(candidate.index) && !catalogue.renamed.has(candidate.index) && fits(candidate),
  )
  if (found === undefined) throw new Error('the catalogue has no such product')
  return found
}

describe('the pages', () => {
  test('every product page has between 20 and 60 KB and is answered with 200', async () => {
    for (const each of site.catalogue.products.filter(({ index }) => !site.catalogue.throttled.has(index))) {
      const { status, body } = await get(addresses.canonical(each))
      expect(status).toBe(200)
      expect(body.byteLength, each.title).toBeGreaterThan(20_000)
      expect(body.byteLength, each.title).toBeLessThan(60_000)
    }
  })

  test('lists show ten products and lead to the next list until the last', async () => {
    const [first] = site.catalogue.products
    const lists = [1, 2, 3].map(page => addresses.category(first?.trade ?? product(() => true).trade, page))
    const texts = await Promise.all(lists.map(async url => textOf(await get(url))))
    expect(texts.map(text => text.match(/<li class="card">/g)?.length)).toEqual([10, 10, 5])
    expect(texts.map(text => /<li class="next"><a href="([^"]+)"/.exec(text)?.[1])).toEqual([
      lists[1],
      lists[2],
      undefined,
    ])
  })

  test('what is discontinued answers 404 or 410, and so does every address nobody knows', async () => {
    const statuses = await Promise.all(expected.deadUrls.map(async url => (await get(url)).status))
    expect(statuses).toEqual(site.catalogue.discontinued.map(({ status }) => status))
    expect((await get(`${site.urls.media}nowhere`)).status).toBe(404)
    expect((await get(`${site.urls.shop}category/whole-grain/`)).status).toBe(404)
  })

  test('a renamed product is two redirects away from its old address', async () => {
    const renamed = site.catalogue.products.filter(({ index }) => site.catalogue.renamed.has(index))
    expect(renamed.length).toBeGreaterThan(0)
    for (const each of renamed) {
      const first = await get(addresses.product(each))
      expect([first.status, first.headers.location]).toEqual([301, addresses.stepping(each)])
      const second = await get(addresses.stepping(each))
      expect([second.status, second.headers.location]).toEqual([302, new URL(addresses.canonical(each)).href])
      expect((await get(addresses.canonical(each))).status).toBe(200)
    }
  })

  test('a picture is an SVG of its own', async () => {
    const { headers, body } = await get(
      addresses.picture(
        product(({ imageCount }) => imageCount > 1),
        1,
      ),
    )
    expect(headers['content-type']).toMatch(/^image\/svg\+xml/)
    expect(body.toString()).toMatch(/^<svg [\s\S]*<\/svg>\s*$/)
  })

  test('robots files are those of their host', async () => {
    const texts = await Promise.all(
      Object.values({ ...site.urls }).map(async origin => textOf(await get(`${origin}robots.txt`))),
    )
    expect(texts[0]).toContain('Disallow: /admin/')
    expect(texts[1]).toContain('Disallow: /cart')
    expect(texts[2]).toContain('Allow: /drafts/open-day.html')
    expect(new Set(texts).size).toBe(3)
  })
})

describe('the server', () => {
  test.each([
    ['', null],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0', null],
    ['zstd', null],
  ])('Accept-Encoding "%s" is answered with %s', async (accepted, coding) => {
    const url = addresses.canonical(product(() => true))
    const answer = await get(url, { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding'] ?? null).toBe(coding)
    expect(Number(answer.headers['content-length'])).toBe(answer.body.byteLength)
    expect(decoded(answer).equals((await get(url)).body)).toBe(true)
  })

  test.each([
    ['shift_jis', 'text/html; charset=Shift_JIS', null],
    ['windows-1252', 'text/html', 'windows-1252'],
    ['utf-8', 'text/html; charset=utf-8', null],
    ['utf-8', 'text/html', null],
  ])('pages in %s declared by "%s" read as they were written', async (charset, contentType, meta) => {
    const declaredBy = meta !== null ? 'meta' : contentType.includes(';') ? 'header' : 'nothing'
    const each = product(({ trade }) => trade.charset === charset && trade.declaredBy === declaredBy)
    const answer = await get(addresses.canonical(each))
    expect(answer.headers['content-type']).toBe(contentType)
    expect(/<meta charset="([^"]+)"/.exec(answer.body.toString('latin1'))?.[1] ?? null).toBe(meta)
    const text = textOf(answer)
    expect(text).not.toContain('\ufffd')
    for (const paragraph of each.description) expect(text).toContain(htmlText(paragraph))
  })

  test('a throttled product answers 429 to its first request only', async () => {
    await using fresh = await startDemoSite({ slowMs: 0 })
    const links = createAddresses(fresh.urls, fresh.catalogue)
    const throttled = fresh.catalogue.products.filter(({ index }) => fresh.catalogue.throttled.has(index))
    for (const each of throttled) {
      const first = await get(links.canonical(each))
      expect([first.status, first.headers['retry-after']]).toEqual([429, '1'])
      expect((await get(links.canonical(each))).status).toBe(200)
    }
    expect(fresh.stats().byStatus).toEqual({ 200: throttled.length, 429: throttled.length })
  })

  test('requests that are under way together are counted by host', async () => {
    // Pages so slow that none is answered: what is under way stays so until the site is disposed of.
    const fresh = await startDemoSite({ slowMs: 600_000 })
    const links = createAddresses(fresh.urls, fresh.catalogue)
    const slow = fresh.catalogue.products.filter(({ index }) => fresh.catalogue.slow.has(index)).slice(0, 5)
    const cut = slow.map(each => get(links.canonical(each)).catch(() => 'cut'))
    await vi.waitFor(() => expect(fresh.stats().requests).toBe(5), { timeout: 10_000, interval: 5 })
    await get(fresh.urls.home)
    const [home = '', shop = '', media] = fresh.hosts
    expect(media).toMatch(/^media\.localhost:\d+$/)
    expect(fresh.stats()).toEqual({
      requests: 6,
      peakInFlightByHost: { [home]: 1, [shop]: 5 },
      byStatus: { 200: 1 },
    })
    await fresh[Symbol.asyncDispose]()
    expect(await Promise.all(cut)).toEqual(slow.map(() => 'cut'))
  })

  test('the slowest pages take between three eighths of the longest time and all of it', () => {
    const shares = [...site.catalogue.slow.values()]
    expect(shares.length).toBeGreaterThan(10)
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.375)
    expect(Math.max(...shares)).toBeLessThanOrEqual(1)
  })

  test('a host it does not know is told so, and nothing can be written', async () => {
    expect((await get(site.urls.home, { host: 'other.localhost' })).status).toBe(421)
    expect((await get(site.urls.home, {}, 'POST')).status).toBe(405)
    expect((await get(site.urls.home, {}, 'HEAD')).body.byteLength).toBe(0)
  })

  test('disposing frees the port at once, even while a slow page is under way', async () => {
    const fresh = await startDemoSite({ slowMs: 60_000 })
    const [index = 0] = fresh.catalogue.slow.keys()
    const slow = fresh.catalogue.products[index] ?? product(() => true)
    const cut = get(createAddresses(fresh.urls, fresh.catalogue).canonical(slow)).catch(() => 'cut')
    await get(fresh.urls.home)
    await fresh[Symbol.asyncDispose]()
    expect(await cut).toBe('cut')
    await expect(get(fresh.urls.home)).rejects.toThrow('ECONNREFUSED')
  })

  test('the same seed serves the same bytes, another seed another shop', async () => {
    await using again = await startDemoSite({ slowMs: 0 })
    const pathOf = new URL(addresses.canonical(product(() => true))).pathname.slice(1)
    const withoutPort = async (one: DemoSite): Promise<string> =>
      textOf(await get(`${one.urls.shop}${pathOf}`)).replaceAll(new URL(one.urls.home).port, 'PORT')
    expect(await withoutPort(again)).toBe(await withoutPort(site))
    expect(again.catalogue).toEqual(site.catalogue)
    expect(createCatalogue(2).products).not.toEqual(site.catalogue.products)
  })
})

describe('the demo job, walked by the plainest crawler', () => {
  const dice = createDice(7)
  test.each<[string, (waiting: number) => number]>([
    ['first found, first asked', () => 0],
    ['in any order', waiting => dice.between(0, waiting - 1)],
  ])('comes to what is expected: %s', { timeout: 60_000 }, async (_, order) => {
    const { done, failed, refused, redirectedToKnown } = await walk(site.urls, order)
    expect([...failed].sort()).toEqual([...expected.deadUrls].sort())
    expect([...refused].sort()).toEqual([...expected.refusedUrls].sort())
    expect(redirectedToKnown.length).toBe(expected.redirectedToKnown)
    const rules = Object.groupBy([...done.values()], ({ rule }) => rule)
    expect(Object.fromEntries(Object.entries(rules).map(([rule, pages]) => [rule, pages?.length]))).toEqual(
      expected.pageCounts,
    )
    const { ledger } = expected
    expect(done.size).toBe(ledger.done)
    expect(done.size + failed.length + refused.length + redirectedToKnown.length).toBe(ledger.discovered)
    expect(ledger.done + ledger.failed + ledger.skipped).toBe(ledger.discovered)
    checkItems(done)
  })

  /** What can be read without a word of ours: texts, attributes and JSON. */
  function checkItems(done: Walk['done']): void {
    const seen = new Set<string>()
    for (const { rule, $ } of done.values()) {
      if (rule !== 'product') continue
      const item = expected.items.get($('.sku').text())
      const texts = (selector: string): string[] => [...$(selector)].map(element => $(element).text().trim())
      expect({
        title: $('h1').text(),
        currency: $('meta[itemprop=priceCurrency]').attr('content'),
        availability: $('.stock').text(),
        breadcrumbs: texts('.breadcrumb li a'),
        description: texts('.description p'),
        images: [...$('.gallery img')].map(image => new URL($(image).attr('src') ?? '', site.urls.shop).href),
        specs: [...$('table.specs tr')].map(row => ({ name: $('th', row).text(), value: $('td', row).text() })),
        maker: { name: $('.maker strong').text(), town: $('.maker .town').text() },
        data: JSON.parse($('script[type="application/ld+json"]').text()),
      }).toEqual(
        pick(item, [
          'title',
          'currency',
          'availability',
          'breadcrumbs',
          'description',
          'images',
          'specs',
          'maker',
          'data',
        ]),
      )
      expect(item?.offers).toHaveLength($('tr.offer').length)
      seen.add(String(item?.sku))
    }
    expect(seen.size).toBe(300)
  }

  const pick = (item: { readonly [field: string]: unknown } | undefined, names: readonly string[]): object =>
    Object.fromEntries(names.map(name => [name, item?.[name]]))
})
