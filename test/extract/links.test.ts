import { describe, expect, test } from 'vitest'
import { baseUrlOf, resolveLinks } from '../../src/extract/links.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'

const url = 'http://shop.test/a/b'
const engine = createTreeEngine({
  name: 'any',
  match: null,
  item: null,
  follow: ['a', 'iframe, form, img'],
  parser: 'fast',
})

function linksOf(html: string) {
  const { links, baseUrl } = engine.read({ html, url, wantLinks: true })
  const { urls, ...counts } = resolveLinks(links, baseUrl)
  return { urls: urls.map(({ href }) => href), ...counts }
}

test('white space in a link does not count, an empty one is the page, and bad ones are skipped with a count', () => {
  const html =
    '<a href=" \n/a\t">1</a><a href="/b\nc">2</a><a href="">3</a><a href="#top">4</a><a href="http://[bad">5</a>' +
    '<a href="javascript:void 0">6</a><a href="mailto:a@b.test">7</a><a href="data:,x">8</a><a>9</a>'
  expect(linksOf(html)).toEqual({
    urls: ['http://shop.test/a', 'http://shop.test/bc', 'http://shop.test/a/b'],
    otherSchemes: 3,
    invalid: 1,
    nofollow: 0,
  })
})

test('a page is linked once, in the order of the first links to it', () => {
  expect(linksOf('<a href=/x>1</a><a href=/y>2</a><a href="http://SHOP.test/x#a">3</a><a href=/x>4</a>').urls).toEqual([
    'http://shop.test/x',
    'http://shop.test/y',
  ])
})

test('frames, images and forms lead on by their own attributes', () => {
  expect(linksOf('<iframe src=f></iframe><form action=g></form><img src=i>').urls).toEqual([
    'http://shop.test/a/f',
    'http://shop.test/a/g',
    'http://shop.test/a/i',
  ])
})

test('links that ask not to be followed are kept and counted', () => {
  expect(linksOf('<a rel="external NOFOLLOW" href=/x>1</a><a rel=nofollows href=/y>2</a>')).toMatchObject({
    urls: ['http://shop.test/x', 'http://shop.test/y'],
    nofollow: 1,
  })
})

test('links inside noscript are read', () => {
  expect(linksOf('<noscript><a href=/x>1</a></noscript>').urls).toEqual(['http://shop.test/x'])
})

test('no links are gathered where none are wanted', () => {
  expect(engine.read({ html: '<a href=/x>1</a>', url, wantLinks: false }).links).toEqual([])
})

describe('the base of links', () => {
  test.each([
    ['<base href="/c/">', 'http://shop.test/c/'],
    ['<base target=_top><base href="c/"><base href="/d/">', 'http://shop.test/a/c/'],
    ['<base href="//cdn.test">', 'http://cdn.test/'],
    ['<base href="http://[bad">', url],
    ['<base href="javascript:1">', url],
    ['<base href="data:,x">', url],
    ['<p>', url],
  ])('%s makes it %s', (html, base) => {
    expect(engine.read({ html, url, wantLinks: false }).baseUrl).toBe(base)
  })

  test('is the page where there is no base', () => {
    expect(baseUrlOf(null, url)).toBe(url)
  })
})
