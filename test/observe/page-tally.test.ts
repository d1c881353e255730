import { expect, test } from 'vitest'
import { createEvents, type EventMap } from '../../src/core/events.ts'
import { newTask } from '../../src/core/task.ts'
import { gatherPageTally } from '../../src/observe/page-tally.ts'

const parsed = (page: string, filled?: readonly number[]): EventMap['page.parsed'] => ({
  task: newTask(page, new URL('http://a.test/'), page),
  code: null,
  bodyBytes: 10,
  decodedBytes: 20,
  items: 1,
  links: 0,
  parseMs: 1,
  queuedMs: 0,
  cpuMs: 1,
  parts: { decodeMs: 0, serialiseMs: 0 },
  engine: 'stream',
  audit: null,
  brokenBlocks: 0,
  ...(filled !== undefined && { filled }),
})

test('how often each field had a value is told of all pages of its rule together', () => {
  const events = createEvents('page-tally')
  using tally = gatherPageTally('page-tally', new Map([['product', ['title', 'price', 'sku']]]))
  events.emit('page.parsed', () => parsed('product', [1, 1, 0, 0]))
  events.emit('page.parsed', () => parsed('product', [3, 3, 2, 0]))
  events.emit('page.parsed', () => parsed('product'))
  events.emit('page.parsed', () => parsed('list'))
  expect(tally.report()).toMatchObject([
    { page: 'product', pages: 3, fields: { title: 1, price: 0.5, sku: 0 } },
    { page: 'list', pages: 1, fields: {} },
  ])
})

test('items that are not kept although their page was read are counted', () => {
  const events = createEvents('page-tally-refused')
  using tally = gatherPageTally('page-tally-refused', new Map())
  events.emit('page.parsed', () => ({ ...parsed('product'), refused: 2 }))
  events.emit('page.parsed', () => parsed('product'))
  expect(tally.report()).toMatchObject([{ page: 'product', pages: 2, items: 2, refused: 2 }])
})

test('what is nearly all is not all, and what is hardly any is not none', () => {
  const events = createEvents('page-tally-edges')
  using tally = gatherPageTally('page-tally-edges', new Map([['product', ['title', 'price']]]))
  events.emit('page.parsed', () => parsed('product', [1_000_000, 999_999, 1]))
  expect(tally.report()[0]?.fields).toEqual({ title: 0.999, price: 0.001 })
})
