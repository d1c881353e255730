import { describe, expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'

/** As `fast` reads it; parse5 needs time that grows with the square of the depth. */
const depths = { fast: 100_000, browser: 5_000 } as const

const map = {
  deep: 'b',
  all: 'div',
  descendant: 'div.a b',
  child: { selector: '.a > b', value: 'innerText' },
  first: 'div:has(b) b',
  containing: { selector: 'i:contains("deep"), b:contains("deep")', value: 'tagName' },
  last: 'b:last',
  group: { selector: 'div', value: { inner: 'b', child: { selector: '> div', value: 'class' } } },
  markup: { selector: 'div', value: 'outerHTML' },
}

describe.each(['fast', 'browser'] as const)('%s', parser => {
  const depth = depths[parser]

  test(`a page nested ${depth} deep is read like any other`, () => {
    const html = `${'<div class="a">'.repeat(depth)}<b>deep</b>${'</div>'.repeat(depth)}`
    const engine = createTreeEngine({ name: 'any', match: null, item: checkItem(map, 'item'), follow: ['a'], parser })
    const { item } = engine.read({ html, url: 'http://shop.test/', wantLinks: true })
    expect(item).toEqual({
      deep: 'deep',
      all: 'deep',
      descendant: 'deep',
      child: 'deep',
      first: 'deep',
      containing: 'B',
      last: 'deep',
      group: { inner: 'deep', child: 'a' },
      markup: html,
    })
  }, 60_000)
})
