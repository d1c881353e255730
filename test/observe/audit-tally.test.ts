import { expect, test } from 'vitest'
import { createAuditTally } from '../../src/observe/audit-tally.ts'

const difference = (path: string, fast = '1') => ({ path, fast, browser: '2' })

test('fields are counted by page rule, with the first URL and its values, most differing first', () => {
  const tally = createAuditTally()
  const add = (page: string, url: string, ...differences: ReturnType<typeof difference>[]) =>
    tally.add({ page, url, cpuMs: 1.25, differences })
  add('product', 'http://shop.test/1', difference('item.tags'))
  add('product', 'http://me:secret@shop.test/2', difference('item.price'))
  add('list', 'http://shop.test/3')
  add('product', 'http://shop.test/4', difference('item.price', '9'))
  add('list', 'http://shop.test/5', difference('item.price', '7'))
  tally.add({ page: 'list', url: 'http://shop.test/6', cpuMs: 0.04, differences: null })
  const [browser, one] = ['2', 1]
  expect(tally.report()).toEqual({
    pages: 5,
    skipped: 1,
    cpuMs: 6.3,
    fields: [
      { page: 'product', path: 'item.price', differing: 2, exampleUrl: 'http://shop.test/2', fast: '1', browser },
      { page: 'product', path: 'item.tags', differing: one, exampleUrl: 'http://shop.test/1', fast: '1', browser },
      { page: 'list', path: 'item.price', differing: one, exampleUrl: 'http://shop.test/5', fast: '7', browser },
    ],
  })
})

test('fields that pages make up do not fill the report', () => {
  const tally = createAuditTally()
  for (let index = 0; index < 2_000; index += 1)
    tally.add({ page: 'p', url: 'http://shop.test/', cpuMs: 0, differences: [difference(`item.data.f${index}`)] })
  expect(tally.report().fields).toHaveLength(500)
})
