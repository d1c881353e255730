import { expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import { createStreamEngine } from '../../src/extract/stream/stream-engine.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'

const bold = '<b>'
const many = 15_000
const numbered = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('')

const pages: Readonly<Record<string, string>> = {
  'formatting that is never closed': `<p>x${bold.repeat(many)}y`,
  'formatting with attributes of its own': `${numbered(many, index => `<font size=${index}>`)}<p>x`,
  'formatting opened in each of many paragraphs': numbered(1_000, index => `<p><font size=${index}>x`),
  'an attribute of 4 MB': `<a href="${'x'.repeat(4e6)}">l</a>`,
  'an attribute of 1 MB of references': `<a href="${'&amp;'.repeat(200_000)}">l</a>`,
  'a tag with 80,000 attributes': `<a ${numbered(80_000, index => `a${index}=1 `)} href=x>l</a>`,
  'NUL everywhere': `a\0<p\0 c\0=\0>\0</p\0>${'<p>\0x\0</p>\0'.repeat(many)}<a href="\0">`,
  'nothing but beginnings': `${'<'.repeat(200_000)}${'<a '.repeat(40_000)}>${'<!--'.repeat(40_000)}`,
  'text of references': `<p>${'&'.repeat(200_000)}${'&amp'.repeat(40_000)}`,
  'end tags of nothing': `<p>x${'</i></p></br>'.repeat(many)}`,
}

const rule: PageRule = {
  name: 'any',
  match: null,
  item: checkItem(
    {
      title: 'title',
      texts: ['p'],
      font: { selector: 'b font, font', value: 'size' },
      href: { selector: 'a', value: 'href' },
      markup: { selector: 'p', value: 'outerHTML' },
    },
    'item',
  ),
  follow: ['a'],
  parser: 'fast',
}

/** A page has five seconds, and each of them far less than one of its own. */
const limitMs = 20_000

test.each(Object.keys(pages))(
  '%s: both engines give the same values',
  name => {
    const request = { html: pages[name] ?? '', url: 'http://shop.test/', wantLinks: true }
    const tree = createTreeEngine(rule).read(request)
    const { readLength, ...stream } = createStreamEngine(rule).read(request)
    expect(JSON.stringify(stream) === JSON.stringify(tree)).toBe(true)
    expect(readLength).toBeGreaterThan(0)
  },
  limitMs,
)
