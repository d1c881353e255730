import { describe, expectTypeOf, test } from 'vitest'
import type { Item, JsonValue } from '../../src/core/wire.ts'
import type { ItemInput } from '../../src/extract/item-input.ts'
import type { ItemOf, ItemOfJob, ItemOrigin } from '../../src/extract/item-of.ts'
import { defineJob } from '../../src/job/define-job.ts'
import type { Job } from '../../src/job/job.ts'
import type { CrawlRun, crawl } from '../../src/run/run.ts'

/** These are checked by the compiler; running them shows nothing. */
const schema = {
  title: 'h1',
  tags: ['.tag'],
  price: { selector: '.price', type: 'number' },
  prices: [{ selector: '.price', type: 'number' }],
  image: { selector: 'img', value: 'src' },
  ticked: { selector: 'input', value: 'checked' },
  stock: { selector: '.stock', type: 'boolean' },
  data: { selector: 'script', type: 'json' },
  reviews: { selector: '.review', count: true },
  sale: { selector: '.sale', exists: true },
  name: { selector: 'h1', required: true },
  flagged: { selector: 'h1', required: 'flag' },
  stars: { selector: '.stars', type: 'number', default: 0 },
  brand: { selector: '.brand', default: null },
  offers: [{ selector: 'tr', value: { seller: '.name', price: { selector: '.p', type: 'number', required: true } } }],
  maker: { selector: '.maker', value: { name: '.name' } },
  about: { value: { name: '.name' } },
  rows: { selector: 'table', table: true },
  specs: { selector: 'table', table: 'pairs', default: {} },
  facts: { selector: 'dl', dl: true },
  whole: { selector: '.page', pattern: '\\d+', type: 'number' },
  part: { selector: '.page', pattern: 'of (\\d+)', type: 'number' },
  both: { selector: '.page', pattern: '(\\d+) of (\\d+)', type: 'number' },
  named: { selector: '.size', pattern: '(?<width>\\d+) x (?<height>\\d+)', type: 'number' },
  tricky: { selector: '.x', pattern: '\\((?:[(\\](]+)(?=x)(?<!y)(a)' },
  kind: { constant: 'book' },
  url: { context: 'url' },
  status: { context: 'status' },
  type: { context: 'header:content-type' },
  sku: { context: 'meta.sku' },
  changed: { context: 'header:last-modified', type: 'date' },
  offer: { from: 'json-ld', path: 'offers' },
} as const satisfies ItemInput

type Made = ItemOf<typeof schema>
type Pairs = Record<string, string | string[]>

describe('the type of an item follows from its schema', () => {
  test('selectors, types and lists', () => {
    expectTypeOf<Made['title']>().toEqualTypeOf<string | null>()
    expectTypeOf<Made['tags']>().toEqualTypeOf<string[]>()
    expectTypeOf<Made['price']>().toEqualTypeOf<number | null>()
    expectTypeOf<Made['prices']>().toEqualTypeOf<number[]>()
    expectTypeOf<Made['image']>().toEqualTypeOf<string | null>()
    expectTypeOf<Made['ticked']>().toEqualTypeOf<boolean>()
    expectTypeOf<Made['stock']>().toEqualTypeOf<boolean | null>()
    expectTypeOf<Made['data']>().toEqualTypeOf<JsonValue>()
  })

  test('what is said of matches', () => {
    expectTypeOf<Made['reviews']>().toEqualTypeOf<number>()
    expectTypeOf<Made['sale']>().toEqualTypeOf<boolean>()
    expectTypeOf<Made['name']>().toEqualTypeOf<string>()
    expectTypeOf<Made['flagged']>().toEqualTypeOf<string | null>()
    expectTypeOf<Made['stars']>().toEqualTypeOf<number>()
    expectTypeOf<Made['brand']>().toEqualTypeOf<string | null>()
  })

  test('nested items and tables', () => {
    expectTypeOf<Made['offers']>().toEqualTypeOf<{ seller: string | null; price: number }[]>()
    expectTypeOf<Made['maker']>().toEqualTypeOf<{ name: string | null } | null>()
    expectTypeOf<Made['about']>().toEqualTypeOf<{ name: string | null }>()
    expectTypeOf<Made['rows']>().toEqualTypeOf<Pairs[] | null>()
    expectTypeOf<Made['facts']>().toEqualTypeOf<Pairs | null>()
  })

  test('groups of a pattern', () => {
    expectTypeOf<Made['whole']>().toEqualTypeOf<number | null>()
    expectTypeOf<Made['part']>().toEqualTypeOf<number | null>()
    expectTypeOf<Made['both']>().toEqualTypeOf<(number | null)[] | null>()
    expectTypeOf<Made['named']>().toEqualTypeOf<{ width: number | null; height: number | null } | null>()
    expectTypeOf<Made['tricky']>().toEqualTypeOf<string | null>()
  })

  test('what is known without the page', () => {
    expectTypeOf<Made['kind']>().toEqualTypeOf<'book'>()
    expectTypeOf<Made['url']>().toEqualTypeOf<string>()
    expectTypeOf<Made['status']>().toEqualTypeOf<number | null>()
    expectTypeOf<Made['type']>().toEqualTypeOf<string | null>()
    expectTypeOf<Made['sku']>().toEqualTypeOf<JsonValue>()
    expectTypeOf<Made['changed']>().toEqualTypeOf<string | null>()
    expectTypeOf<Made['offer']>().toEqualTypeOf<JsonValue>()
  })
})

describe('the type of what a job gives', () => {
  test('is that of what a run and a parser give, which may be used as any items', () => {
    const job = defineJob({ seeds: ['https://shop.test/'], item: { tags: ['.tag'] } })
    type Result = typeof crawl<typeof job> extends (...given: never[]) => CrawlRun<infer Made> ? Made : never
    expectTypeOf<Result>().toEqualTypeOf<{ tags: string[] } & ItemOrigin>()
    expectTypeOf<Result>().toExtend<Item>()
    expectTypeOf<ReturnType<typeof crawl<Job>>>().toEqualTypeOf<CrawlRun<Item>>()
  })

  test('is that of its page rules', () => {
    const job = defineJob({
      seeds: ['https://shop.test/'],
      pages: [
        { name: 'list', follow: ['a'] },
        { name: 'product', item: { title: 'h1', price: { selector: '.p', type: 'number' } } },
        { name: 'offers', items: { selector: 'tr', item: { seller: { value: 'text' } } } },
      ],
    })
    type Product = { title: string | null; price: number | null } & ItemOrigin
    type Offer = { seller: string | null } & ItemOrigin
    expectTypeOf<ItemOfJob<typeof job>>().toEqualTypeOf<Product | Offer>()
  })

  test('is that of the one rule at its top', () => {
    const job = defineJob({ seeds: ['https://shop.test/'], item: { tags: ['.tag'] } })
    expectTypeOf<ItemOfJob<typeof job>>().toEqualTypeOf<{ tags: string[] } & ItemOrigin>()
  })

  test('is any item where a module reads pages', () => {
    const job = defineJob({ seeds: ['https://shop.test/'], module: './product.ts' })
    expectTypeOf<ItemOfJob<typeof job>>().toEqualTypeOf<Item>()
  })
})
