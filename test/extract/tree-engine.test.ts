import { describe, expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'

const parsers = ['fast', 'browser'] as const

function read(parser: (typeof parsers)[number], item: unknown, html: string): unknown {
  const rule = { name: 'any', match: null, item: checkItem(item, 'item'), follow: [], parser }
  return createTreeEngine(rule).read({ html, url: 'http://shop.test/a/b', wantLinks: false }).item
}

const product = `<!doctype html><title> The  Shop </title>
<meta name="description" content="All of it"><base href="/c/">
<script type="application/ld+json">{"@type": "Product", "sku": 7}</script>
<script type="application/json">{broken</script>
<meta itemprop="price" content="1.299">
<h1>Light\u00a0in the <i>Attic</i></h1>
<p class="price">1.234,56 €</p><time datetime="2024-05-01T10:00:00+02:00">yesterday</time>
<a class="next" href=" more.html ">more</a><input id="gift" type="checkbox" checked>
<noscript><img id="lazy" src="real.png"></noscript>
<table><tr class="offer"><td class="name">A</td><td class="p">1,50</td></tr>
<tr class="offer"><td class="name">B</td><td class="p">sold out</td></tr></table>
<select><option selected>Red</option></select><b class="empty"></b>`

describe.each(parsers)('%s', parser => {
  test('each type is read where elements keep such a value', () => {
    expect(
      read(
        parser,
        {
          title: 'title',
          raw: { selector: 'title', value: 'textContent' },
          heading: 'h1',
          markup: { selector: 'h1', type: 'html' },
          description: { selector: 'meta[name=description]', value: 'content' },
          price: { selector: '.price', type: 'number' },
          listPrice: { selector: '[itemprop=price]', type: 'number' },
          at: { selector: 'time', type: 'date' },
          said: { selector: 'time', value: 'text' },
          next: { selector: '.next', type: 'url' },
          href: { selector: '.next', value: 'href' },
          gift: { selector: '#gift', value: 'checked' },
          isGift: { selector: '#gift', type: 'boolean' },
          isGone: { selector: '.gone', type: 'boolean' },
          data: { selector: '[type="application/ld+json"]', type: 'json' },
          broken: { selector: '[type="application/json"]', type: 'json' },
          colour: { selector: 'option:selected', value: 'value' },
          lazy: { selector: '#lazy', type: 'url' },
        },
        product,
      ),
    ).toEqual({
      title: 'The Shop',
      raw: ' The  Shop ',
      heading: 'Light in the Attic',
      markup: 'Light&nbsp;in the <i>Attic</i>',
      description: 'All of it',
      price: 1234.56,
      listPrice: 1.299,
      at: '2024-05-01T08:00:00.000Z',
      said: 'yesterday',
      next: 'http://shop.test/c/more.html',
      href: ' more.html ',
      gift: true,
      isGift: true,
      isGone: false,
      data: { '@type': 'Product', sku: 7 },
      broken: null,
      colour: 'Red',
      lazy: 'http://shop.test/c/real.png',
    })
  })

  test('a nested item is read for each match, and a list leaves out what has no value', () => {
    const offer = {
      seller: '.name',
      price: { selector: '.p', type: 'number' },
      rank: { selector: '.rank', type: 'number' },
    }
    expect(
      read(
        parser,
        { offers: [{ selector: '.offer', value: offer }], prices: [{ selector: '.p', type: 'number' }] },
        product,
      ),
    ).toEqual({
      offers: [
        { seller: 'A', price: 1.5, rank: null },
        { seller: 'B', price: null, rank: null },
      ],
      prices: [1.5],
    })
  })

  test('what is not there is null, an empty list or false, and an empty text is a text', () => {
    expect(
      read(
        parser,
        {
          one: '.gone',
          many: ['.gone'],
          group: { selector: '.gone', value: { a: 'a' } },
          attribute: { selector: 'h1', value: 'id' },
          empty: '.empty',
        },
        product,
      ),
    ).toEqual({ one: null, many: [], group: null, attribute: null, empty: '' })
  })

  test('without a selector, a field reads the element of its scope', () => {
    const item = { rows: [{ selector: 'a', value: { href: { value: 'href' }, text: { value: 'text' } } }] }
    expect(read(parser, item, '<a href=/1>one</a><a href=/2>two</a>')).toEqual({
      rows: [
        { href: '/1', text: 'one' },
        { href: '/2', text: 'two' },
      ],
    })
  })

  test('attributes and fields that are called like properties of objects are plain data', () => {
    const html = '<p constructor=x __proto__=y toString=z>a</p><constructor>b</constructor>'
    expect(
      read(
        parser,
        {
          toString: { selector: 'p', value: 'tostring' },
          valueOf: { selector: 'p', value: 'valueOf' },
          own: { selector: 'p', value: 'constructor' },
          matched: '[constructor^=x]',
          number: { selector: 'constructor', type: 'number' },
        },
        html,
      ),
    ).toEqual({ toString: 'z', valueOf: null, own: 'x', matched: 'a', number: null })
    expect(Object.hasOwn(Object.prototype, 'y')).toBe(false)
  })

  test('style is no place for markup, entities end it properly, and odd comments end where they should', () => {
    expect(
      read(parser, { body: { value: 'innerText' }, p: 'p' }, '<b><style>a{}</style>&apos;<br/></b><!-- a ---><p>x'),
    ).toMatchObject({
      p: 'x',
    })
  })

  test('an empty page is a page', () => {
    expect(read(parser, { title: 'title', links: ['a'] }, '')).toEqual({ title: null, links: [] })
  })
})
