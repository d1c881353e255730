import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadJob } from '../../src/job/load-job.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-job-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const yaml = 'seeds: [https://books.test/]\nitem:\n  title: h1\nlimits: { inFlight: 8 }\n'
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) })

describe('a job file', () => {
  test.each([
    ['a.yaml', yaml],
    ['a.yml', `\uFEFF${yaml}`],
    [
      'a.json',
      '{ "$schema": "x", "seeds": ["https://books.test/"], "item": { "title": "h1" }, "limits": { "inFlight": 8 } }',
    ],
    [
      'a.ts',
      'export const job: object = { seeds: ["https://books.test/"], item: { title: "h1" }, limits: { inFlight: 8 } }',
    ],
    ['a.mjs', 'export const job = { seeds: ["https://books.test/"], item: { title: "h1" }, limits: { inFlight: 8 } }'],
  ])('%s is read', async (name, text) => {
    const job = await loadJob(file(name, text))
    expect(job).toMatchObject({ name: 'a', limits: { inFlight: 8 }, pages: [{ name: 'page' }] })
  })

  test('in YAML may share parts by anchors and merge keys', async () => {
    const text =
      'seeds: [https://a.test/]\npages:\n  - &a { name: a, match: /a, item: { t: h1 } }\n  - { <<: *a, name: b, match: /b }\n'
    const { pages } = await loadJob(file('merge.yaml', text))
    expect(pages.map(({ name, item }) => [name, Object.keys(item ?? {})])).toEqual([
      ['a', ['t']],
      ['b', ['t']],
    ])
  })

  test.each([
    ['tab.yaml', 'seeds:\n\t- x\n', /tab\.yaml:2:1: this is not YAML: /],
    ['open.yaml', 'seeds: [a\nitem: {', /open\.yaml:\d+:\d+: this is not YAML: /],
    ['twice.yaml', 'seeds: []\nseeds: []\n', /twice\.yaml:2:1: this is not YAML: .*unique/],
    ['two.yaml', 'a: 1\n---\nb: 2\n', /two\.yaml:\d:\d: this is not YAML: /],
    ['empty.yaml', '', /empty\.yaml: null is not accepted; expected a job/],
    ['bad.json', '{ "seeds": [,] }', /bad\.json: this is not JSON: /],
    ['none.ts', 'export const jobs = {}', /none\.ts: this module exports no `job`/],
    ['throws.mjs', 'throw new Error("not today")', /throws\.mjs: this module cannot be loaded: not today/],
    ['broken.ts', 'export const = 1', /broken\.ts: this module cannot be loaded: /],
    ['job.toml', 'a = 1', /job\.toml: this is not the name of a job file; expected one that ends in \.yaml/],
  ])('%s is refused in one clear line', async (name, text, message) => {
    const path = file(name, text)
    await expect(loadJob(path)).rejects.toThrowError(refused(message))
    await expect(loadJob(path)).rejects.toThrowError(
      expect.objectContaining({ message: expect.not.stringContaining('\n') }),
    )
  })

  test('that defines itself a billion times over is refused', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`)
    await expect(loadJob(file('bomb.yaml', `a0: &a0 x\n${rows.join('\n')}\n`))).rejects.toThrowError(
      refused(/bomb\.yaml: this YAML cannot be resolved: .*alias/),
    )
  })

  test('that is missing or a folder is refused', async () => {
    await expect(loadJob(join(folder, 'missing.yaml'))).rejects.toThrowError(refused(/there is no such job file$/))
    await expect(loadJob(join(folder, 'missing.ts'))).rejects.toThrowError(refused(/there is no such job file$/))
    await expect(loadJob(folder)).rejects.toThrowError(refused(/this is a folder/))
  })

  test('names files of seeds from where it lies', async () => {
    const { seeds } = await loadJob(file('from.yaml', 'seeds: [{ from: urls.txt }]\nfollow: a\n'))
    expect(seeds).toEqual([{ kind: 'file', path: join(folder, 'urls.txt') }])
  })
})

describe('overrides', () => {
  const path = file('set.yaml', `${yaml}pages:\n  - { name: a, follow: a }\n`.replace('item:\n  title: h1\n', ''))
  const set = (...pairs: readonly (readonly [string, string])[]) =>
    loadJob(
      path,
      pairs.map(([at, value]) => ({ path: at, value })),
    )

  test('are put in before the job is checked', async () => {
    const job = await set(
      ['limits.inFlight', '10'],
      ['limits.delayMs', '[500, 1500]'],
      ['pages[0].item.price', '{ selector: .price, type: number }'],
      ['pages[1]', '{ name: b, follow: [h3 a] }'],
      ['hosts["books.test"].max', '9'],
      ['scope', 'same-domain'],
      ['headers.x-a', '"1"'],
    )
    expect(job).toMatchObject({
      limits: { inFlight: 10, delayMs: { min: 500, max: 1500 } },
      hosts: { 'books.test': { perHost: { max: 9 } } },
      scope: { within: 'same-domain' },
      headers: { 'x-a': '1' },
    })
    expect(job.pages.map(({ name, follow }) => [name, follow])).toEqual([
      ['a', ['a']],
      ['b', ['h3 a']],
    ])
    expect(job.pages[0]?.item?.price?.type).toBe('number')
  })

  test.each([
    ['limits..inFlight', '1', /^--set limits\.\.inFlight: this is no path/],
    ['', '1', /^--set : this is no path/],
    ['limits[', '1', /this is no path/],
    ['limits[0]', '1', /^--set limits\[0\]: limits is no list/],
    ['pages[7].name', 'x', /^--set pages\[7\]: pages is a list of 1/],
    ['seeds.x', '1', /^--set seeds\.x: seeds is \["https:\/\/books\.test\/"\], which has no keys/],
    ['limits.inFlight', '[1', /^--set limits\.inFlight: "\[1" is no YAML value/],
    ['limits.inFlihgt', '1', /limits\.inFlihgt: unknown key `inFlihgt`; did you mean `inFlight`\?/],
    ['__proto__.polluted', '1', /__proto__: unknown key/],
  ])('%s=%s is refused', async (at, value, message) => {
    await expect(set([at, value])).rejects.toThrowError(refused(message))
    expect({}).not.toHaveProperty('polluted')
  })
})

test('URLs given beside a job are further seeds of it', async () => {
  const path = file('bare.yaml', 'follow: a\n')
  const { seeds } = await loadJob(path, [], ['https://a.test/', 'https://b.test/'])
  expect(seeds).toHaveLength(2)
  await expect(loadJob(path)).rejects.toThrowError(refused(/seeds: is missing; expected one URL at least/))
  await expect(loadJob(path, [], ['a.test'])).rejects.toThrowError(refused(/seeds\[0\]: "a\.test" is not a URL/))
})
