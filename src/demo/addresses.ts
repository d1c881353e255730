import type { Catalogue } from './catalogue.ts'
import type { Article } from './journal.ts'
import type { Product } from './product.ts'
import type { Trade } from './trades.ts'

/** Where the three hosts of the demo are: origins, each ending in a slash. */
export interface DemoUrls {
  /** The front page, the departments and their lists. */
  readonly home: string
  /** The products. */
  readonly shop: string
  /** The journal and the pictures. */
  readonly media: string
}

/** Every address of the site, as its pages write them. */
export interface Addresses {
  readonly urls: DemoUrls
  /** Pages count from 1; the first has no number. */
  category(trade: Trade, page: number): string
  /** As links give it: for renamed products the address they had before. */
  product(product: Product): string
  /** Where the page really is. */
  canonical(product: Product): string
  /** Halfway between the old address and the new one. */
  stepping(product: Product): string
  /** A short link in the journal; leads to the product as well. */
  short(product: Product): string
  picture(product: Product, place: number): string
  datasheet(product: Product): string
  journal(page: number): string
  article(article: Article): string
}

export function createAddresses(urls: DemoUrls, catalogue: Pick<Catalogue, 'renamed'>): Addresses {
  const canonical = (product: Product): string => `${urls.shop}product/${product.slug}`
  const numbered = (base: string, page: number): string => (page === 1 ? base : `${base}page-${page}.html`)
  return {
    urls,
    category: (trade, page) => numbered(`${urls.home}category/${trade.slug}/`, page),
    canonical,
    product(product) {
      const before = catalogue.renamed.get(product.index)
      return before === undefined ? canonical(product) : `${urls.shop}product/${before}`
    },
    stepping: product => `${urls.shop}p/${product.sku}`,
    short: product => `${urls.media}go/${product.sku}`,
    picture: (product, place) => `${urls.media}pictures/${product.sku}-${place}.svg`,
    datasheet: product => `${urls.shop}datasheets/${product.sku}.pdf`,
    journal: page => numbered(`${urls.media}journal/`, page),
    article: article => `${urls.media}journal/${article.slug}.html`,
  }
}

/** Pages of the front host that are only text. */
export const infoPages: readonly { readonly slug: string; readonly title: string }[] = [
  { slug: 'about', title: 'About the mill' },
  { slug: 'delivery', title: 'Delivery & returns' },
  { slug: 'contact', title: 'Write to us' },
  { slug: 'terms', title: 'Terms, such as they are' },
]

/** What the robots files close, by host, although pages link there. */
export const closedPaths = {
  home: ['admin/', 'search'],
  shop: ['cart', 'account/login'],
  media: ['drafts/second-thoughts.html'],
} as const satisfies Record<keyof DemoUrls, readonly string[]>

/** Inside a closed folder, and opened by a longer rule (RFC 9309, 2.2.2). */
export const openDraft = 'drafts/open-day.html'

/** A renamed product that the journal links to by a short link too: two old addresses, one page. */
export const shortLinked = (catalogue: Catalogue): Product[] =>
  catalogue.products.filter(({ index }) => catalogue.renamed.has(index)).slice(0, 2)
