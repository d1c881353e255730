import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startSite, temporaryFolder } from '../cli/kit.ts'

const library = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)

/**
 * A run in a process of its own, since this one has loaded everything: which files its main thread loads meanwhile, and how
 * often it begins to pack or unpack something. What threads do is seen by neither hook.
 */
const script = `
  import { createHook } from 'node:async_hooks'
  import { registerHooks } from 'node:module'
  const loaded = []
  let unpacked = 0
  registerHooks({ load: (url, context, load) => (loaded.push(url), load(url, context)) })
  createHook({ init: (_id, type) => void (unpacked += type === 'ZLIB' ? 1 : 0) }).enable()
  const { crawl } = await import(${library})
  const [, job, threads] = process.argv
  const { items } = await crawl(JSON.parse(job), { threads: Number(threads) }).finished()
  console.log(JSON.stringify({ loaded, unpacked, items }))`

interface Seen {
  readonly loaded: readonly string[]
  readonly unpacked: number
  readonly items: number
}

/** Pages that come packed, two read by fields and two by a module. */
async function runWith(threads: number): Promise<Seen> {
  await using folder = await temporaryFolder()
  await using site = await startSite((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(gzipSync(`<!doctype html><title>${request.url}</title>`))
  })
  const module = await folder.write('product.ts', `export const parse = ({ $ }) => ({ title: $('title').text() })`)
  const job = {
    name: 'main-thread',
    seeds: ['/1', '/2', '/module/1', '/module/2'].map(path => `${site.url}${path}`),
    pages: [
      { name: 'product', match: '/module/*', module },
      { name: 'page', item: { title: 'title' } },
    ],
  }
  const args = ['--input-type=module', '-e', script, JSON.stringify(job), String(threads)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

/** The parse stage, and what pages are decoded and read with. */
const ofParsing = [
  'src/stage/stage.ts',
  'src/module/mill.ts',
  'src/decode/charset.ts',
  'product.ts',
  'parse5/',
  'cheerio/',
]
const loadedOf = ({ loaded }: Seen): readonly string[] =>
  ofParsing.filter(part => loaded.some(url => url.includes(`/${part}`)))

test('where threads parse, the main thread loads nothing that parses and unpacks no page', async () => {
  const seen = await runWith(2)
  expect(seen).toMatchObject({ items: 4, unpacked: 0 })
  expect(loadedOf(seen)).toEqual([])
})

test('without threads it does both', async () => {
  const seen = await runWith(0)
  expect(seen.items).toBe(4)
  expect(seen.unpacked).toBeGreaterThanOrEqual(4)
  expect(loadedOf(seen)).toEqual(ofParsing)
})
