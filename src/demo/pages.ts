import {
  type Addresses,
  closedPaths,
  createAddresses,
  type DemoUrls,
  infoPages,
  openDraft,
  shortLinked,
} from './addresses.ts'
import type { Catalogue } from './catalogue.ts'
import type { Charset } from './charset.ts'
import { articlesPerPage } from './journal.ts'
import type { Shop } from './layout.ts'
import { articlePage, categoryPage, categoryPages, homePage, journalPage, textPage } from './list-pages.ts'
import { pictureSvg } from './picture.ts'
import type { Product } from './product.ts'
import { productPage } from './product-page.ts'
import { robotsText } from './robots-text.ts'
import { type Trade, trades } from './trades.ts'

/** What the site says to a request, before anything is encoded. */
export interface DemoAnswer {
  readonly status: number
  readonly contentType: string
  readonly charset: Charset
  readonly text: () => string
  readonly location: string | null
  /** Share of the longest time that a slow page takes; 0 for all others. */
  readonly slowness: number
  /** The first request is sent away with 429. */
  readonly throttledOnce: boolean
}

export interface DemoPages {
  readonly addresses: Addresses
  /** `path` as it was asked for: percent-encoded, without a query. */
  answer(site: keyof DemoUrls, path: string): DemoAnswer
}

const plain = { charset: 'utf-8', location: null, slowness: 0, throttledOnce: false } as const

const page = (text: () => string, status = 200): DemoAnswer => ({
  ...plain,
  status,
  contentType: 'text/html; charset=utf-8',
  text,
})

const redirect = (location: string, status: 301 | 302): DemoAnswer => ({
  ...plain,
  status,
  contentType: 'text/plain; charset=utf-8',
  // A header holds no letters beyond ASCII.
  location: new URL(location).href,
  text: () => 'This has moved.\n',
})

function inTrade(trade: Trade, text: () => string): DemoAnswer {
  const spelling = trade.charset === 'shift_jis' ? 'Shift_JIS' : trade.charset
  const contentType = trade.declaredBy === 'header' ? `text/html; charset=${spelling}` : 'text/html'
  return { ...page(text), contentType, charset: trade.charset }
}

function* productAnswers(shop: Shop, product: Product): Generator<readonly [address: string, DemoAnswer]> {
  const { catalogue, addresses } = shop
  yield [
    addresses.canonical(product),
    {
      ...inTrade(product.trade, () => productPage(shop, product)),
      slowness: catalogue.slow.get(product.index) ?? 0,
      throttledOnce: catalogue.throttled.has(product.index),
    },
  ]
  if (catalogue.renamed.has(product.index)) {
    yield [addresses.product(product), redirect(addresses.stepping(product), 301)]
    yield [addresses.stepping(product), redirect(addresses.canonical(product), 302)]
  }
  for (let place = 1; place <= product.imageCount; place += 1) {
    const text = (): string => pictureSvg(product.sku, place, product.trade.hue)
    yield [
      addresses.picture(product, place),
      { ...plain, status: 200, contentType: 'image/svg+xml; charset=utf-8', text },
    ]
  }
}

/** Every address that has something to say, and what. */
function* answers(shop: Shop): Generator<readonly [address: string, DemoAnswer]> {
  const { catalogue, addresses } = shop
  const { urls } = addresses
  yield [urls.home, page(() => homePage(shop))]
  for (const { slug, title } of infoPages) {
    const address = `${urls.home}${slug}.html`
    yield [address, page(() => textPage(shop, title, address))]
  }
  for (const trade of trades)
    for (let number = 1; number <= categoryPages; number += 1)
      yield [addresses.category(trade, number), inTrade(trade, () => categoryPage(shop, trade, number))]
  for (const product of catalogue.products) yield* productAnswers(shop, product)
  for (const { slug, status } of catalogue.discontinued)
    yield [`${urls.shop}product/${slug}`, page(() => textPage(shop, 'No longer made', urls.shop), status)]
  for (let number = 1; number <= catalogue.articles.length / articlesPerPage; number += 1)
    yield [addresses.journal(number), page(() => journalPage(shop, number))]
  for (const article of catalogue.articles) yield [addresses.article(article), page(() => articlePage(shop, article))]
  for (const product of shortLinked(catalogue))
    yield [addresses.short(product), redirect(addresses.canonical(product), 302)]
  yield [`${urls.media}${openDraft}`, page(() => textPage(shop, 'The open day', `${urls.media}${openDraft}`))]
  yield [
    `${urls.media}pictures/seen-1.svg`,
    { ...plain, status: 200, contentType: 'image/svg+xml', text: () => pictureSvg('seen', 1, 0) },
  ]
  for (const site of ['home', 'shop', 'media'] as const) {
    const text = (): string => robotsText(site)
    yield [`${urls[site]}robots.txt`, { ...plain, status: 200, contentType: 'text/plain; charset=utf-8', text }]
    // They answer all the same: whoever asks was told not to, and is seen in the statistics.
    for (const path of closedPaths[site])
      yield [`${urls[site]}${path}`, page(() => textPage(shop, 'Not for crawlers', urls[site]))]
  }
}

/** All pages of the shop as functions; a page is made when it is asked for. */
export function createDemoPages(catalogue: Catalogue, urls: DemoUrls): DemoPages {
  const addresses = createAddresses(urls, catalogue)
  const shop = { catalogue, addresses }
  const table = new Map<string, DemoAnswer>()
  for (const [address, answer] of answers(shop)) table.set(new URL(address).href, answer)
  return {
    addresses,
    answer(site, path) {
      const address = URL.parse(path, urls[site])?.href ?? ''
      return table.get(address) ?? page(() => textPage(shop, 'There is nothing here', urls[site]), 404)
    },
  }
}
