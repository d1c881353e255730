import { expect, test } from 'vitest'
import { createStage } from '../../../src/stage/stage.ts'
import { pageRule, parsed, parseRequest, stageRules } from '../../stage/requests.ts'
import { readWith } from './read.ts'

const html =
  '<script type="application/ld+json">{"@type":"Product","name":"Tea"}</script>' +
  '<script type="application/ld+json">{"@type":"Product" "name"}</script>' +
  '<script type="application/ld+json">{"a":}</script><script type="application/json">{oops}</script>' +
  '<script type="application/ld+json"> </script>'

const name = { from: 'json-ld', of: 'Product', path: '$.name' }

test.each(['stream', 'tree'] as const)(
  'broken blocks are counted once, however many fields ask for them (%s)',
  engine => {
    const item = { name, again: name, types: { from: 'json-ld', path: '$[*]' }, state: { from: 'script' } }
    expect(readWith(engine, item, html)).toMatchObject({ item: { name: 'Tea', state: null }, brokenBlocks: 3 })
    expect(readWith(engine, { name }, html).brokenBlocks).toBe(2)
    expect(readWith(engine, { title: 'title' }, html)).not.toHaveProperty('brokenBlocks')
  },
)

test('their count is told by the parse stage', () => {
  const stage = createStage(stageRules([pageRule('product', { item: { name } })]), () => 0)
  const reply = parsed(stage.run(parseRequest(html)))
  expect(reply).toMatchObject({ engine: 'stream', itemCount: 1, brokenBlocks: 2 })
})
