import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { millrace, temporaryFolder } from './kit.ts'

const job = `name: shop
seeds: [https://shop.test/]
pages:
  - name: list
    match: /list/*
    follow: [a]
  - name: product
    match: /product/*
    item: { title: { selector: h1, required: true } }
`
const line = (path: string, html: string): string => JSON.stringify({ url: `https://shop.test${path}`, html })

test('a job is benched over pages of its own, each read by the rule of the URL it came from', async () => {
  await using folder = await temporaryFolder()
  const file = await folder.write('shop.yaml', job)
  const pages = [
    line('/list/1', '<a href="/product/1">one</a>'),
    line('/product/1', '<h1>One</h1>'),
    line('/about', 'no rule'),
  ]
  const given = await folder.write('pages.jsonl', pages.join('\n'))
  const args = [
    'bench',
    file,
    '--pages',
    given,
    '--threads',
    '1',
    '--concurrency',
    '2',
    '--latency',
    '5',
    '--seconds',
    '0.3',
  ]
  const { code, stdout, stderr } = await millrace([...args, '--json', '--out', 'figures'], folder.path)
  expect(stderr).toContain('loop delay p99')
  expect(code).toBe(0)
  const figures = JSON.parse(await readFile(join(folder.path, 'figures', 'bench.json'), 'utf8'))
  expect(JSON.parse(stdout)).toEqual(figures)
  // Whatever a wrong rule read would fail: its required field is not there.
  expect(figures).toMatchObject({ job: file, rows: [{ failed: 0, concurrency: 2, threads: 1, peakAtServer: 2 }] })
  expect(await readFile(join(folder.path, 'figures', 'bench.html'), 'utf8')).toContain('shop.yaml')
}, 30_000)

test('a bench says in one sentence what binds, and what more threads or more requests would give', async () => {
  await using folder = await temporaryFolder()
  const small = ['--threads', '1', '--concurrency', '1', '--size', '1kB', '--latency', '30', '--seconds', '0.5']
  const { code, stderr } = await millrace(['bench', ...small, '--out', 'figures'], folder.path)
  expect(code).toBe(0)
  // One request after the other: whatever else the machine has to do, they are what is waited for.
  expect(stderr).toMatch(/binds +loop delay p99\n/)
  expect(stderr).toMatch(/ I\/O +\d+\.\d ms/)
  const sentence =
    /^I\/O binds at .* one thread more would give nothing, twice the requests in flight about \+\d+ %\.$/m
  expect(stderr).toMatch(sentence)
  const figures = JSON.parse(await readFile(join(folder.path, 'figures', 'bench.json'), 'utf8'))
  expect(figures.rows[0].bottleneck.sentence).toMatch(sentence)
  expect(figures.rows[0].whatIf).toHaveLength(2)
}, 30_000)

test('a job without pages is not benched: its hosts are not asked for the sake of a figure', async () => {
  await using folder = await temporaryFolder()
  const file = await folder.write('shop.yaml', job)
  const { code, stderr } = await millrace(['bench', file], folder.path)
  expect(code).toBe(2)
  expect(stderr).toContain('--pages')
})

test('pages that no rule of the job fits are refused', async () => {
  await using folder = await temporaryFolder()
  const file = await folder.write('shop.yaml', job)
  const given = await folder.write('pages.jsonl', line('/about', 'no rule'))
  const { code, stderr } = await millrace(['bench', file, '--pages', given], folder.path)
  expect(code).toBe(2)
  expect(stderr).toMatch(/no page rule of shop fits any page/)
}, 20_000)
