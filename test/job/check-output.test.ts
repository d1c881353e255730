import { describe, expect, test } from 'vitest'
import { checkJob } from '../../src/job/check-job.ts'
import { changedKeys, signatureOf } from '../../src/job/job-signature.ts'

const check = (output: object, more: object = {}) =>
  checkJob(
    {
      seeds: ['https://a.test/'],
      item: { title: 'h1', Title: 'h2', 'a.b': 'i', a: { selector: 'p', value: { c: 'b' } } },
      output,
      ...more,
    },
    { path: 'job', baseDir: '/' },
  )

test.each<[object, string]>([
  [{ format: 'parquet', compress: 'gzip' }, 'output.compress'],
  [{ format: 'sqlite', rotate: { bytes: '1MB' } }, 'output.rotate'],
  [{ columns: ['title'] }, 'output.columns'],
  [{ format: 'csv', columns: ['titel'] }, 'output.columns'],
  [{ format: 'sqlite' }, 'two columns of the table would be called Title'],
  [{ webhook: 'ftp://hook.test' }, 'output.webhook'],
  [{ webhook: {} }, 'output.webhook'],
  [{ webhook: 'http://hook.test', compress: 'gzip' }, 'output.webhook'],
  [{ rotate: { bytes: '12XB' } }, 'output.rotate.bytes'],
])('%j is refused: %s', (output, text) => {
  expect(() => check(output)).toThrow(text)
})

describe('an archive', () => {
  test.each([
    '../x.warc.gz',
    '..%2fx.warc.gz',
    '/tmp/x.warc',
    'C:x.warc',
    'CON.warc',
    'nul.warc.gz',
    'a\u0000.warc',
    `${'x'.repeat(300)}.warc`,
    'x.txt',
    '.warc',
  ])('is never called %j: its file is in the folder of the run', name => {
    expect(() => check({ warc: name })).toThrow('output.warc')
  })

  test('is called by a plain name', () => {
    expect(check({ warc: 'pages-2030_01.warc.gz' }).output.warc).toBe('pages-2030_01.warc.gz')
  })
})

test('a table has the columns of the schema, or those that are named, in their order', () => {
  const names = (output: object): string[] => check(output).output.columns.map(({ name }) => name)
  expect(names({ format: 'csv' })).toEqual(['title', 'Title', 'a.b', 'a.c', '_url', '_finalUrl', '_page', '_at'])
  expect(names({ format: 'csv', columns: ['_url', 'a.c'] })).toEqual(['_url', 'a.c'])
  const [dotted] = check({ format: 'csv', columns: ['a.b'] }).output.columns
  expect(dotted?.path).toEqual(['a.b'])
})

test('what a module gives is not known before it runs: a table of it needs its columns named', () => {
  const more = { item: undefined, module: './page.ts' }
  expect(() => check({ format: 'csv' }, more)).toThrow('output.columns')
  expect(check({ format: 'csv', columns: ['x.y'] }, more).output.columns).toEqual([
    { name: 'x.y', path: ['x', 'y'], kind: 'any' },
  ])
})

describe('a column inside of a field that is a map', () => {
  const item = {
    specs: { selector: 'table', table: 'pairs' },
    offer: { selector: 'p', value: { terms: { selector: 'dl', dl: true } } },
    data: { selector: 'script', type: 'json' },
    tags: ['i'],
    title: 'h1',
  }
  const pathOf = (name: string) => check({ format: 'csv', columns: [name] }, { item }).output.columns[0]?.path

  test('is called by what the page calls it, whatever that is', () => {
    expect(pathOf('specs.Weight')).toEqual(['specs', 'Weight'])
    expect(pathOf('specs.No. of parts')).toEqual(['specs', 'No. of parts'])
    expect(pathOf('offer.terms.Delivery')).toEqual(['offer', 'terms', 'Delivery'])
    expect(pathOf('data.offers.price')).toEqual(['data', 'offers', 'price'])
  })

  test.each(['title.x', 'tags.x', 'offer.price', 'spec.Weight'])('%s leads nowhere, and is refused', name => {
    expect(() => pathOf(name)).toThrow('output.columns')
  })
})

test('items that are sent on have ids', () => {
  expect(check({ webhook: 'https://hook.test/' })).toMatchObject({
    output: { ids: true },
    webhook: { url: 'https://hook.test/', batch: 100, headers: {}, giveUpMs: 600_000 },
  })
})

test('where items are sent to may change while a run is resumed, and what they look like may not', () => {
  const before = signatureOf(check({ webhook: 'https://one.test/' }))
  expect(changedKeys(before, signatureOf(check({ webhook: 'https://two.test/' })))).toEqual(['webhook.url'])
  expect(changedKeys(before, signatureOf(check({})))).toEqual(expect.arrayContaining(['output.ids']))
})
