import { expect, test } from 'vitest'
import { decodeText } from '../../src/decode/charset.ts'
import type { DemoUrls } from '../../src/demo/addresses.ts'
import { createCatalogue } from '../../src/demo/catalogue.ts'
import { createEncoder } from '../../src/demo/charset.ts'
import { demoJob } from '../../src/demo/job.ts'
import { createDemoPages } from '../../src/demo/pages.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'
import { checkJob } from '../../src/job/check-job.ts'
import { demoExpectation } from './expected.ts'

const urls: DemoUrls = {
  home: 'http://127.0.0.1:4321/',
  shop: 'http://shop.localhost:4321/',
  media: 'http://media.localhost:4321/',
}

function productRule(): PageRule {
  const { pages } = checkJob(demoJob(urls), { path: 'demo', baseDir: '.' })
  const rule = pages.find(({ name }) => name === 'product')
  if (rule === undefined) throw new Error('the demo job has no rule for products')
  return rule
}

test.each([
  ['fast', 1, 1],
  ['fast', 5, 7],
  ['browser', 1, 7],
] as const)('the %s parser reads every product as the catalogue has it (seed %i)', (parser, seed, every) => {
  const catalogue = createCatalogue(seed)
  const pages = createDemoPages(catalogue, urls)
  const { items } = demoExpectation(catalogue, urls)
  const engine = createTreeEngine({ ...productRule(), parser })
  for (const product of catalogue.products.filter(({ index }) => index % every === 0)) {
    const url = new URL(pages.addresses.canonical(product))
    const { charset, contentType, text } = pages.answer('shop', url.pathname)
    const html = decodeText(createEncoder(charset)(text()), contentType).text
    const { item, links } = engine.read({ html, url: url.href, wantLinks: true })
    expect(item).toEqual(items.get(product.sku))
    expect(links.length).toBeGreaterThanOrEqual(8)
  }
})
