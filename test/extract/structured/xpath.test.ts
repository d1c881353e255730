import { describe, expect, test } from 'vitest'
import { fieldOf, messageOf, readWith } from './read.ts'

const html =
  '<!doctype html><html><body><!--c--><div class="a b" id=d><p>Hello <b>x</b></p><p>two</p><p> 3 </p></div>' +
  '<a href="/u">l</a><a href="/v" rel="x">m</a><table><tr><td>1<td>2</table></body></html>'

describe('XPath 1.0 as people who come from Scrapy write it', () => {
  test.each<[string, unknown]>([
    ['//p', ['Hello x', 'two', ' 3 ']],
    ['//p/text()', ['Hello ', 'two', ' 3 ']],
    ['//p[1]//text()', ['Hello ', 'x']],
    ['//a/@href', ['/u', '/v']],
    ['//a[@rel]/@href', ['/v']],
    ['//a[not(@rel)]/text()', ['l']],
    ['//p[contains(., "ell")]/b', ['x']],
    ['//p[contains(.//text(), "Hello")]/b', ['x']],
    ['//*[contains(concat(" ", normalize-space(@class), " "), " b ")]/p[2]', ['two']],
    ['//*[has-class("a", "b")]/p[last()]', [' 3 ']],
    ['//p[has-class("a")]', []],
    ['//a[re:test(@href, "^/[V]$", "i")]', ['m']],
    ['//p[position() > 1]', ['two', ' 3 ']],
    ['//p[2]/preceding-sibling::p/b', ['x']],
    ['//b/ancestor::div/@id', ['d']],
    ['//p[. > 2]', [' 3 ']],
    ['(//p)[2]', ['two']],
    ['//a | //b', ['x', 'l', 'm']],
    ['//td/../td[2]', ['2']],
    ['//table/tr/td[1]', ['1']],
    ['/html/body/comment()', ['c']],
    ['//a/@*[name() = "rel"]/..', ['m']],
    ['//a[starts-with(@href, "/u")]/following::a/@href', ['/v']],
    ['//a/preceding::p[1]', [' 3 ']],
    ['//b/preceding::*', []],
    ['//a[1]/@href/following::text()', ['l', 'm', '1', '2']],
    ['id("d")/p[2]', ['two']],
  ])('%s', (path, expected) => {
    expect(fieldOf({ from: 'xpath', path, all: true }, html)).toEqual(expected)
  })

  test.each<[string, unknown]>([
    ['count(//p)', 3],
    ['string(//p)', 'Hello x'],
    ['normalize-space(//p[3])', '3'],
    ['boolean(//p)', true],
    ['number(//p[3])', 3],
    ['number(//p[1])', null],
    ['sum(//td)', 3],
    ['substring-after(//a/@href, "/")', 'u'],
    ['//p', 'Hello x'],
    ['//p[7]', null],
    ['//P', null],
  ])('a single value: %s', (path, expected) => {
    expect(fieldOf({ from: 'xpath', path }, html)).toEqual(expected)
  })

  test('as markup, and as a type', () => {
    expect(fieldOf({ from: 'xpath', path: '//p', value: 'html' }, html)).toBe('Hello <b>x</b>')
    expect(fieldOf({ from: 'xpath', path: '//p[1]', value: 'outerHTML' }, html)).toBe('<p>Hello <b>x</b></p>')
    expect(fieldOf({ from: 'xpath', path: '//a/@href', type: 'url', all: true }, html)).toEqual([
      'https://shop.test/u',
      'https://shop.test/v',
    ])
    expect(fieldOf({ from: 'xpath', path: '//p[3]', type: 'number' }, html)).toBe(3)
  })
})

test.each<[string, RegExp]>([
  ['//p[', /^item\.field\.path: "\/\/p\[" is not an XPath: it cannot be read at position 4, "\["/],
  ['//p[@a="b]', /cannot be read at position 4/],
  ['//p[foo()]', /unknown function foo/],
  ['//p[contains(.)]', /function contains expects/],
  ['//p[re:nothing(.)]', /unknown function re:nothing/],
  ['//svg:rect', /the prefix "svg" means nothing here/],
  ['//p[x:y(.)]', /the prefix "x" means nothing here/],
  ['', /"" is not accepted; expected an XPath/],
])('the check of a job refuses %s', (path, message) => {
  expect(messageOf({ from: 'xpath', path })).toMatch(message)
})

test('what is no value of the field is refused', () => {
  expect(messageOf({ from: 'xpath', path: '//p', value: 'texts' })).toMatch(
    /item\.field\.value: "texts".*did you mean "text"/,
  )
})

describe('the short form', () => {
  test('means the same, and in a list all that is found', () => {
    expect(fieldOf({ xpath: '//b/text()' }, '<b>1</b><b>2</b>')).toBe('1')
    expect(fieldOf([{ xpath: '//b/text()', type: 'number' }], '<b>1</b><b>2</b>')).toEqual([1, 2])
    expect(fieldOf([{ from: 'xpath', path: '//b' }], '<i>')).toEqual([])
  })

  test('is told of under its own name', () => {
    expect(messageOf({ xpath: '//b[' })).toContain(
      'item.field.xpath: "//b[" is not an XPath: it cannot be read at position 4',
    )
    expect(messageOf({ xpath: '//b', path: '//i' })).toContain('item.field.path')
    expect(messageOf({ xpath: '//b', selector: 'i' })).toContain('item.field.selector')
  })
})

describe('8,000 elements', () => {
  const treeFieldOf = (field: unknown, page: string) => readWith('tree', { field }, page).item?.field
  const wide = `<body>${'<div class="x"><p>t<b>b</b></p></div>'.repeat(17_000)}</body>`
  test.each<[string, number]>([
    ['//p/text()', 17_000],
    ['//div[@class="x"]//b', 17_000],
    ['//b/ancestor::div', 17_000],
    ['//b | //p', 34_000],
    ['//p[contains(., "t")]/@*', 0],
  ])('side by side: %s', (path, count) => {
    expect(treeFieldOf({ from: 'xpath', path, all: true }, wide)).toHaveLength(count)
  })

  const deep = `${'<div>'.repeat(8_000)}x`
  test.each<[string, unknown]>([
    ['count(//div)', 8_000],
    ['string(/)', 'x'],
    ['count(//text())', 1],
  ])('in one another: %s', (path, value) => {
    expect(treeFieldOf({ from: 'xpath', path }, deep)).toEqual(value)
  })
})
