import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'cheerio'
import { describe, expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'

const folder = join(dirname(fileURLToPath(import.meta.resolve('htmlparser-benchmark'))), 'files')
/** Every twentieth of 258 real pages. */
const pages = readdirSync(folder).filter((_, index) => index % 20 === 0)

const map = {
  title: { selector: 'title', value: 'textContent' },
  description: { selector: 'meta[name=description]', value: 'content' },
  canonical: { selector: 'link[rel=canonical]', value: 'href' },
  headings: [{ selector: 'h1, h2', value: 'textContent' }],
  links: [{ selector: 'a[href]', value: 'href' }],
  images: [{ selector: 'img', value: 'src' }],
  firstParagraph: { selector: 'p', value: 'textContent' },
  nested: [{ selector: 'div a, li > a', value: 'href' }],
  lastCell: { selector: 'table tr:last td:first', value: 'textContent' },
  lists: [
    {
      selector: 'ul',
      value: {
        first: { selector: '> li', value: 'textContent' },
        links: [{ selector: 'li > a', value: 'href' }],
        deep: { selector: 'ul li', value: 'textContent' },
      },
    },
  ],
} as const

describe.each(['fast', 'browser'] as const)('%s', parser => {
  const options = parser === 'fast' ? { xml: { xmlMode: false } } : { scriptingEnabled: false }
  const engine = createTreeEngine({ name: 'any', match: null, item: checkItem(map, 'item'), follow: ['a'], parser })

  test(`${pages.length} real pages hold what cheerio finds in them`, () => {
    for (const name of pages) {
      const html = readFileSync(join(folder, name), 'utf8')
      const theirs = load(html, options).extract(map as unknown as Parameters<ReturnType<typeof load>['extract']>[0])
      const { item } = engine.read({ html, url: 'http://shop.test/', wantLinks: false })
      expect(JSON.stringify(item), name).toBe(
        JSON.stringify(theirs, (_, value) => (value === undefined ? null : value)),
      )
    }
  })
})
