import { load } from 'cheerio'
import { describe, expect, test } from 'vitest'
import { parseTree } from '../../src/extract/dom/tree.ts'
import { createFinder } from '../../src/extract/finder.ts'

const countOf = (html: string, selector: string): number => {
  const tree = parseTree(html, 'fast')
  return createFinder(selector, 'page').all(tree.root, tree).length
}

describe('a selector with positions finds what cheerio finds', () => {
  const html =
    '<ul><li class=x>1<li>2<b>b</b><li class=x>3</ul><ul><li>4<ul><li>5<li class=x>6</ul></ul><p>7</p><p class=x>8<b>9</b></p>'

  test.each([
    ...[
      'li:first',
      'li:last',
      'li:eq(1)',
      'li:eq(-1)',
      'li:eq(99)',
      'li:gt(2)',
      'li:lt(2)',
      'li:lt(-1)',
      'li:even',
      'li:odd',
    ],
    ...['ul:last li', 'ul:first > li:last', 'li:even ~ li:first', 'li:even ~ li', 'ul:gt(0) + p', 'li.x:last, p:first'],
    ...[
      'li:not(:first)',
      'li:not(ul:last li:first)',
      'p:not(:last, .x)',
      ':first',
      'li:first.x',
      'li:even:odd',
      'ul li:gt(0):lt(2) b',
    ],
  ])('%s', selector => {
    const theirs = load(html, { xml: { xmlMode: false } })(selector)
    const tree = parseTree(html, 'fast')
    expect(
      createFinder(selector, 'page')
        .all(tree.root, tree)
        .map(({ name }) => name),
    ).toEqual(theirs.get().map(element => ('name' in element ? element.name : '')))
  })
})

describe('in time that grows with the page', () => {
  const deep = '<b>'.repeat(40_000)
  const wide = `<p>${'<b></b>'.repeat(40_000)}`

  test.each([
    ['b:last', 1, 1],
    ['b:not(:first)', 39_999, 39_999],
    ['b:even', 20_000, 20_000],
    ['b:gt(0) ~ b', 0, 39_998],
    ['b:last, b:first', 2, 2],
  ])('%s of 40,000 in one another, and side by side', (selector, ofDeep, ofWide) => {
    expect([countOf(deep, selector), countOf(wide, selector)]).toEqual([ofDeep, ofWide])
  })

  test('a position in each of 20,000 rows looks at its row alone', () => {
    const tree = parseTree(`<table>${'<tr><td>a<td>b</tr>'.repeat(20_000)}</table>`, 'fast')
    const second = createFinder('td:eq(1)', 'element')
    expect(tree.named('tr').filter(row => second.first(row, tree) !== null)).toHaveLength(20_000)
  })
})
