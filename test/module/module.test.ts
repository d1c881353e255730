import { afterAll, describe, expect, test, vi } from 'vitest'
import { threadCpuMs } from '../../src/core/clock.ts'
import { parseCheerioDocument } from '../../src/extract/dom/cheerio-document.ts'
import { createMill } from '../../src/module/mill.ts'
import { parsed, readerRequest } from '../stage/requests.ts'
import { messageOf, read, rulesFor, temporaryModules } from './kit.ts'

const modules = temporaryModules()
afterAll(() => modules[Symbol.dispose]())

const own = { _url: 'http://a.test/x', _page: 'page', _at: '2026-01-01T00:00:00.000Z' }
const html =
  '<title>One</title><ul><li>a<li>b</ul><a href="/y#top">y</a><a href="z">z</a><a href="mailto:x@y.test">m</a>'

describe('what a module is given', () => {
  test('cheerio over the page, its URL, its text, its headers and its links', async () => {
    const module = modules.write(`
      import type { ModulePage } from 'millrace'
      export const parse = (page: ModulePage) => ({
        title: page.$('title').text(),
        entries: page.$('li').get().map(element => page.$(element).text()),
        url: page.url, askedUrl: page.askedUrl, name: page.name, status: page.status, server: page.headers.server,
        length: page.text.length,
        links: page.links(), none: page.links('li'),
      })`)
    const reply = await read(module, html, { status: 203, headers: { server: 'x' }, askedUrl: 'http://a.test/before' })
    expect(parsed(reply).items).toEqual([
      {
        ...own,
        _url: 'http://a.test/before',
        _finalUrl: 'http://a.test/x',
        title: 'One',
        entries: ['a', 'b'],
        url: 'http://a.test/x',
        askedUrl: 'http://a.test/before',
        name: 'page',
        status: 203,
        server: 'x',
        length: html.length,
        links: ['http://a.test/y', 'http://a.test/z'],
        none: [],
      },
    ])
    expect(parsed(reply)).toMatchObject({ engine: 'module', itemCount: 1, charset: 'utf-8', links: [] })
  })

  test('what stands beside the seed, and the JSON-LD of the page', async () => {
    const module = modules.write(`
      export const parse = page => ({
        meta: page.meta, all: page.jsonLd().map(object => object['@type']), names: page.jsonLd('product').map(({ name }) => name),
      })`)
    const script = (text: string) => `<script type="application/ld+json">${text}</script>`
    const page = [
      script('{"@graph":[{"@type":"Product","name":"Tea"},{"@type":"Page"}]}'),
      script('{"@type":"Shop","sells":[{"@type":"schema:Product","name":"Pot"}]}'),
      script('{broken'),
    ].join('')
    const reply = await read(module, page, { meta: { sku: 5 } })
    expect(parsed(reply).items).toMatchObject([
      { meta: { sku: 5 }, all: ['Product', 'Page', 'Shop'], names: ['Tea', 'Pot'] },
    ])
    expect(parsed(await read(module, '<p>')).items).toMatchObject([{ meta: null, all: [], names: [] }])
  })

  test('no tree, where it looks at the text alone, takes JSON out of it, or gives links', async () => {
    const made = vi.spyOn(parseCheerioDocument, 'fast')
    const textOnly = modules.write(`export const parse = page => ({
      items: [{ length: page.text.length, url: page.url, objects: page.jsonLd().length }], links: ['/next'],
    })`)
    expect(parsed(await read(textOnly, html)).items).toMatchObject([{ length: html.length, objects: 0 }])
    expect(made).not.toHaveBeenCalled()
    const twice = modules.write('export const parse = page => ({ a: page.$("a").length, links: page.links().length })')
    expect(parsed(await read(twice, html)).items).toMatchObject([{ a: 3, links: 2 }])
    expect(made).toHaveBeenCalledOnce()
    made.mockRestore()
  })

  test('JSON where the page is JSON', async () => {
    const module = modules.write('export const parse = page => page.json().products')
    const reply = await read(module, '{"products":[{"id":1},{"id":2}]}', { contentType: 'application/json' })
    expect(parsed(reply).items).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  test('the tree that a browser builds, where the page rule says so', async () => {
    const module = modules.write(`export const parse = ({ $ }) => ({
      rows: $('table > tbody > tr').length, hidden: $('noscript img').length, html: $('td').parent().html(),
    })`)
    const page = '<table><tr><td>1</table><noscript><img src=a></noscript>'
    const [browser, fast] = await Promise.all([
      read(module, page, {}, { parser: 'browser' }),
      read(module, page, {}, { parser: 'fast' }),
    ])
    expect(parsed(browser).items).toMatchObject([{ rows: 1, hidden: 1, html: '<td>1</td>' }])
    expect(parsed(fast).items).toMatchObject([{ rows: 0, hidden: 1 }])
  })

  test('a page of its own, also while another page is being read', async () => {
    const module = modules.write(`export async function parse({ $, url }) {
      const before = $('title').text()
      await new Promise(resolve => setImmediate(resolve))
      return { before, after: $('title').text(), titles: $('title').length, html: $.html() }
    }`)
    const mill = createMill(rulesFor(module), { cpuMs: threadCpuMs })
    for (let round = 0; round < 3; round += 1) {
      const replies = await Promise.all(
        [1, 2, 3].map(nth =>
          mill.run(readerRequest(`<title>${round}-${nth}</title>`, { finalUrl: `http://a.test/${nth}` })),
        ),
      )
      expect(replies.map(reply => parsed(reply).items[0])).toMatchObject(
        [1, 2, 3].map(nth => ({
          before: `${round}-${nth}`,
          after: `${round}-${nth}`,
          titles: 1,
          html: `<title>${round}-${nth}</title>`,
        })),
      )
    }
  })

  test('nothing of a page that has ended', async () => {
    const module = modules.write(`
      let kept
      export function parse(page) {
        if (kept !== undefined) return { text: kept.$('title').text() }
        kept = page
      }`)
    const mill = createMill(rulesFor(module), { cpuMs: threadCpuMs })
    await mill.run(readerRequest(html))
    expect(messageOf(await mill.run(readerRequest(html)))).toMatch(/the page http:\/\/a\.test\/x has ended/)
  })
})

test('items of a module say how their page was read, where the job asks for it', async () => {
  const module = modules.write('export const parse = () => [{ a: 1 }]')
  const mill = createMill({ ...rulesFor(module), charset: true }, { cpuMs: threadCpuMs })
  expect(parsed(await mill.run(readerRequest('x'))).items).toMatchObject([
    { a: 1, _charset: { name: 'utf-8', from: 'header' } },
  ])
})

describe('what a module may give back', () => {
  test.each([
    ['an item', '({ a: 1 })', [{ a: 1 }]],
    ['a list of items', '[{ a: 1 }, { a: 2 }]', [{ a: 1 }, { a: 2 }]],
    ['nothing', 'undefined', []],
    ['null', 'null', []],
    ['a promise', 'Promise.resolve([{ a: 1 }])', [{ a: 1 }]],
    ['items and links', '({ items: [{ a: 1 }], links: [] })', [{ a: 1 }]],
    ['an item that has items and more', '({ items: [1], total: 1 })', [{ items: [1], total: 1 }]],
    [
      'what JSON makes of dates, URLs and holes',
      '({ at: new Date(0), to: new URL("http://b.test"), no: undefined, nan: NaN })',
      [{ at: '1970-01-01T00:00:00.000Z', to: 'http://b.test/', nan: null }],
    ],
  ])('%s', async (_, expression, items) => {
    const module = modules.write(`export const parse = () => ${expression}`)
    expect(parsed(await read(module, html)).items).toEqual(items.map(item => ({ ...item, ...own })))
  })

  test('links: relative to the base of the page, in scope, each once, beside those of `follow`', async () => {
    const module = modules.write(`export const parse = page => ({
      links: ['p', ...page.links('a.next'), 'p#x', 'javascript:1', new URL('http://b.test/out')],
    })`)
    const page = '<base href="/deep/"><a class=next href=q>q</a><a rel=more href=r>r</a>'
    const reply = await read(module, page, {}, { follow: ['a[rel=more]'] })
    expect(parsed(reply).links.map(({ url }) => url)).toEqual([
      'http://a.test/deep/p',
      'http://a.test/deep/q',
      'http://b.test/out',
      'http://a.test/deep/r',
    ])
  })

  test('finished lines to those who write files', async () => {
    const module = modules.write('export const parse = ({ $ }) => [{ title: $("title").text() }]')
    const reply = parsed(await read(module, html, { want: 'bytes' }))
    expect(JSON.parse(new TextDecoder().decode(reply.output))).toEqual({ title: 'One', ...own })
    expect(reply.items).toEqual([])
  })
})

describe('an item that is not JSON is refused with its field, and the others are kept', () => {
  test.each([
    ['({ price: 1n })', 'item 1, field price: a bigint is no JSON'],
    ['({ a: { b: [0, { c: () => 1 }] } })', 'item 1, field a.b[1].c: a function is no JSON'],
    ['{ const a = { b: {} }; a.b.a = a; return a }', 'item 1, field b.a: it leads back to itself'],
    ['({ title: page.$("title") })', 'item 1, field title'],
    ['({ "strange key": Symbol() })', 'item 1, field strange key: a symbol is no JSON'],
    ['({ a: { "b-c": { "d e": 1n } } })', 'item 1, field a.b-c["d e"]: a bigint'],
    ['({ seen: new Set([1]) })', 'item 1, field seen: a Set is no JSON'],
    ['({ get a() { throw new Error("no") } })', 'item 1, field a: '],
    ['({ _url: 1 })', 'item 1, field _url: names that begin with _ are taken'],
    ['["text"]', 'item 1: it is a string; an item is an object'],
    [
      '{ let deep = {}; for (let at = 0; at < 1e5; at++) deep = { deep }; return deep }',
      'it is nested deeper than 200 levels',
    ],
  ])('%s', async (expression, message) => {
    const body = expression.startsWith('{') ? expression : `{ return ${expression} }`
    const module = modules.write(`const bad = page => ${body}
      export const parse = page => [...[bad(page)].flat(), { good: true }]`)
    const reply = parsed(await read(module, html))
    expect(reply.items).toMatchObject([{ good: true }])
    expect(reply.itemCount).toBe(1)
    expect(reply.refused).toHaveLength(1)
    expect(reply.refused?.[0]?.code).toBe('PARSE_FAILED')
    expect(reply.refused?.[0]?.message).toContain(`http://a.test/x (page page): item 1`)
    expect(reply.refused?.[0]?.message).toContain(message)
  })

  test('a key of the prototype is a key like any other', async () => {
    const module = modules.write('export const parse = () => ({ a: JSON.parse(\'{"__proto__":{"x":1}}\') })')
    const reply = parsed(await read(module, html, { want: 'bytes' }))
    expect(new TextDecoder().decode(reply.output)).toContain('"__proto__":{"x":1}')
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})

describe('what a module throws is one fault that names URL, page, file and line', () => {
  test.each([
    ['an error', '\n\n  page.missing.field', /module-\d+\.ts:3:\d+: TypeError: Cannot read prop/],
    [
      'an error of a promise',
      '\n  return Promise.reject(new RangeError("late"))',
      /module-\d+\.ts:2:\d+: RangeError: late/,
    ],
    ['text', 'throw "no price"', /threw "no price", which is no Error/],
    ['null', 'throw null', /threw "null", which is no Error/],
    ['an object', 'throw { code: 7 }', /threw {"code":7}, which is no Error/],
    ['what cannot be looked at', 'throw { toJSON() { throw 1 } }', /threw a value that cannot be looked at/],
    [
      'an error with a trap',
      'throw Object.defineProperty(new Error("x"), "message", { get() { throw 1 } })',
      /cannot be looked at/,
    ],
    ['JSON that is none', 'page.json()', /module-\d+\.ts:1:\d+: SyntaxError: .* is not valid JSON/],
    ['a deep recursion', 'const down = () => down() + 1; down()', /RangeError: Maximum call stack/],
    ['a result of no use', 'return 7', /parse\(\) gave back a number; expected an item/],
    ['a link of no use', 'return { links: [7] }', /links\[0\] is a number; expected a URL as text/],
  ])('%s', async (_, body, message) => {
    const module = modules.write(`export function parse(page) { ${body} }`)
    const reply = messageOf(await read(module, html))
    expect(reply).toMatch(/^PARSE_FAILED http:\/\/a\.test\/x \(page page\): /)
    expect(reply).toMatch(message)
  })

  test('the place is that of the innermost code of the user', async () => {
    modules.write('\n\nexport const priceOf = text => text.price.value\n', 'price.ts')
    const module = modules.write(
      'import { priceOf } from "./price.ts"\nexport const parse = () => ({ a: priceOf("") })',
    )
    expect(messageOf(await read(module, html))).toMatch(/price\.ts:3:\d+: TypeError/)
  })

  test('a page that is a picture is refused before the module sees it', async () => {
    const module = modules.write('export const parse = () => ({})')
    expect(messageOf(await read(module, '\u0089PNG', { contentType: 'image/png' }))).toMatch(/^CONTENT_TYPE/)
  })
})
