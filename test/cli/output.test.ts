import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { parse as parseCsv } from 'csv-parse/sync'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Folder, millrace, oneThread, type Site, startSite, temporaryFolder } from './kit.ts'

// Several processes each.
vi.setConfig({ testTimeout: 60_000 })

let folder: Folder
let site: Site
/** Pages of these numbers fail while they are in here. */
const broken = new Set<number>()
beforeAll(async () => {
  folder = await temporaryFolder()
  site = await startSite((request, response) => {
    const nth = Number(request.url?.slice(1))
    if (!(nth >= 0 && nth < 12) || broken.has(nth)) return response.writeHead(404).end()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    const links = [1, 2].map(more => `<a href="/${nth + more}">x</a>`).join('')
    return response.end(`<!doctype html><title>=Page ${nth}</title><p>${nth}.5</p>${links}`)
  })
})
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

const job = (output: string): string =>
  `name: out\nseeds: ["${site.url}/0"]\nitem: { title: title, price: { selector: p, type: number } }\nfollow: [a]\noutput: ${output}\n`
async function run(out: string, output: string, ...more: string[]) {
  await folder.write(`${out}.yaml`, job(output))
  return millrace(['run', `${out}.yaml`, '--out', out, ...oneThread, '--quiet', ...more], folder.path)
}
const place = (...names: string[]): string => join(folder.path, ...names)
/** In the order of the pages: which of two is done first is nobody's promise. */
const titles = (items: readonly unknown[]): string[] =>
  items
    .map(item => (item as { title: string }).title)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
const all = Array.from({ length: 12 }, (_, nth) => `=Page ${nth}`)

describe('a run writes its items', () => {
  test('as CSV, stopped and gone on with, one header in all', async () => {
    expect((await run('csv', '{ format: csv }', '--max-pages', '3')).code).toBe(0)
    expect((await run('csv', '{ format: csv }')).code).toBe(0)
    const rows: Record<string, string>[] = parseCsv(await readFile(place('csv', 'items.csv')), { columns: true })
    expect(titles(rows)).toEqual(all.map(title => `'${title}`))
    expect(rows.find(({ price }) => price === '3.5')).toMatchObject({ _url: `${site.url}/3`, _page: 'page' })
  })

  test('into a table of its state, in the types of the schema', async () => {
    expect((await run('sqlite', '{ format: sqlite }', '--max-pages', '3')).code).toBe(0)
    expect((await run('sqlite', '{ format: sqlite }')).code).toBe(0)
    using database = new DatabaseSync(place('sqlite', 'state.db'))
    const rows = database.prepare('SELECT title, price, typeof(price) AS type FROM items').all()
    expect(titles(rows)).toEqual(all)
    expect(rows.find(({ title }) => title === '=Page 3')).toMatchObject({ price: 3.5, type: 'real' })
  })

  test('as Parquet, once the run is finished', async () => {
    expect((await run('parquet', '{ format: parquet }', '--max-pages', '3')).code).toBe(0)
    expect(await readdir(place('parquet'))).toContain('items-00001.jsonl')
    expect((await run('parquet', '{ format: parquet }')).code).toBe(0)
    const names = await readdir(place('parquet'))
    expect(names.filter(name => name.startsWith('items'))).toEqual(['items-00001.parquet'])
    const file = await asyncBufferFromFile(place('parquet', 'items-00001.parquet'))
    const rows = await parquetReadObjects({ file })
    expect(titles(rows)).toEqual(all)
    expect(rows.find(({ title }) => title === '=Page 3')).toMatchObject({ price: 3.5 })
  })

  test('compressed, in files in a row', async () => {
    expect((await run('gzip', '{ compress: gzip, rotate: { bytes: 100 } }', '--max-pages', '3')).code).toBe(0)
    expect((await run('gzip', '{ compress: gzip, rotate: { bytes: 100 } }')).code).toBe(0)
    const names = (await readdir(place('gzip'))).filter(name => name.startsWith('items')).sort()
    expect(names.length).toBeGreaterThan(1)
    expect(names[0]).toBe('items-00001.jsonl.gz')
    const texts = await Promise.all(names.map(name => readFile(place('gzip', name))))
    const lines = texts.flatMap(bytes => gunzipSync(bytes).toString().trimEnd().split('\n'))
    expect(titles(lines.map(line => JSON.parse(line)))).toEqual(all)
  })

  test('down a pipe, with an id for each that a second run gives again', async () => {
    await folder.write('pipe.yaml', job('{ format: csv }'))
    const idsOf = async (): Promise<string[]> => {
      const { code, stdout } = await millrace(['run', 'pipe.yaml', '--out', '-', ...oneThread, '--quiet'], folder.path)
      expect(code).toBe(0)
      const items = stdout
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
      expect(titles(items)).toEqual(all)
      return items.map(({ _id }) => _id).sort()
    }
    const ids = await idsOf()
    expect(new Set(ids).size).toBe(12)
    expect(await idsOf()).toEqual(ids)
  })
})

describe('an archive of the pages', () => {
  test('holds each page once, stopped and gone on with, and the parse stage reads it', async () => {
    expect((await run('warc', '{ warc: pages.warc.gz }', '--max-pages', '3')).code).toBe(0)
    expect((await run('warc', '{ warc: pages.warc.gz }')).code).toBe(0)
    const parsed = await millrace(['parse', 'warc.yaml', 'warc/pages.warc.gz', ...oneThread], folder.path)
    expect(parsed.code).toBe(0)
    expect(parsed.stdout).toBe(await readFile(place('warc', 'items.jsonl'), 'utf8'))
  })
})

describe('retry', () => {
  test('puts dead URLs back, takes their letters away, and the next run goes on with them alone', async () => {
    for (const nth of [4, 7]) broken.add(nth)
    const output = '{ format: jsonl }'
    expect(await run('retry', output)).toMatchObject({ code: 0 })
    const letters = async (): Promise<string[]> =>
      (await readFile(place('retry', 'dead.jsonl'), 'utf8'))
        .split('\n')
        .filter(Boolean)
        .map(line => new URL(JSON.parse(line).url).pathname)
    expect((await letters()).sort()).toEqual(['/12', '/13', '/4', '/7'])
    expect((await millrace(['retry', 'retry', '--code', 'SERVER_ERROR'], folder.path)).stderr).toContain(
      'Nothing to put back',
    )
    expect((await letters()).sort()).toEqual(['/12', '/13', '/4', '/7'])
    broken.delete(4)
    const again = await millrace(['retry', 'retry', '--code', 'http_status'], folder.path)
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('4 URLs put back (HTTP_STATUS 4), 0 still dead'),
    })
    expect(await letters()).toEqual([])
    const before = site.requests
    const resumed = await millrace(['run', 'retry.yaml', '--out', 'retry', ...oneThread], folder.path)
    expect(resumed.code).toBe(0)
    expect(resumed.stderr).toMatch(/\d+ items in all, \d+ pages? this time/)
    expect(site.requests - before).toBeLessThanOrEqual(5)
    broken.clear()
    expect((await letters()).sort()).toEqual(['/12', '/13', '/7'])
    const items = (await readFile(place('retry', 'items.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(titles(items)).toEqual(all.filter(title => title !== '=Page 7'))
    const report = JSON.parse(await readFile(place('retry', 'report.json'), 'utf8'))
    expect(report).toMatchObject({ finished: true, ledger: { discovered: 14, done: 11, failed: 3, pending: 0 } })
  })

  test('of a folder without a run, or with a code that is none, says so', async () => {
    expect(await millrace(['retry', '.'], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('holds no state.db'),
    })
    expect(await millrace(['retry', 'csv', '--code', 'NONE'], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('NONE is no error code; the README lists them'),
    })
  })
})
