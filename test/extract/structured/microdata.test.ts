import { describe, expect, test } from 'vitest'
import { fieldOf } from './read.ts'

const one = (html: string): unknown =>
  fieldOf({ from: 'microdata', path: '$[0].properties' }, `<div itemscope>${html}</div>`)

describe('the value of a property is what its element says', () => {
  test.each<[string, string, unknown]>([
    ['text', '<b itemprop=a> x <i>y</i>\n<script>no()</script></b>', 'x y'],
    ['meta', '<meta itemprop=a content=" x ">', ' x '],
    ['meta without content', '<meta itemprop=a>', ''],
    ['a link, resolved', '<a itemprop=a href="../b">x</a>', 'https://shop.test/b'],
    ['a link without one', '<a itemprop=a>x</a>', ''],
    ['an image', '<img itemprop=a src="b.png">', 'https://shop.test/p/b.png'],
    ['an object', '<object itemprop=a data="b.svg"></object>', 'https://shop.test/p/b.svg'],
    ['data', '<data itemprop=a value="5">five</data>', '5'],
    ['a meter', '<meter itemprop=a value="0.5">half</meter>', '0.5'],
    ['a time', '<time itemprop=a datetime="2024-05-01">May</time>', '2024-05-01'],
    ['a time in words', '<time itemprop=a>2024-05-01</time>', '2024-05-01'],
    ['content on any element', '<span itemprop=a content="9.5">9.50 €</span>', '9.5'],
  ])('%s', (_, html, value) => {
    expect(one(html)).toEqual({ a: [value] })
  })

  test('several names, several values, and a base', () => {
    expect(one('<b itemprop="a b a">1</b><p><b itemprop=a>2</b>')).toEqual({ a: ['1', '2'], b: ['1'] })
    expect(
      fieldOf(
        { from: 'microdata', path: '$[0].properties.a[0]' },
        '<base href=https://cdn.test/x/><div itemscope><a itemprop=a href=y>',
      ),
    ).toBe('https://cdn.test/x/y')
  })
})

const shop =
  '<div itemscope itemtype="https://schema.org/Product http://x.test/Y" itemid="urn:1"><h1 itemprop=name>Tea</h1>' +
  '<div itemprop=offers itemscope itemtype=https://schema.org/Offer><b itemprop=price>4.50</b></div></div>' +
  '<div itemscope itemtype=https://schema.org/Product itemref="extra gone"><i itemprop=name>Pot</i></div>' +
  '<p id=extra><span itemprop=color>red</span></p>'

test('nested items are values, and belong to the item around them alone', () => {
  const offer = { type: ['https://schema.org/Offer'], properties: { price: ['4.50'] } }
  expect(fieldOf({ from: 'microdata', of: 'Product' }, shop)).toEqual({
    type: ['https://schema.org/Product', 'http://x.test/Y'],
    id: 'urn:1',
    properties: { name: ['Tea'], offers: [offer] },
  })
  expect(
    fieldOf({ from: 'microdata', of: 'http://schema.org/Offer', path: '$.properties.price[0]', type: 'number' }, shop),
  ).toBe(4.5)
  expect(fieldOf({ from: 'microdata', of: 'Product', path: '$.properties.name[0]', all: true }, shop)).toEqual([
    'Tea',
    'Pot',
  ])
  expect(fieldOf({ from: 'microdata', path: '$[*].type[0]' }, shop)).toHaveLength(2)
  expect(fieldOf({ from: 'microdata' }, '<p itemprop=x>')).toBe(null)
})

describe('itemref', () => {
  test('brings properties from elsewhere, in the order of the page', () => {
    const html =
      '<p id=b itemprop=a>0</p><div itemscope itemref="c b"><p itemprop=a>1</p></div><p id=c><b itemprop=a>2</b></p>'
    expect(fieldOf({ from: 'microdata', path: '$[0].properties.a' }, html)).toEqual(['0', '1', '2'])
  })

  test.each([
    ['itself', '<div itemscope id=a itemref=a><b itemprop=x>1</b></div>', { x: ['1'] }],
    ['what it stands in', '<div id=a><div itemscope itemref=a><b itemprop=x>1</b></div></div>', { x: ['1'] }],
    [
      'an item that leads back',
      '<div itemscope itemref=a></div><div id=a itemprop=x itemscope itemref=b></div><div id=b itemprop=y itemscope itemref=a></div>',
      { x: [{ properties: { y: [{ properties: {} }] } }] },
    ],
  ])('that names %s ends', (_, html, properties) => {
    expect(fieldOf({ from: 'microdata', path: '$[0].properties' }, html)).toEqual(properties)
  })
})

describe('hostile pages end soon', () => {
  test.each<[string, string]>([
    [
      'items that double at each step',
      `${Array.from(
        { length: 60 },
        (_, id) =>
          `<div id=a${id} itemprop=x itemscope itemref="b${id + 1} a${id + 1}"></div><div id=b${id} itemprop=x itemscope itemref="a${id + 1} b${id + 1}"></div>`,
      ).join('')}<p itemscope itemref="a0 b0">`,
    ],
    [
      '4,000 items that name the same 4,000 properties',
      `${'<p itemscope itemref=r></p>'.repeat(4_000)}<div id=r>${'<b itemprop=x>1</b>'.repeat(4_000)}</div>`,
    ],
    ['20,000 properties in one another', `<div itemscope>${'<div itemprop=a>x'.repeat(20_000)}`],
    ['20,000 items in one another', '<div itemprop=a itemscope>'.repeat(20_000).replace(' itemprop=a', '')],
    ['20,000 references', `<div itemscope itemref="${'a '.repeat(20_000)}"></div><b id=a itemprop=x>1</b>`],
    ['20,000 properties', `<div itemscope>${'<b itemprop=a>x</b>'.repeat(20_000)}</div>`],
  ])('%s', (_, html) => {
    expect(fieldOf({ from: 'microdata', of: 'None' }, html)).toBe(null)
  })

  test('what real pages do is far within the bounds', () => {
    const offers = '<p itemscope itemref=brand><b itemprop=name>x</b></p>'.repeat(2_000)
    const html = `${offers}<div id=brand><div itemprop=brand itemscope><b itemprop=name>Acme</b></div></div>`
    const names = fieldOf({ from: 'microdata', path: '$[*].properties.brand[0].properties.name[0]' }, html)
    expect(names).toEqual(Array.from({ length: 2_000 }, () => 'Acme'))
  })
})
