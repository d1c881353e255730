import { expect, test } from 'vitest'
import { fieldOf, messageOf } from './read.ts'

const meta = (property: string, content: string): string => `<meta property="${property}" content="${content}">`

test('properties are told by their names, images as a list of maps', () => {
  const html =
    '<meta name="description" content="no"><meta name="Twitter:Card" content=" summary "><meta name="a:b" content="no">' +
    `${meta('og:title', 'Tea &amp; pot')}${meta('og:title', 'second')}${meta('og:site_name', '')}` +
    `${meta('og:image', '/a.png')}${meta('og:image:width', '800')}${meta('og:image:width', '9')}` +
    `${meta('og:image:url', 'https://x.test/b.png')}${meta('og:image:alt', 'b')}` +
    `${meta('article:tag', 'x')}${meta('article:tag', 'y')}${meta('product:price:amount', '4.50')}` +
    '<meta property="og:url twitter:url" content="https://x.test/">'
  expect(fieldOf({ from: 'opengraph' }, html)).toEqual({
    'twitter:card': 'summary',
    'og:title': 'Tea & pot',
    'og:image': [
      { url: '/a.png', width: '800' },
      { url: 'https://x.test/b.png', alt: 'b' },
    ],
    'article:tag': ['x', 'y'],
    'product:price:amount': '4.50',
    'og:url': 'https://x.test/',
    'twitter:url': 'https://x.test/',
  })
})

test.each<[string, string, unknown]>([
  [
    'an image told twice is one',
    meta('og:image', 'a') + meta('og:image:url', 'a') + meta('og:image:type', 't'),
    [{ url: 'a', type: 't' }],
  ],
  [
    'what belongs to an image may come first',
    meta('og:image:secure_url', 's') + meta('og:image', 'a'),
    [{ secure_url: 's', url: 'a' }],
  ],
  ['there is none', '<title>x</title>', null],
])('images: %s', (_, html, expected) => {
  expect(fieldOf({ from: 'opengraph', property: 'og:image' }, html)).toEqual(expected)
})

test('a property, a path, and their type', () => {
  const html = meta('og:image', '/a.png') + meta('product:price:amount', '1.299,00') + meta('__proto__:x', 'y')
  expect(fieldOf({ from: 'opengraph', property: 'og:image', path: '$[*].url', type: 'url' }, html)).toEqual([
    'https://shop.test/a.png',
  ])
  expect(fieldOf({ from: 'opengraph', property: 'product:price:amount', type: 'number' }, html)).toBe(1299)
  expect(fieldOf({ from: 'opengraph', path: "$['product:price:amount']" }, html)).toBe('1.299,00')
  expect(fieldOf({ from: 'opengraph', property: 'og:title' }, html)).toBe(null)
  expect(messageOf({ from: 'opengraph', property: 'title' })).toMatch(/item\.field\.property: "title" is not accepted/)
})

test('15,000 tags take time in proportion', () => {
  const html = (meta('og:image', 'x') + meta('og:image:width', '1') + meta('article:tag', 'x')).repeat(5_000)
  expect(fieldOf({ from: 'opengraph', property: 'article:tag' }, html)).toHaveLength(5_000)
})
