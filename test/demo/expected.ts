import {
  type Addresses,
  closedPaths,
  createAddresses,
  type DemoUrls,
  infoPages,
  shortLinked,
} from '../../src/demo/addresses.ts'
import type { Catalogue } from '../../src/demo/catalogue.ts'
import { articlesPerPage } from '../../src/demo/journal.ts'
import { productJsonLd } from '../../src/demo/json-ld.ts'
import { categoryPages } from '../../src/demo/list-pages.ts'
import { amountOf } from '../../src/demo/money.ts'
import type { Product } from '../../src/demo/product.ts'
import { trades } from '../../src/demo/trades.ts'

/** What a run of `demoJob` has to come to, from the catalogue and not from any page. */
export interface DemoExpectation {
  /** By stock number: the fields of the item, without those that begin with `_`. */
  readonly items: ReadonlyMap<string, { readonly [field: string]: unknown }>
  readonly ledger: {
    readonly discovered: number
    readonly done: number
    readonly failed: number
    readonly skipped: number
    readonly pending: 0
  }
  /** Closed by a robots file: none of them is ever asked for. */
  readonly refusedUrls: readonly string[]
  /** URLs whose redirect ends at a page that another URL of the run has led to already. */
  readonly redirectedToKnown: number
  /** Answered with 404 or 410. */
  readonly deadUrls: readonly string[]
  /** What the server answers once to each product that asks for patience. */
  readonly throttled: number
  readonly pageCounts: Readonly<Record<'department' | 'product' | 'journal' | 'page', number>>
}

const urlText = (address: string): string => new URL(address).href

const itemOf = (product: Product, addresses: Addresses): { readonly [field: string]: unknown } => ({
  title: product.title,
  sku: product.sku,
  price: amountOf(product.price),
  currency: product.price.currency,
  rating: product.rating,
  reviewCount: product.reviews.length,
  stock: product.stock,
  availability: product.stock === 0 ? 'Sold out' : 'In stock',
  breadcrumbs: ['Home', product.trade.name],
  description: product.description,
  images: Array.from({ length: product.imageCount }, (_, place) => addresses.picture(product, place + 1)),
  specs: product.specs,
  offers: product.offers.map(({ seller, price, deliveryDays, condition }) => ({
    seller,
    price: amountOf(price),
    deliveryDays,
    condition,
  })),
  maker: product.maker,
  datasheet: product.hasDatasheet ? addresses.datasheet(product) : null,
  canonical: urlText(addresses.canonical(product)),
  published: new Date(product.publishedAt).toISOString(),
  data: productJsonLd(product, addresses),
})

export function demoExpectation(catalogue: Catalogue, urls: DemoUrls): DemoExpectation {
  const addresses = createAddresses(urls, catalogue)
  const sites = ['home', 'shop', 'media'] as const
  const refusedUrls = sites.flatMap(site => closedPaths[site].map(path => `${urls[site]}${path}`))
  const deadUrls = catalogue.discontinued.map(({ slug }) => `${urls.shop}product/${slug}`)
  // Of two old addresses of one product the first becomes its page and the second finds it known, in either order.
  const redirectedToKnown = shortLinked(catalogue).length
  const pageCounts = {
    department: trades.length * categoryPages,
    product: catalogue.products.length,
    journal: catalogue.articles.length + catalogue.articles.length / articlesPerPage,
    // The front page, the pages of text and the draft that may be read.
    page: 1 + infoPages.length + 1,
  }
  const done = Object.values(pageCounts).reduce((sum, count) => sum + count, 0)
  const skipped = refusedUrls.length + redirectedToKnown
  return {
    items: new Map(catalogue.products.map(product => [product.sku, itemOf(product, addresses)])),
    ledger: { discovered: done + deadUrls.length + skipped, done, failed: deadUrls.length, skipped, pending: 0 },
    refusedUrls,
    redirectedToKnown,
    deadUrls,
    throttled: catalogue.throttled.size,
    pageCounts,
  }
}
