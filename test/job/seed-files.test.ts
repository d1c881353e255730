import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import type { CsvRules, Job } from '../../src/job/job.ts'
import { readSeeds, type SeedLine } from '../../src/job/seeds.ts'

const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'millrace-seed-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

const pages: Job['pages'] = [{ name: 'list', match: null, item: null, follow: ['a'], parser: 'fast' }]

const pieces = (content: string | Uint8Array, length = 7): Readable => {
  const bytes = Buffer.from(content)
  return Readable.from(
    Array.from({ length: Math.ceil(bytes.length / length) }, (_, nth) =>
      bytes.subarray(nth * length, (nth + 1) * length),
    ),
  )
}
const read = (content: string | Uint8Array, csv?: CsvRules): Promise<SeedLine[]> =>
  Array.fromAsync(
    readSeeds({ seeds: [{ kind: 'file', path: '-', ...(csv && { csv }) }], pages }, pieces(content), never),
  )
const seedsOf = (lines: readonly SeedLine[]): unknown[] =>
  lines.map(line => (line.kind === 'seed' ? [line.seed.url, line.seed.meta] : line.fault.message))

describe('a table', () => {
  test('has its URLs in the column that is named, and the others beside them', async () => {
    const text = '\uFEFFid,url,title\r\n1,https://a.test/,"One, and ""more"""\r\n2, https://b.test/ ,"two\nlines"\r\n'
    expect(seedsOf(await read(text, { column: 'url', delimiter: null }))).toEqual([
      ['https://a.test/', { id: '1', title: 'One, and "more"' }],
      ['https://b.test/', { id: '2', title: 'two\nlines' }],
    ])
  })

  test('may have no names, and any of the usual delimiters', async () => {
    expect(seedsOf(await read('7;https://a.test/?a,b\n8;https://b.test/', { column: 1, delimiter: null }))).toEqual([
      ['https://a.test/?a,b', { 0: '7' }],
      ['https://b.test/', { 0: '8' }],
    ])
    expect(seedsOf(await read('https://a.test/\thallo', { column: 0, delimiter: null }))).toEqual([
      ['https://a.test/', { 1: 'hallo' }],
    ])
    expect(seedsOf(await read('a#https://a.test/', { column: 1, delimiter: '#' }))).toEqual([
      ['https://a.test/', { 0: 'a' }],
    ])
  })

  test('with a head is read by number, too', async () => {
    expect(seedsOf(await read('address,shelf\nhttps://a.test/,7', { column: 0, delimiter: null }))).toEqual([
      ['https://a.test/', { shelf: '7' }],
    ])
  })

  test('tells of rows without a URL by their line, and goes on', async () => {
    expect(
      seedsOf(await read('url,n\nnonsense,1\n\n,2\nhttps://a.test/,3\n', { column: 'url', delimiter: null })),
    ).toEqual([
      expect.stringMatching(/^standard input:2: "nonsense" is not a URL/),
      expect.stringMatching(/^standard input:4: column "url" is empty/),
      ['https://a.test/', { n: '3' }],
    ])
  })

  test('without the column is refused with the columns there are', async () => {
    await expect(read('uri,n\nhttps://a.test/,1', { column: 'url', delimiter: null })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/no column is called "url"; there are "uri", "n"/),
    })
  })

  test('with a quote that nobody closes is given up before it fills the memory', async () => {
    const endless = Readable.from(
      (function* () {
        yield Buffer.from('url\n"')
        for (;;) yield Buffer.alloc(65_536, 'x')
      })(),
    )
    const seeds = readSeeds(
      { seeds: [{ kind: 'file', path: '-', csv: { column: 'url', delimiter: null } }], pages },
      endless,
      never,
    )
    await expect(Array.fromAsync(seeds)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})

describe('gzip data', () => {
  test('is known by its first bytes, in files and pipes, whatever their names are', async () => {
    expect(seedsOf(await read(gzipSync('https://a.test/é\nhttps://b.test/')))).toEqual([
      ['https://a.test/é', null],
      ['https://b.test/', null],
    ])
    expect(seedsOf(await read(gzipSync('url;n\nhttps://a.test/;1'), { column: 'url', delimiter: null }))).toEqual([
      ['https://a.test/', { n: '1' }],
    ])
    const path = join(folder, 'urls.txt')
    writeFileSync(path, gzipSync('https://c.test/\n'))
    const lines = await Array.fromAsync(readSeeds({ seeds: [{ kind: 'file', path }], pages }, pieces(''), never))
    expect(seedsOf(lines)).toEqual([['https://c.test/', null]])
  })

  test('that breaks off is told, after what was whole', async () => {
    const file = gzipSync(Array.from({ length: 5_000 }, (_, nth) => `https://a.test/${nth * 7919}\n`).join(''))
    await expect(read(file.subarray(0, file.length / 2))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/standard input: the seeds cannot be read/),
    })
  })

  test('of which only some is read lets go of its stream', async () => {
    const stdin = pieces(gzipSync('https://a.test/\nhttps://b.test/\n'))
    for await (const _ of readSeeds({ seeds: [{ kind: 'file', path: '-' }], pages }, stdin, never)) break
    expect(stdin.destroyed).toBe(true)
  })
})

/** In a process of its own, where the heap is collected before it is measured: the URLs alone would take 10 to 20 MB. */
const script = (csv: string, rows: number): string => `
  import { Readable } from 'node:stream'
  import { createGzip } from 'node:zlib'
  import { readSeeds } from ${JSON.stringify(join(import.meta.dirname, '../../src/job/seeds.ts'))}
  const row = nth =>
    'https://shop.test/a/long/path/of/some/product/' + nth + '/' + 'x'.repeat(80) + ${csv === '' ? "'\\n'" : "',n\\n'"}
  // Some at a time: what a stream costs for each chunk is not what is tested.
  function* chunks() {
    yield ${csv === '' ? "''" : "'url,name\\n'"}
    for (let nth = 0; nth < ${rows}; nth += 50) yield Array.from({ length: 50 }, (_, more) => row(nth + more)).join('')
  }
  const stdin = Readable.from(chunks(), { highWaterMark: 2 }).pipe(createGzip({ level: 1 }))
  let count = 0
  let most = 0
  for await (const line of readSeeds({ seeds: [{ kind: 'file', path: '-'${csv} }], pages: [] }, stdin, new AbortController().signal)) {
    count += line.kind === 'seed' ? 1 : 0
    if (count % 20_000 === 0) {
      gc()
      most = Math.max(most, process.memoryUsage().heapUsed)
    }
    if (count === 10_000) {
      gc()
      globalThis.base = process.memoryUsage().heapUsed
    }
  }
  console.log(JSON.stringify({ count, grownBytes: most - globalThis.base }))
`

test.each([
  ['lines', '', 100_000],
  ['a table', ", csv: { column: 'url', delimiter: null }", 60_000],
])('a file of many seeds takes no memory: %s', (_, csv, rows) => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--input-type=module-typescript', '-e', script(csv, rows)],
    {
      encoding: 'utf8',
    },
  )
  expect(stderr).toBe('')
  const { count, grownBytes } = JSON.parse(stdout)
  expect(count).toBe(rows)
  expect(grownBytes).toBeLessThan(4_000_000)
})
