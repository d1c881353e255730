import { type CheerioAPI, load } from 'cheerio'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkItem } from '../../src/extract/check-item.ts'
import type { Engine } from '../../src/extract/engine.ts'
import type { PageRule } from '../../src/extract/page-rule.ts'
import { createStreamEngine } from '../../src/extract/stream/stream-engine.ts'
import { createTreeEngine } from '../../src/extract/tree-engine.ts'
import { brokenDocument, streamSelector } from './stream-documents.ts'

/** What is said of all matches of a selector, and of one of them, as cheerio has it. */

const engines: Readonly<Record<string, (rule: PageRule) => Engine>> = {
  stream: createStreamEngine,
  tree: createTreeEngine,
}

const schemaOf = (selector: string): object => ({
  second: { selector, value: 'textContent', pick: 2 },
  last: { selector, value: 'textContent', pick: 'last' },
  lastButOne: { selector, value: 'class', pick: -2 },
  count: { selector, count: true },
  exists: { selector, exists: true },
  own: { selector, value: 'ownText', type: 'raw' },
  owns: [{ selector, value: 'ownText', type: 'raw' }],
  group: { selector, pick: 'last', value: { count: { selector: 'b, i', count: true }, own: { value: 'tagName' } } },
})

type Elements = ReturnType<CheerioAPI>

const ownText = (elements: Elements): string =>
  elements
    .contents()
    .get()
    .map(node => (node.type === 'text' ? node.data : ''))
    .join('')

function theirs(html: string, selector: string): unknown {
  const $ = load(html, { xml: { xmlMode: false } })
  const all = $(selector)
  const textOf = (elements: Elements): string | null => (elements.length === 0 ? null : elements.text())
  return {
    second: textOf(all.eq(1)),
    last: textOf(all.last()),
    lastButOne: all.eq(-2).attr('class') ?? null,
    count: all.length,
    exists: all.length > 0,
    own: all.length === 0 ? null : ownText(all.first()),
    owns: all.get().map(element => ownText($(element))),
    group:
      all.length === 0
        ? null
        : { count: all.last().find('b, i').length, own: all.last().prop('tagName')?.toUpperCase() },
  }
}

describe.each(Object.keys(engines))('the %s engine', name => {
  test('counts, picks and reads the own text of what cheerio finds', () => {
    fc.assert(
      fc.property(streamSelector, fc.array(brokenDocument, { minLength: 4, maxLength: 4 }), (selector, pages) => {
        const item = checkItem(schemaOf(selector), 'item')
        const engine = engines[name]?.({ name: 'any', match: null, item, follow: [], parser: 'fast' })
        for (const html of pages)
          expect(engine?.read({ html, url: 'http://shop.test/', wantLinks: false }).item).toEqual(
            theirs(html, selector),
          )
      }),
      { numRuns: 100 },
    )
  })
})
