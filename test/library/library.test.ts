import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crawl, createParser, defineJob, MillraceError } from '../../src/index.ts'
import { type Site, startSite, tenPages } from '../cli/kit.ts'

let site: Site
beforeAll(async () => {
  site = await startSite(tenPages)
})
afterAll(() => site[Symbol.asyncDispose]())

const titlesFrom = (first: number): string[] => Array.from({ length: 10 - first }, (_, nth) => `Page ${first + nth}`)

test('two runs and a parser live side by side in one process, which ends by itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-embed-'))
  const script = new URL('embed-two.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, site.url], {
    cwd: folder,
    timeout: 15_000,
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({ one: titlesFrom(0), two: titlesFrom(5), parsed: 'Own', listeners: 0 })
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

describe('a run', () => {
  const job = () => defineJob({ seeds: [`${site.url}/0`], item: { title: 'title' }, follow: ['a'] })

  test('gives what came of each URL to whoever iterates, and then its report', async () => {
    await using run = crawl(job(), { threads: 1 })
    const kinds: string[] = []
    for await (const { kind } of run) kinds.push(kind)
    expect(kinds.sort()).toEqual(['dead', ...Array.from({ length: 10 }, () => 'page')])
    expect(await run.finished()).toMatchObject({ finished: true, items: 10, ledger: { pending: 0 } })
  })

  test('goes to its end without a reader, too', async () => {
    expect(await crawl(job(), { threads: 0 }).finished()).toMatchObject({ items: 10 })
  })

  test('can be read only once, and from the start', async () => {
    await using run = crawl(job(), { threads: 0 })
    await run.finished()
    await expect(run[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('is stopped by the signal it was given', async () => {
    const stop = new AbortController()
    await using run = crawl(job(), { threads: 0, signal: stop.signal })
    let pages = 0
    for await (const _ of run) {
      pages += 1
      stop.abort()
    }
    expect(pages).toBeLessThan(10)
    expect((await run.finished()).finished).toBe(false)
  })

  test('refuses a wrong job at once, with its path and what would be accepted', () => {
    expect(() => crawl({ seeds: ['nonsense'], item: { title: 'title' } })).toThrow(MillraceError)
    expect(() => crawl({ seeds: ['http://a.test/'], item: { title: 'h1[' } })).toThrow(/item\.title/)
  })

  test('refuses a job that is none, and a key that no job has is an error of its type', () => {
    expect(() => crawl('books.yaml' as never)).toThrow(/^job: "books.yaml" is not accepted/)
    // @ts-expect-error `itm` is no key of a job
    const job = defineJob({ seeds: [site.url], itm: { title: 'h1' } })
    expect(() => crawl(job)).toThrow(/unknown key `itm`/)
  })

  test('refuses options that are no numbers it can use', () => {
    for (const options of [
      { threads: -1 },
      { threads: 1.5 },
      { threads: 1e9 },
      { threads: Number.NaN },
      { maxPages: 0 },
    ])
      expect(() => crawl(job(), options), JSON.stringify(options)).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID' }),
      )
  })

  test('refuses an option that is none, and says which was meant', () => {
    expect(() => crawl(job(), { maxpages: 5 } as never)).toThrow(/crawl: unknown option `maxpages`; .*`maxPages`\?/)
    expect(() => crawl(job(), { concurrency: 5 } as never)).toThrow(
      /crawl: unknown option `concurrency`; known here: `out`/,
    )
    expect(() => crawl(job(), 5 as never)).toThrow(/crawl: the options are number/)
    expect(() => createParser(job(), { thread: 1 } as never)).toThrow(/createParser: .*`threads`\?/)
  })

  test('fails with CONFIG_INVALID where its folder is a file', async () => {
    await expect(crawl(job(), { threads: 0, out: '/dev/null' }).finished()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })

  test('fails with SINK_FAILED where its folder cannot be written, for the reader and the report alike', async () => {
    const run = crawl(job(), { threads: 0, out: '/proc/x' })
    await expect(run[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'SINK_FAILED' })
    await expect(run.finished()).rejects.toMatchObject({ code: 'SINK_FAILED' })
  })
})

describe('the parse stage alone', () => {
  const rules = defineJob({
    pages: [
      {
        name: 'product',
        match: '/p/:id',
        item: { title: 'h1', price: { selector: '.price', type: 'number' } },
        follow: ['a'],
      },
      { name: 'other', item: { title: 'title' } },
    ],
    scope: 'any',
  })

  test('takes bytes or text, and picks the page rule by the URL', async () => {
    await using parser = createParser(rules, { threads: 1 })
    const body = new TextEncoder().encode('<h1>Barley</h1><p class=price>1.234,56 €<a href="/p/2">next</a>')
    expect(await parser.parse({ body, url: 'http://a.test/p/1' })).toMatchObject({
      kind: 'parsed',
      page: 'product',
      items: [{ title: 'Barley', price: 1234.56, _url: 'http://a.test/p/1' }],
      links: [{ url: 'http://a.test/p/2', page: 'product' }],
    })
    expect(await parser.parse({ body: '<title>é</title>', url: 'http://a.test/x' })).toMatchObject({
      page: 'other',
      items: [{ title: 'é' }],
    })
  })

  test('tells of followed links that fit no page rule', async () => {
    const [product] = rules.pages
    await using parser = createParser({ ...rules, pages: [product] }, { threads: 1 })
    const ask = (body: string) => parser.parse({ body, url: 'http://a.test/p/1' })
    expect(await ask('<a href="/p/2"><a href="/blog"><a href="/about">')).toMatchObject({
      links: [{ url: 'http://a.test/p/2' }],
      unrouted: { count: 2, example: 'http://a.test/blog' },
    })
    expect(await ask('<a href="/p/2">')).toMatchObject({ unrouted: null })
  })

  test('text is what it says, whatever encoding its header told of', async () => {
    await using parser = createParser(rules, { threads: 0 })
    const contentType = 'text/html; charset=iso-8859-1'
    expect(await parser.parse({ body: '<title>é</title>', url: 'http://a.test/x', contentType })).toMatchObject({
      items: [{ title: 'é' }],
    })
  })

  test('leaves the rest of a shared buffer alone', async () => {
    await using parser = createParser(rules, { threads: 1 })
    const shared = Buffer.from('<title>one</title>two')
    await parser.parse({ body: shared.subarray(0, 18), url: 'http://a.test/x' })
    expect(shared.toString()).toBe('<title>one</title>two')
  })

  test('says what is wrong with a page as a reply, and what is wrong with a call as a rejection', async () => {
    await using parser = createParser(rules, { threads: 0 })
    expect(await parser.parse({ body: 'x', url: 'http://a.test/x', contentType: 'image/png' })).toMatchObject({
      kind: 'faulted',
      fault: { code: 'CONTENT_TYPE' },
    })
    await expect(parser.parse({ body: 'x', url: 'nonsense' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(parser.parse({ body: 'x', url: 'http://a.test/x', page: 'nowhere' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })
})
