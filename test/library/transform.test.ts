import { execFile } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { defineJob, type Transformed, type TransformInput, transform } from '../../src/index.ts'

const job = defineJob({
  pages: [
    { name: 'product', match: '/p/:id', item: { title: 'h1' }, follow: ['a'] },
    { name: 'strict', match: '/s/:id', item: { price: { selector: 'b', required: true } }, follow: ['a'] },
  ],
})

const pageOf = (id: number, filling = ''): TransformInput => ({
  url: `http://a.test/p/${id}`,
  html: `<h1>Page ${id}</h1>${filling}<a href="/p/${id + 1}">next</a>`,
})
/** The first of them is the one that takes longest: a result that came as soon as it is there would come before it. */
const pages = Array.from({ length: 40 }, (_, id) => pageOf(id, id === 0 ? '<i>x</i>'.repeat(100_000) : ''))
const urls = pages.map(({ url }) => url)

/** Counts how far it was read. */
function counted(from: readonly TransformInput[]) {
  const read = { count: 0 }
  const source = Readable.from(
    (function* () {
      for (const page of from) {
        read.count += 1
        yield page
      }
    })(),
    { highWaterMark: 1 },
  )
  return { read, source }
}

describe('as a Node stream', () => {
  test('it gives a result for each page, in the order of the pages, while several threads read them', async () => {
    const results: Transformed[] = []
    await pipeline(
      Readable.from(pages),
      transform(job, { threads: 2 }).node(),
      async (from: AsyncIterable<Transformed>) => {
        for await (const result of from) results.push(result)
      },
    )
    expect(results.map(({ url }) => url)).toEqual(urls)
    expect(results[7]).toMatchObject({
      url: 'http://a.test/p/7',
      page: 'product',
      items: [{ title: 'Page 7', _url: 'http://a.test/p/7' }],
      links: [{ url: 'http://a.test/p/8', page: 'product' }],
      refused: [],
      unrouted: null,
      fault: null,
    })
  })

  test('where order does not matter there is still a result for each page', async () => {
    const results: string[] = []
    await pipeline(
      Readable.from(pages),
      transform(job, { threads: 2, ordered: false, inFlight: 8 }).node(),
      async (from: AsyncIterable<Transformed>) => {
        for await (const { url } of from) results.push(url)
      },
    )
    expect(results.toSorted()).toEqual(urls.toSorted())
  })

  test('a result is there without waiting for further pages', async () => {
    const stream = transform(job, { threads: 0 }).node()
    stream.write(pageOf(1))
    const { value } = await stream[Symbol.asyncIterator]().next()
    expect(value).toMatchObject({ items: [{ title: 'Page 1' }] })
    stream.destroy()
  })

  test('what is wrong with a page is in its result, and the others go on', async () => {
    const wrong: TransformInput[] = [
      { url: 'nonsense', html: '' },
      { url: 'http://a.test/elsewhere', html: '' },
      { url: 'http://a.test/p/1' },
      { url: 'http://a.test/p/2', body: new Uint8Array([1, 2]), contentType: 'image/png' },
      { url: 'http://a.test/s/3', html: '<a href="/p/9"><a href="/x">', meta: { row: 7 } },
      pageOf(4),
    ]
    const results: Transformed[] = await transform(job, { threads: 0 }).node().end(wrong[0]).toArray()
    expect(results).toMatchObject([{ url: 'nonsense', page: null, fault: { code: 'CONFIG_INVALID' } }])
    const all: Transformed[] = []
    await pipeline(
      Readable.from(wrong),
      transform(job, { threads: 0 }).node(),
      async (from: AsyncIterable<Transformed>) => {
        for await (const result of from) all.push(result)
      },
    )
    expect(all.map(({ page, fault }) => [page, fault?.code])).toEqual([
      [null, 'CONFIG_INVALID'],
      [null, 'CONFIG_INVALID'],
      [null, 'CONFIG_INVALID'],
      ['product', 'CONTENT_TYPE'],
      ['strict', 'FIELD_MISSING'],
      ['product', undefined],
    ])
    expect(all[4]).toMatchObject({
      items: [],
      links: [{ url: 'http://a.test/p/9' }],
      unrouted: { count: 1, example: 'http://a.test/x' },
      meta: { row: 7 },
    })
  })

  test('a page that is not of its type ends as a fault of its own, and not the stream', async () => {
    const url = 'http://a.test/p/1'
    const html = '<h1>'
    const moved = new Uint8Array(8)
    moved.buffer.transfer()
    const wrong: readonly (readonly [path: string, page: object])[] = [
      ['url', { url: new URL(url), html }],
      ['body', { url, html: null }],
      ['body', { url, html: 5 }],
      ['body', { url, body: [1, 2] }],
      ['body', { url, body: moved }],
      ['contentType', { url, html, contentType: 5 }],
      ['headers', { url, html, headers: { accept: 5 } }],
      ['status', { url, html, status: '200' }],
      ['meta', { url, html, meta: { call() {} } }],
      ['meta', { url, html, meta: { big: 5n } }],
    ]
    const stream = transform(job, { threads: 1 }).node()
    const reading: Promise<Transformed[]> = stream.toArray()
    for (const [, page] of wrong) stream.write(page)
    stream.end(pageOf(2))
    const results = await reading
    for (const [nth, [path]] of wrong.entries())
      expect(results[nth]?.fault).toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(`\`${path}\``),
      })
    expect(results.at(-1)).toMatchObject({ items: [{ title: 'Page 2' }], fault: null })
    expect(results).toHaveLength(wrong.length + 1)
  })

  test('a reader that stops reading stops the source, however long it is', async () => {
    const { read, source } = counted(Array.from({ length: 1_000 }, (_, id) => pageOf(id)))
    const stream = source.pipe(transform(job, { threads: 0, inFlight: 3 }).node())
    const reader = stream[Symbol.asyncIterator]()
    for (let taken = 1; taken <= 5; taken += 1) {
      await reader.next()
      await new Promise(setImmediate)
      // Three in the window, and one or two in each of the buffers around it.
      expect(read.count).toBeLessThan(taken + 8)
    }
    stream.destroy()
    source.destroy()
  })

  test('a slow reader gets all of them', async () => {
    let results = 0
    const slow = new Writable({
      objectMode: true,
      highWaterMark: 1,
      write(_, __, done) {
        results += 1
        setImmediate(done)
      },
    })
    await pipeline(counted(pages).source, transform(job, { threads: 0 }).node(), slow)
    expect(results).toBe(pages.length)
  })

  test('it fails where no page can be read, with the reason', async () => {
    const stream = transform({ module: './nowhere.ts' }, { threads: 0 }).node()
    const read = async (from: AsyncIterable<unknown>) => {
      for await (const _ of from);
    }
    await expect(pipeline(Readable.from(pages), stream, read)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('destroyed in the middle it ends, and so does the pipeline around it', async () => {
    const stream = transform(job, { threads: 0 }).node()
    const running = pipeline(Readable.from(pages), stream, async (from: AsyncIterable<Transformed>) => {
      for await (const _ of from) throw new Error('enough')
    })
    await expect(running).rejects.toThrow('enough')
    expect(stream.destroyed).toBe(true)
  })
})

describe('as a Web stream', () => {
  const sourceOf = (from: readonly TransformInput[]) => ReadableStream.from(from)

  test('it stands in pipeThrough, in order', async () => {
    const results: Transformed[] = []
    for await (const result of sourceOf(pages).pipeThrough(transform(job, { threads: 1 }).web())) results.push(result)
    expect(results.map(({ url }) => url)).toEqual(urls)
  })

  test('a reader that cancels ends the source', async () => {
    let cancelled: unknown = null
    const source = new ReadableStream<TransformInput>({
      pull: controller => controller.enqueue(pageOf(1)),
      cancel(reason) {
        cancelled = reason
      },
    })
    const reader = source.pipeThrough(transform(job, { threads: 0 }).web()).getReader()
    await reader.read()
    await reader.cancel('enough')
    await expect.poll(() => cancelled).toBe('enough')
  })

  test('a source that fails is told to the reader', async () => {
    const source = new ReadableStream<TransformInput>({
      pull: controller => controller.error(new Error('torn')),
    })
    await expect(
      source
        .pipeThrough(transform(job, { threads: 0 }).web())
        .getReader()
        .read(),
    ).rejects.toThrow('torn')
  })

  test('a reader that stops reading stops the source', async () => {
    const { read, source } = counted(Array.from({ length: 1_000 }, (_, id) => pageOf(id)))
    const pages = Readable.toWeb(source) as ReadableStream<TransformInput>
    const reader = pages.pipeThrough(transform(job, { threads: 0, inFlight: 3 }).web()).getReader()
    for (let taken = 1; taken <= 5; taken += 1) {
      await reader.read()
      await new Promise(setImmediate)
      expect(read.count).toBeLessThan(taken + 10)
    }
    await reader.cancel()
  })

  test('it fails where no page can be read, on both sides', async () => {
    const { readable, writable } = transform({ module: './nowhere.ts' }, { threads: 0 }).web()
    const writer = writable.getWriter()
    const closed = writer.closed.catch(thrown => thrown)
    await writer.write(pageOf(1))
    await expect(readable.getReader().read()).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect(await closed).toMatchObject({ code: 'CONFIG_INVALID' })
  })
})

test('wrong options are refused before anything is read', () => {
  expect(() => transform(job, { thread: 1 } as never)).toThrow(/unknown option `thread`; did you mean `threads`\?/)
  expect(() => transform(job, { inFlight: 0 })).toThrow(/inFlight/)
  expect(() => transform({ item: { title: 'h1[' } })).toThrow(/item\.title/)
})

test('a process that leaves streams in the middle ends by itself', async () => {
  const script = new URL('leave-streams.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { timeout: 15_000 })
  expect(stderr).toBe('')
  expect(stdout).toBe('left after 1 and 1 pages\n')
})
