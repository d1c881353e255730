import { type Cheerio, type CheerioAPI, load } from 'cheerio'
import type { AnyNode } from 'domhandler'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TreeElement } from '../../src/extract/dom/node.ts'
import { textOf } from '../../src/extract/dom/text.ts'
import { parseTree } from '../../src/extract/dom/tree.ts'
import { createFinder } from '../../src/extract/finder.ts'
import { anyDocument, plainCompound, position } from './documents.ts'

/** Documents; FUZZ asks for more of them. */
const numRuns = Number(process.env.FUZZ ?? 300)
const limitMs = 30_000 + numRuns * 50

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
    ...['ul:last li', 'ul:first > li:last', 'ul:gt(0) b', 'li.x:last, p:first'],
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

describe('what follows a position', { timeout: limitMs }, () => {
  const html =
    '<p>1</p><p>2</p><p>3<div id=a><b>4</b><div id=b><b>5</b></div></div><ul><li>6<li>7<li>8<li>9</ul><ul><li>10<li>11</ul>'
  const textsOf = (selector: string): string[] => {
    const tree = parseTree(html, 'fast')
    return createFinder(selector, 'page')
      .all(tree.root, tree)
      .map(element => textOf(element))
  }

  test.each([
    ['is a child of one that is inside another chosen one', 'div:lt(2) > b', ['4', '5']],
    ['is the next sibling of what was chosen, and not the next of that too', 'p:first + p', ['2']],
    ['is found from what passes a further test', 'li:even:first-child + li', ['7', '11']],
    ['may be the sibling of what was chosen and tested further', 'div:even#a ~ ul:first > li:odd', ['7', '9']],
    ['is in document order, whichever was chosen first', 'li:even + li', ['7', '9', '11']],
    ['is in document order, each once', 'li:even ~ li', ['7', '8', '9', '11']],
  ])('%s', (_, selector, texts) => {
    expect(textsOf(selector)).toEqual(texts)
  })

  test('is below one that is in the template of another chosen one', () => {
    const tree = parseTree('<div><template><i><b></b></i></template></div>', 'browser')
    expect(createFinder(':is(div, i):lt(2) b', 'page').all(tree.root, tree)).toEqual(tree.named('b'))
  })

  const ways: Readonly<Record<string, (from: Cheerio<AnyNode>, to: string) => Cheerio<AnyNode>>> = {
    ' ': (from, to) => from.find(to),
    ' > ': (from, to) => from.children(to),
    ' + ': (from, to) => from.next(to),
    ' ~ ': (from, to) => from.nextAll(to),
  }
  const way = fc.constantFrom(...Object.keys(ways))
  const parsers: Readonly<Record<'fast' | 'browser', (page: string) => CheerioAPI>> = {
    fast: page => load(page, { xml: { xmlMode: false } }),
    browser: page => load(page, { scriptingEnabled: false }),
  }

  test.each(['fast', 'browser'] as const)('is what the methods of cheerio find from there (%s)', parser => {
    fc.assert(
      fc.property(anyDocument, plainCompound, position, way, plainCompound, (page, from, place, combinator, to) => {
        // Its find() enters a template, where its selectors and ours stay outside.
        fc.pre(!page.includes('<template'))
        const $ = parsers[parser](page)
        const all = $('*').get()
        const tree = parseTree(page, parser)
        const selector = `${from}${place}${combinator}${to}`
        const placesOf = (elements: readonly TreeElement[]) => elements.map(each => tree.elements.indexOf(each))
        const theirsFrom = (scope: Cheerio<AnyNode>) => {
          const found = new Set<AnyNode>(ways[combinator]?.(scope.find(`${from}${place}`), to).get())
          return all.flatMap((element, index) => (found.has(element) ? [index] : []))
        }
        expect(placesOf(createFinder(selector, 'page').all(tree.root, tree))).toEqual(theirsFrom($.root()))
        const below = createFinder(selector, 'element')
        for (const [index, scope] of tree.elements.entries())
          if (scope.name === 'div') expect(placesOf(below.all(scope, tree))).toEqual(theirsFrom($(all[index])))
      }),
      { numRuns },
    )
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

  test.each(['td:eq(1)', 'td:first + td', 'td:eq(1), td:eq(2)'])(
    '%s in each of 20,000 rows looks at its row alone',
    selector => {
      const tree = parseTree(`<table>${'<tr><td>a<td>b</tr>'.repeat(20_000)}</table>`, 'fast')
      const second = createFinder(selector, 'element')
      expect(tree.named('tr').filter(row => second.first(row, tree) !== null)).toHaveLength(20_000)
    },
  )
})
