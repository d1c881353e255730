import { expect } from 'vitest'
import type { JsonValue } from '../../../src/core/wire.ts'
import { checkItem } from '../../../src/extract/check-item.ts'
import type { Reading } from '../../../src/extract/engine.ts'
import type { PageRule } from '../../../src/extract/page-rule.ts'
import { createStreamEngine } from '../../../src/extract/stream/stream-engine.ts'
import { createTreeEngine } from '../../../src/extract/tree-engine.ts'

export const pageUrl = 'https://shop.test/p/tea?x=1'

export const ruleOf = (item: unknown, parser: PageRule['parser'] = 'fast'): PageRule => ({
  name: 'product',
  match: null,
  item: checkItem(item, 'item'),
  follow: [],
  parser,
})

export const readWith = (engine: 'stream' | 'tree', item: unknown, html: string): Reading =>
  (engine === 'stream' ? createStreamEngine : createTreeEngine)(ruleOf(item)).read({
    html,
    url: pageUrl,
    wantLinks: false,
  })

/** The value of one field, which both engines must agree on. */
export function fieldOf(field: unknown, html: string): JsonValue | undefined {
  const [stream, tree] = (['stream', 'tree'] as const).map(engine => readWith(engine, { field }, html).item?.field)
  expect(stream).toEqual(tree)
  return stream
}

/** As plain JSON, which is what leaves a worker. */
export const plainFieldOf = (field: unknown, html: string): unknown => JSON.parse(JSON.stringify(fieldOf(field, html)))

export const messageOf = (field: unknown): string => {
  try {
    checkItem({ field }, 'item')
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
  return 'accepted'
}
