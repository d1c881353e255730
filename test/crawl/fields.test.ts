import { expect, test } from 'vitest'
import { type CrawlResult, crawl, createParser, defineJob } from '../../src/index.ts'
import { startSite } from '../cli/kit.ts'

const list = `<ul>
  <li><a href=/d/1>one</a><b>1,50 €</b>
  <li><a href=/d/2>two</a>
  <li><a href=/d/3>three</a><b>3 €</b>
</ul>`

test('fields lead on, know their seed and their answer, and say what is missing, through real threads', async () => {
  await using site = await startSite((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.setHeader('x-stock', '5 left')
    response.end(request.url === '/' ? list : request.url === '/d/3' ? '<p>gone' : `<h1>Page ${request.url}</h1>`)
  })
  const results: CrawlResult[] = []
  await using run = crawl(
    defineJob({
      seeds: [{ url: `${site.url}/`, page: 'list', meta: { category: 'mills' } }],
      robots: { ignoreFor: ['127.0.0.1'] },
      pages: [
        {
          name: 'list',
          match: '/nowhere',
          items: {
            selector: 'li',
            item: {
              price: { selector: 'b', type: 'number', locale: 'de', required: true },
              detail: { selector: 'a', follow: 'detail' },
            },
          },
        },
        {
          name: 'detail',
          match: '/nowhere-either',
          item: {
            title: { selector: 'h1', required: true },
            left: { context: 'header:X-Stock', pattern: '\\d+', type: 'number' },
            category: { context: 'meta.category' },
          },
        },
      ],
    }),
    { threads: 1 },
  )
  for await (const result of run) results.push(result)
  const items = results.flatMap(result => (result.kind === 'page' ? result.items : []))
  expect(items).toHaveLength(4)
  expect(items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ price: 1.5, detail: `${site.url}/d/1`, _index: 0, _page: 'list' }),
      expect.objectContaining({ price: 3, _index: 2 }),
      expect.objectContaining({ title: 'Page /d/1', left: 5, category: 'mills', _page: 'detail' }),
      expect.objectContaining({ title: 'Page /d/2' }),
    ]),
  )
  const dead = results.flatMap(result => (result.kind === 'dead' ? [`${result.code} ${result.message}`] : []))
  expect(dead.sort()).toEqual([
    `FIELD_MISSING ${site.url}/: no value for items[1].price, which is required`,
    `FIELD_MISSING ${site.url}/d/3: no value for title, which is required`,
  ])
})

test('what a parser gives has the type of its schema, and fields know what it is told of the page', async () => {
  const job = defineJob({
    item: {
      title: { selector: 'h1', required: true },
      price: { selector: 'b', type: 'number' },
      sku: { context: 'meta.sku' },
      status: { context: 'status' },
    },
  })
  await using parser = createParser(job, { threads: 0 })
  const page = { url: 'http://shop.test/', meta: { sku: 'a' }, status: 200 }
  const parsed = await parser.parse({ ...page, body: '<h1>Mill</h1><b>5' })
  if (parsed.kind !== 'parsed') throw new Error(parsed.fault.message)
  const [first] = parsed.items
  const title: string | undefined = first?.title
  const price: number | null | undefined = first?.price
  expect({ title, price, sku: first?.sku, status: first?.status }).toEqual({
    title: 'Mill',
    price: 5,
    sku: 'a',
    status: 200,
  })
  expect(await parser.parse({ ...page, body: '<p>' })).toMatchObject({ fault: { code: 'FIELD_MISSING' } })
})
