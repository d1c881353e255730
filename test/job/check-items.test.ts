import { describe, expect, test } from 'vitest'
import { MillraceError } from '../../src/core/errors.ts'
import { checkJob } from '../../src/job/check-job.ts'

const check = (job: object) =>
  checkJob({ seeds: ['https://a.test/'], ...job }, { path: 'job', baseDir: '/jobs', needsSeeds: true })

function problemsOf(job: object): string {
  try {
    check(job)
  } catch (thrown) {
    if (thrown instanceof MillraceError) return thrown.message
    throw thrown
  }
  return ''
}

const items = { selector: 'li', item: { name: { value: 'text' } } }

describe('several items of a page', () => {
  test('are a rule of their own, at the top of a job as well', () => {
    const rule = { selector: 'li', required: false, item: { name: expect.objectContaining({ selector: null }) } }
    expect(check({ items }).pages[0]).toMatchObject({ name: 'page', item: null, items: rule })
    expect(check({ pages: [{ name: 'a', items: { ...items, required: true } }] }).pages[0]?.items?.required).toBe(true)
  })

  test.each([
    [{ items, item: { a: 'b' } }, 'items: a page has one `item` or several `items`; give one of them'],
    [{ items, module: './a.ts' }, 'module: a page is read by its `item` or by its `module`'],
    [{ items: { item: { a: 'b' } } }, 'items.selector: is missing'],
    [{ items: { selector: 'li' } }, 'items.item: is missing'],
    [{ items: { selector: 'li[', item: { a: 'b' } } }, 'items.selector: "li[" is not a selector'],
    [
      { pages: [{ name: 'a', items: { selector: 'li', item: { a: { selector: 'b', nth: 1 } } } }] },
      'pages[0].items.item.a.nth: 1 is not accepted',
    ],
    [{ items: { ...items, slector: 'li' } }, 'items.slector'],
  ])('%j are refused', (job, message) => {
    expect(problemsOf(job)).toContain(message)
  })
})

describe('a field that is followed', () => {
  const detail = { selector: 'a', follow: 'product' }

  test('names a page rule', () => {
    const product = { name: 'product', item: { a: 'b' } }
    expect(check({ pages: [{ name: 'list', item: { detail } }, product] }).pages).toHaveLength(2)
  })

  test.each([
    [{ item: { detail } }, 'item.detail.follow: "product" is not accepted; expected true, or a page rule: page'],
    [{ items: { selector: 'li', item: { a: { value: { detail } } } } }, 'items.item.a.detail.follow: "product"'],
    [{ pages: [{ name: 'list', item: { detail } }] }, 'pages[0].item.detail.follow: "product"'],
  ])('%j names none', (job, message) => {
    expect(problemsOf(job)).toContain(message)
  })
})
