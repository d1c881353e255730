import { expect, test } from 'vitest'
import { checkJob } from '../../src/job/check-job.ts'
import { countedFields, createFilledCount } from '../../src/stage/filled.ts'
import { createStage } from '../../src/stage/stage.ts'
import { pageRule, parseRequest, stageRules } from './requests.ts'

const pagesOf = (item: object) => {
  const [rule] = checkJob({ seeds: ['http://a.test/'], item }, { path: 'job', baseDir: '/' }).pages
  if (rule === undefined) throw new Error('a job has a page rule')
  return rule
}

test('what is counted are the fields, and those of a group that an item has once', () => {
  const rule = pagesOf({ title: 'h1', offer: { selector: 'p', value: { price: 'b' } }, tags: ['i'] })
  expect(countedFields(rule)).toEqual(['title', 'offer.price', 'tags'])
})

test.each([
  ['a text', 'x', 1],
  ['no value', null, 0],
  ['an empty text', '', 0],
  ['a list', ['x'], 1],
  ['an empty list', [], 0],
  ['an empty map', {}, 0],
  ['false', false, 1],
  ['0', 0, 1],
])('%s counts as it should', (_, value, counts) => {
  const count = createFilledCount(pagesOf({ title: 'h1' }))
  expect(count({ item: { title: value }, items: [] })).toEqual([1, counts])
})

test('a page without items counts nothing', () => {
  expect(createFilledCount(pagesOf({ title: 'h1' }))({ item: null, items: [] })).toBeNull()
})

test('pages that fail for want of a field are counted as well', () => {
  const rule = pageRule('product', { item: { title: 'h1', price: { selector: 'b', required: true } } })
  const stage = createStage(stageRules([rule]), () => 0)
  expect(stage.run(parseRequest('<h1>A</h1><b>5</b>'))).toMatchObject({ kind: 'parsed', filled: [1, 1, 1] })
  expect(stage.run(parseRequest('<h1>A</h1>'))).toMatchObject({ kind: 'faulted', filled: [1, 1, 0] })
})
