import { describe, expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import { createStage } from '../../src/stage/stage.ts'
import { linesOf, pageRule, parsed, parseRequest, stageRules } from './requests.ts'

const stageOf = (...pages: readonly PageRule[]) => createStage(stageRules(pages), () => 0)
const offers: PageRule = {
  name: 'product',
  match: null,
  item: null,
  items: {
    selector: 'li',
    item: checkItem(
      {
        name: { value: 'ownText' },
        price: { selector: 'b', required: true },
        tag: { selector: 'i', required: 'flag' },
      },
      'items.item',
    ),
    required: true,
  },
  follow: [],
  parser: 'fast',
}

describe('a page without a required field', () => {
  const stage = stageOf(
    pageRule('product', {
      item: {
        title: { selector: 'h1', required: true },
        offers: [{ selector: 'li', value: { price: { selector: 'b', required: true } } }],
        brand: { selector: '.brand', required: 'flag' },
      },
      follow: ['a'],
    }),
  )

  test('fails, with the paths of all that it lacks', () => {
    expect(stage.run(parseRequest('<ul><li><b>1</b><li>-</ul><a href=/x>'))).toMatchObject({
      kind: 'faulted',
      fault: {
        code: 'FIELD_MISSING',
        message: 'http://shop.test/a: no value for title, offers[1].price, which is required',
      },
    })
  })

  test('is kept where it only should have it, and says what it lacks', () => {
    expect(linesOf(stage.run(parseRequest('<h1>a</h1>')))).toEqual([
      expect.objectContaining({ title: 'a', offers: [], brand: null, _missing: ['brand'] }),
    ])
  })

  test('says nothing where it has all', () => {
    expect(linesOf(stage.run(parseRequest('<h1>a</h1><p class=brand>b')))[0]).not.toHaveProperty('_missing')
  })

  test('names ten of them at most', () => {
    const reply = stage.run(parseRequest(`<h1>a</h1><ul>${'<li>-'.repeat(50)}</ul>`))
    expect(reply).toMatchObject({ fault: { message: expect.stringMatching(/offers\[9\]\.price and 40 more, which/) } })
  })
})

describe('several items of a page', () => {
  const stage = stageOf(offers)

  test('are a line each, with their place; those that lack a required field are refused one by one', () => {
    const reply = stage.run(parseRequest('<ul><li>a<b>1</b><i>x</i><li>b<li>c<b>3</b></ul>'))
    expect(linesOf(reply)).toEqual([
      expect.objectContaining({ name: 'a', price: '1', tag: 'x', _index: 0, _page: 'product' }),
      expect.objectContaining({ name: 'c', price: '3', tag: null, _index: 2, _missing: ['tag'] }),
    ])
    expect(parsed(reply)).toMatchObject({
      itemCount: 2,
      refused: [
        {
          code: 'FIELD_MISSING',
          message: 'http://shop.test/a: no value for items[1].price, which is required',
        },
      ],
    })
  })

  test('of which none has what is required are no page', () => {
    expect(stage.run(parseRequest('<ul><li>a<li>b</ul>'))).toMatchObject({
      kind: 'faulted',
      fault: {
        code: 'FIELD_MISSING',
        message: 'http://shop.test/a: all 2 items of the page are without a value for price, which is required',
      },
    })
    expect(stage.run(parseRequest('<li>a'))).toMatchObject({
      fault: { message: expect.stringContaining('the only item of the page is without a value for price') },
    })
  })

  test('are required where the rule says so', () => {
    expect(stage.run(parseRequest('<p>'))).toMatchObject({
      fault: { code: 'FIELD_MISSING', message: 'http://shop.test/a: there are no items on the page' },
    })
  })
})

describe('links of a page that lacks what is required', () => {
  const lacking = [pageRule('product', { item: { title: { selector: 'h1', required: true } }, follow: ['a'] })]

  test('are followed all the same', () => {
    expect(stageOf(...lacking).run(parseRequest('<a href=/x>'))).toMatchObject({
      kind: 'faulted',
      links: [{ url: 'http://shop.test/x', page: 'product' }],
    })
  })

  test('are not where the page asks for that, and is heard', () => {
    const stage = createStage(stageRules(lacking, { nofollow: 'obey' }), () => 0)
    expect(stage.run(parseRequest('<meta name=robots content=nofollow><a href=/x>'))).toMatchObject({
      kind: 'faulted',
      links: [],
    })
  })
})

describe('links of fields', () => {
  const stage = stageOf(
    pageRule('product', {
      match: '/p/*',
      item: { next: { selector: '.next', follow: true }, makers: [{ selector: '.m', follow: 'maker' }] },
      follow: ['nav a'],
    }),
    pageRule('maker', { match: '/m/*', item: { name: 'h1' } }),
  )
  const html =
    '<nav><a href=/p/1>1</a></nav><a class=next href=/p/2>2</a><a class=m href=/p/x>x</a><a class=m href=//else.test/>y</a>'

  test('are followed by the rule that fits or by the one that is named, and only within the scope', () => {
    const { links } = parsed(stage.run(parseRequest(html)))
    expect(links.map(({ url, page }) => `${url} ${page}`)).toEqual([
      'http://shop.test/p/x maker',
      'http://shop.test/p/1 product',
      'http://shop.test/p/2 product',
    ])
  })

  test('are none where the page is at the greatest depth', () => {
    const shallow = createStage(
      stageRules([pageRule('product', { item: { next: { selector: 'a', follow: true } } })], {
        scope: { within: 'same-host', include: [], exclude: [], maxDepth: 1 },
      }),
      () => 0,
    )
    expect(parsed(shallow.run(parseRequest(html, { depth: 1 }))).links).toEqual([])
  })
})

test('fields know of the request what the page does not say', () => {
  const stage = stageOf(
    pageRule('product', {
      item: {
        asked: { context: 'url' },
        answered: { context: 'finalUrl' },
        status: { context: 'status' },
        type: { context: 'header:Content-Type' },
        sku: { context: 'meta.sku' },
        deep: { context: 'meta.a.b', type: 'number' },
        none: { context: 'meta.constructor' },
      },
    }),
  )
  const request = parseRequest('', {
    askedUrl: 'http://shop.test/old',
    status: 200,
    headers: { 'content-type': 'text/html' },
    meta: { sku: 5, a: { b: '1.5' } },
  })
  expect(linesOf(stage.run(request))[0]).toMatchObject({
    asked: 'http://shop.test/old',
    answered: 'http://shop.test/a',
    status: 200,
    type: 'text/html',
    sku: 5,
    deep: 1.5,
    none: null,
  })
})
