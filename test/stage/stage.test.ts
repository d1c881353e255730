import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createStage } from '../../src/stage/stage.ts'
import { bytesOf, linesOf, pageRule, parsed, parseRequest, stageRules } from './requests.ts'

let cpuMs = 0
const product = pageRule('product', { match: '/p/*', item: { title: 'h1' }, follow: ['a'] })
const list = pageRule('list', { match: '/l/*', follow: ['a'] })
const stage = createStage(stageRules([product, list]), () => cpuMs++)

const html = '<h1>Größe</h1>'
const line = {
  title: 'Größe',
  _url: 'http://shop.test/a',
  _page: 'product',
  _at: '2024-05-01T08:00:00.000Z',
}

describe('a body as it came off the wire becomes lines', () => {
  test.each([
    ['identity', '', bytesOf(html)],
    ['gzip', 'gzip', gzipSync(html)],
    ['br', 'br', brotliCompressSync(html)],
    ['deflate', 'deflate', deflateSync(html)],
    ['gzip over br', 'br, gzip', gzipSync(brotliCompressSync(html))],
  ])('%s', (_, contentCoding, body) => {
    const reply = stage.run(parseRequest(body, { contentCoding }))
    expect(linesOf(reply)).toEqual([line])
    expect(reply).toMatchObject({ itemCount: 1, items: [], engine: 'stream', charset: 'utf-8', decodedBytes: 16 })
  })

  test.each([
    ['the header', 'text/html; charset=iso-8859-1', '', 'windows-1252'],
    ['a meta tag', 'text/html', '<meta charset=windows-1252>', 'windows-1252'],
  ])('a charset told by %s', (_, contentType, meta, charset) => {
    const reply = stage.run(parseRequest(Buffer.from(meta + html, 'latin1'), { contentType }))
    expect(linesOf(reply)).toEqual([line])
    expect(reply).toMatchObject({ charset })
  })
})

describe('the charset, where the job asks for it,', () => {
  const asking = createStage({ ...stageRules([product]), charset: true }, () => 0)

  test.each([
    ['bom', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytesOf(html)]), 'text/html; charset=latin1', 'utf-8'],
    ['header', Buffer.from(html, 'latin1'), 'text/html; charset=latin1', 'windows-1252'],
    ['meta', Buffer.from(`<meta charset=latin1>${html}`, 'latin1'), 'text/html', 'windows-1252'],
    ['utf-8', bytesOf(html), 'text/html', 'utf-8'],
    ['fallback', Buffer.from(html, 'latin1'), 'text/html', 'windows-1252'],
  ])('goes with the item, decided by %s, in lines and objects alike', (from, body, contentType, name) => {
    const request = (want: 'bytes' | 'objects') => parseRequest(Uint8Array.from(body), { contentType, want })
    const item = { ...line, _charset: { name, from } }
    expect(linesOf(asking.run(request('bytes')))).toEqual([item])
    expect(asking.run(request('objects'))).toMatchObject({ items: [item] })
  })
})

describe('output', () => {
  test('owns its memory, so that it can be moved', () => {
    const { output } = parsed(stage.run(parseRequest(html)))
    expect(output.byteOffset).toBe(0)
    expect(output.buffer.byteLength).toBe(output.byteLength)
    expect(structuredClone(output, { transfer: [output.buffer] }).byteLength).toBeGreaterThan(0)
    expect(output.byteLength).toBe(0)
  })

  test('comes as objects where they are wanted', () => {
    const reply = parsed(stage.run(parseRequest(html, { want: 'objects' })))
    expect(reply.items).toEqual([line])
    expect(reply).toMatchObject({ itemCount: 1, output: new Uint8Array(0) })
  })

  test('says where redirects led, and only then', () => {
    const moved = parseRequest(html, { askedUrl: 'http://shop.test/old', finalUrl: 'http://shop.test/new' })
    expect(linesOf(stage.run(moved))).toEqual([
      { ...line, _url: 'http://shop.test/old', _finalUrl: 'http://shop.test/new' },
    ])
    const same = parseRequest(html, { askedUrl: 'HTTP://shop.test#top', finalUrl: 'http://shop.test/' })
    expect(linesOf(stage.run(same))).toEqual([{ ...line, _url: 'HTTP://shop.test#top' }])
  })

  test('of a page whose rule has no item is empty', () => {
    expect(parsed(stage.run(parseRequest(html, { page: 'list' })))).toMatchObject({ itemCount: 0, items: [] })
  })

  test('of a page without any of the fields is an item all the same', () => {
    expect(linesOf(stage.run(parseRequest('<p>')))).toEqual([{ ...line, title: null }])
  })
})

describe('links', () => {
  const links =
    '<a href=/p/1>1</a><a href="/l/2?b=1&a=2">2</a><a href="/l/2?a=2&b=1">2</a><a href=/other>3</a>' +
    '<a href=http://else.test/p/1>4</a><a href="/p/1#reviews">5</a><a href="mailto:a@b.test">6</a>'
  const found = [
    { url: 'http://shop.test/p/1', key: 'http://shop.test/p/1', page: 'product' },
    { url: 'http://shop.test/l/2?b=1&a=2', key: 'http://shop.test/l/2?a=2&b=1', page: 'list' },
  ]

  test('are those in scope that a page rule reads, each page once', () => {
    expect(parsed(stage.run(parseRequest(links))).links).toEqual(found)
  })

  test('of a start page are all of its anchors, and none leads to a start page', () => {
    expect(parsed(stage.run(parseRequest(links, { page: 'start' }))).links).toEqual(found)
  })

  test('of pages at the greatest depth lead too far', () => {
    const scope = { within: 'same-host', include: [], exclude: [], maxDepth: 2 } as const
    const shallow = createStage(stageRules([product, list], { scope }), () => 0)
    expect(parsed(shallow.run(parseRequest(links, { depth: 1 }))).links).toEqual(found)
    expect(parsed(shallow.run(parseRequest(links, { depth: 2 }))).links).toEqual([])
    expect(parsed(shallow.run(parseRequest(links, { depth: 3 }))).links).toEqual([])
  })
})

describe('what is wrong with a page is a fault that names it, never an exception', () => {
  test.each([
    ['CONTENT_TYPE', 'an image', '\x89PNG\r\n\x1a\n', { contentType: 'image/png' }],
    ['CONTENT_TYPE', 'JSON', '{}', { contentType: 'application/json' }],
    ['DECODE_FAILED', 'a broken coding', gzipSync(html.repeat(99)).subarray(0, 30), { contentCoding: 'gzip' }],
    ['BODY_TOO_LARGE', 'a bomb', gzipSync('x'.repeat(2_000_000)), { contentCoding: 'gzip' }],
    ['PARSE_FAILED', 'an address that is none', html, { finalUrl: 'no url', page: 'list' }],
    ['INVARIANT', 'a rule that is not there', html, { page: 'gone' }],
  ])('%s: %s', (code, _, body, more) => {
    const request = parseRequest(body, more)
    const message = expect.stringMatching(`^${request.finalUrl}: `)
    expect(stage.run(request)).toMatchObject({ kind: 'faulted', fault: { code, message } })
  })

  test('an empty body is a page without anything', () => {
    expect(linesOf(stage.run(parseRequest('')))).toEqual([{ ...line, title: null }])
  })
})

test('the CPU time of each page and of its parts is told, also of a bad one', () => {
  let nowMs = 0
  const timed = createStage(stageRules([product]), () => (nowMs += 7))
  const parts = { decodeMs: 7, serialiseMs: 7 }
  expect(timed.run(parseRequest(html))).toMatchObject({ cpuMs: 28, times: parts })
  expect(timed.run(parseRequest(html, { page: 'gone' })).cpuMs).toBe(7)
})

test('the items of 60 pages of 3 MB hold none of them in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const large = createStage(stageRules([product], { bodyBytes: 10_000_000 }), () => 0)
  const body = (index: number): string => `<h1>a title of the page ${index}</h1><p>${`${index} `.repeat(1_000_000)}</p>`
  const kept: unknown[] = []
  const heldBytes = async (pages: number): Promise<number> => {
    for (let index = 10; index < 10 + pages; index += 1)
      kept.push(...parsed(large.run(parseRequest(body(index), { want: 'objects' }))).items)
    // Buffers are given back in a later turn of the loop, and counted as given back by the next collection.
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise(setImmediate)
      collect()
    }
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const beforeBytes = await heldBytes(5)
  expect((await heldBytes(60)) - beforeBytes).toBeLessThan(10_000_000)
  expect(kept).toHaveLength(65)
}, 60_000)
