import { type Article, createJournal } from './journal.ts'
import { createProduct, type Product } from './product.ts'
import { trades } from './trades.ts'

/** A product that is gone while old pages still link to it. */
export interface Discontinued {
  readonly title: string
  readonly slug: string
  readonly status: 404 | 410
  /** The product whose page still recommends it. */
  readonly recommendedBy: number
}

/** Everything the demo shop holds: the truth that a run against it can be checked with. */
export interface Catalogue {
  /** 300 of them, 25 in each of the 12 departments, in order of department. */
  readonly products: readonly Product[]
  readonly articles: readonly Article[]
  readonly discontinued: readonly Discontinued[]
  /** Products that every page links to by the address they had before: slug before, by index. */
  readonly renamed: ReadonlyMap<number, string>
  /** Products that answer the first request with 429, by index. */
  readonly throttled: ReadonlySet<number>
  /** Products whose pages take their time, by index: the share of the longest time. */
  readonly slow: ReadonlyMap<number, number>
}

export const productsPerTrade = 25

const renamedPlaces = [9, 58, 107, 156, 205, 253]
/** In two groups that stand side by side in a list: asked for together, they cost a crawl two pauses and not six. */
const throttledPlaces = [41, 42, 43, 184, 185, 186]
const discontinuedNames: readonly (readonly [title: string, status: 404 | 410])[] = [
  ['Rope-Driven Boulter', 404],
  ['Cellar Fermometer, 2nd Pattern', 404],
  ['Barm Jar with Cork', 410],
  ['Tallow Lantern', 404],
  ['Sack Needle, Curved', 404],
  ['Patent Crumpet Ring', 410],
  ['Peat-Smoked Oats, 1 Stone', 404],
]

/** The shop of one seed. */
export function createCatalogue(seed: number): Catalogue {
  const products = trades.flatMap((trade, department) =>
    Array.from({ length: productsPerTrade }, (_, place) =>
      createProduct(seed, trade, place, department * productsPerTrade + place),
    ),
  )
  return {
    products,
    articles: createJournal(seed, products),
    discontinued: discontinuedNames.map(([title, status], place) => ({
      title,
      slug: title.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
      status,
      recommendedBy: 20 + place * 40,
    })),
    renamed: new Map(renamedPlaces.map(index => [index, `item-${(1_000 + index * 13).toString(36)}`])),
    throttled: new Set(throttledPlaces),
    slow: new Map(
      products.filter(({ index }) => index % 19 === 7).map(({ index }) => [index, 0.375 + ((index * 7) % 16) / 24]),
    ),
  }
}
