import { describe, expect, test } from 'vitest'
import { checkItem } from '../../../src/extract/check-item.ts'
import { needsOf } from '../../../src/extract/stream/page-needs.ts'
import { createStreamEngine } from '../../../src/extract/stream/stream-engine.ts'
import { pageUrl, readWith, ruleOf } from './read.ts'

const request = (html: string) => ({ html, url: pageUrl, wantLinks: false })

describe('what fields of the whole page need', () => {
  test('is asked for once, wherever and however often it stands', () => {
    const schema = checkItem(
      {
        name: { from: 'json-ld', of: 'Product', path: '$.name' },
        kinds: { from: 'json-ld' },
        group: { selector: 'div', value: { inner: { from: 'opengraph' }, again: { from: 'json-ld' } } },
        state: { from: 'script', selector: '#state' },
        other: { from: 'script', selector: '#other' },
      },
      'item',
    )
    expect(needsOf(schema).map(need => Object.keys(need.schema))).toEqual([
      ['blocks'],
      ['metas'],
      ['blocks'],
      ['blocks'],
    ])
  })

  test('is left to the tree where tags do not tell it', () => {
    expect(needsOf(checkItem({ last: { from: 'script', selector: 'script:last-child' } }, 'item'))).toEqual([])
  })

  test('keeps no page from being left early that cannot hold it', () => {
    const engine = createStreamEngine(ruleOf({ title: 'title', name: { from: 'json-ld', of: 'A', path: '$.n' } }))
    const rest = '<p>x</p>'.repeat(10_000)
    const plain = engine.read(request(`<title>t</title><body>${rest}`))
    expect(plain.item).toEqual({ title: 't', name: null })
    expect(plain.readLength).toBeLessThan(1_000)
    const late = engine.read(
      request(`<title>t</title><body>${rest}<script type=application/ld+json>{"@type":"A","n":1}</script>${rest}`),
    )
    expect(late.item).toEqual({ title: 't', name: 1 })
  })
})

test('fields of the page keep their order and their names, whatever is found beside them', () => {
  const item = { b: { from: 'opengraph', property: 'og:title' }, a: 'h1', c: { from: 'script', path: '$.x' } }
  const html = '<meta property=og:title content=t><h1>h</h1><script type=application/json>{"x":[1]}</script>'
  for (const engine of ['stream', 'tree'] as const)
    expect(JSON.stringify(readWith(engine, item, html).item)).toBe('{"b":"t","a":"h","c":[1]}')
})
