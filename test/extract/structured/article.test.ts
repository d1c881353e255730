import { describe, expect, test } from 'vitest'
import { fieldOf, messageOf, readWith } from './read.ts'

const sentence = 'The kettle was older than the house, and nobody could say who had brought it there, or when. '
const paragraphs = Array.from(
  { length: 6 },
  (_, index) => `<p>${index}: ${sentence.repeat(3)}<a href="/more">more</a></p>`,
).join('\n')
const page =
  '<!doctype html><html lang="en"><head><title>Old kettles - Shop</title><base href="https://cdn.test/x/">' +
  '<meta name="author" content="Ada Byron"><meta property="og:site_name" content="Shop"><meta name="description" content="On kettles.">' +
  `</head><body><nav><ul><li><a href="/">Home</a></ul></nav><article><h1>Old kettles</h1>${paragraphs}<img src="k.png" alt="k">` +
  '</article><footer>Imprint</footer><script>no()</script></body></html>'

describe('the main text', () => {
  test('is without what is round it, a paragraph a line', () => {
    const text = String(fieldOf({ from: 'readability' }, page))
    expect(text).toMatch(/^0: The kettle/)
    expect(text.split('\n').length).toBeGreaterThan(5)
    expect(text).not.toMatch(/Home|Imprint|no\(\)/)
  })

  test.each<[string, unknown]>([
    ['title', 'Old kettles - Shop'],
    ['byline', 'Ada Byron'],
    ['excerpt', 'On kettles.'],
    ['siteName', 'Shop'],
    ['language', 'en'],
    ['publishedAt', null],
  ])('has a %s', (value, expected) => {
    expect(fieldOf({ from: 'readability', value }, page)).toBe(expected)
  })

  test('as HTML has absolute links', () => {
    const html = String(fieldOf({ from: 'readability', value: 'html' }, page))
    expect(html).toContain('<a href="https://cdn.test/more">')
    expect(html).toContain('src="https://cdn.test/x/k.png"')
  })

  test('there is none on a page without one', () => {
    for (const html of ['', '<p>x', '<title>x</title>'])
      expect([null, 'x']).toContain(fieldOf({ from: 'readability' }, html))
    expect(fieldOf({ from: 'markdown' }, '')).toBe(null)
    expect(messageOf({ from: 'readability', value: 'txt' })).toMatch(
      /item\.field\.value: "txt" is not accepted.*did you mean "text"/,
    )
  })
})

const markdownOf = (html: string): unknown => fieldOf({ from: 'markdown', selector: 'main' }, `<main>${html}</main>`)

describe('Markdown', () => {
  test.each<[string, string, string]>([
    ['headings and emphasis', '<h2>A <em>b</em></h2><p>c <strong>d</strong></p>', '## A _b_\n\nc **d**'],
    [
      'links and images',
      '<p><a href="/b">x</a> <img src="i.png" alt="y"></p>',
      '[x](https://shop.test/b) ![y](https://shop.test/p/i.png)',
    ],
    ['a link that runs something', '<p><a href="javascript:go()">x</a></p>', 'x'],
    ['a list', '<ul><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ul>', '- a\n  - b\n- c\n\n  d'],
    ['a list with numbers', '<ol start=9><li>a<li>b</ol>', '9. a\n10. b'],
    ['a list of tasks', '<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>', '- [x] a\n- [ ] b'],
    [
      'code',
      '<pre><code class="language-js">a\n b</code></pre><p>x <code>y`z</code></p>',
      '```js\na\n b\n```\n\nx ``y`z``',
    ],
    ['a quotation', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n> \n> b'],
    ['what was struck out', '<p><del>a</del> <s>b</s></p>', '~~a~~ ~~b~~'],
    ['signs that mean something', '<p>1. a * b _c_ [d]</p>', '1\\. a \\* b \\_c\\_ \\[d\\]'],
    ['a rule', 'a<hr>b', 'a\n\n---\n\nb'],
    ['what is not read', '<p>a</p><script>no()</script><style>no{}</style><svg><title>no</title></svg>', 'a'],
    [
      'a table',
      '<table><caption>C</caption><thead><tr><th>A<th>B</thead><tbody><tr><td>1|2<td><p>x</p><p>y</p><tr><td><td colspan=1>z</table>',
      'C\n\n| A | B |\n| --- | --- |\n| 1\\|2 | x y |\n|  | z |',
    ],
    [
      'a table with a wide cell',
      '<table><tr><td colspan=2>a<tr><td>1<td>2</table>',
      '| a | |\n| --- | --- |\n| 1 | 2 |',
    ],
    ['a table for the layout', '<table><tr><td><h2>a</h2><tr><td>b</table>', '## a\n\nb'],
    [
      'tables in one another',
      '<table><tr><td>x<td><table><tr><td>1<td>2</table></table>',
      'x\n\n| 1 | 2 |\n| --- | --- |',
    ],
  ])('%s', (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown)
  })

  test('of the main text, of all elements, of none', () => {
    expect(String(fieldOf({ from: 'markdown' }, page))).toContain('[more](https://cdn.test/more)')
    expect(fieldOf({ from: 'markdown', selector: 'b', all: true }, '<b>x</b><b><i>y</i></b>')).toEqual(['x', '_y_'])
    expect(fieldOf({ from: 'markdown', selector: 'b' }, '<i>x</i>')).toBe(null)
    expect(messageOf({ from: 'markdown', selector: 'b:nope' })).toMatch(/item\.field\.selector: .*position 2/)
  })
})

describe('hostile pages', () => {
  const text = `<p>${sentence}</p>`
  const pages: readonly [string, string][] = [
    ['20,000 elements in one another', `<main>${'<div>'.repeat(20_000)}x`],
    ['4,000 items of a list', `<main><ol>${'<li>x'.repeat(4_000)}`],
    ['4,000 tables in one another', `<main>${'<table><tr><td>x'.repeat(4_000)}`],
    ['a table of 1,500 rows', `<main><table>${'<tr><td>a<td>b'.repeat(1_500)}`],
    ['1,500 paragraphs', `<main>${text.repeat(1_500)}`],
  ]
  const treeFieldOf = (field: unknown, html: string) => readWith('tree', { field }, html).item?.field

  test.each(pages)('Markdown of %s', (_, html) => {
    expect(treeFieldOf({ from: 'markdown', selector: 'main' }, html)).toMatch(/./)
  })

  test.each(pages)('the main text of %s', (_, html) => {
    expect(() => treeFieldOf({ from: 'readability' }, html)).not.toThrow()
  })

  test('names that no DOM would make an element of', () => {
    expect(markdownOf('<a"b c"d=1>x</a"b><p 1="2" =3>y</p><b __proto__=1>z</b>')).toContain('y')
  })
})
