import { afterAll, describe, expect, test } from 'vitest'
import { createInlineParser } from '../../src/parse/inline.ts'
import type { Parser } from '../../src/parse/parser.ts'
import { readerRequest } from '../stage/requests.ts'
import { never, poolOf, rules } from './kit.ts'

const parsers: Readonly<Record<string, () => Parser>> = {
  inline: () => createInlineParser(rules),
  pool: () => poolOf(),
}

const html = '<title>One</title><b>1</b><b>2.5</b><a href="/y">y</a><a href="mailto:x@y.test">m</a>'

for (const [name, create] of Object.entries(parsers))
  describe(`the ${name} parser`, () => {
    const parser = create()
    afterAll(() => parser[Symbol.asyncDispose]())

    test('gives items as objects to those who iterate', async () => {
      expect(await parser.parse(readerRequest(html), never)).toMatchObject({
        kind: 'parsed',
        items: [
          { title: 'One', numbers: [1, 2.5], _url: 'http://a.test/x', _page: 'page', _at: '2026-01-01T00:00:00.000Z' },
        ],
        itemCount: 1,
        links: [{ url: 'http://a.test/y', page: 'page' }],
        charset: 'utf-8',
      })
    })

    test('gives finished lines to those who write files', async () => {
      const reply = await parser.parse(readerRequest(html, { want: 'bytes' }), never)
      if (reply.kind !== 'parsed') throw new Error(reply.fault.message)
      const text = new TextDecoder().decode(reply.output)
      expect(text.endsWith('\n')).toBe(true)
      expect(JSON.parse(text)).toMatchObject({ title: 'One', numbers: [1, 2.5] })
      expect(reply.items).toEqual([])
    })

    test('answers many pages at once, each with its own', async () => {
      const replies = await Promise.all(
        Array.from({ length: 200 }, (_, nth) => parser.parse(readerRequest(`<title>${nth}</title>`), never)),
      )
      expect(replies.map(reply => reply.kind === 'parsed' && reply.items[0]?.title)).toEqual(
        Array.from({ length: 200 }, (_, nth) => String(nth)),
      )
    })

    test('says what is wrong with a page as a fault', async () => {
      const reply = await parser.parse(readerRequest('%PDF-1.7', { contentType: 'application/pdf' }), never)
      expect(reply).toMatchObject({ kind: 'faulted', fault: { code: 'CONTENT_TYPE' } })
    })

    test('rejects with the reason when it is told to stop before it began', async () => {
      await expect(parser.parse(readerRequest(html), AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    })

    test('counts what it did', async () => {
      const before = parser.stats.pages
      await parser.parse(readerRequest(html), never)
      expect(parser.stats.pages).toBe(before + 1)
      expect(parser.stats.waiting).toBe(0)
      expect(parser.stats.cpuMs).toBeGreaterThan(0)
    })

    test('rejects once it is closed, and can be closed twice', async () => {
      const other = create()
      await other[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
      await expect(other.parse(readerRequest(html), never)).rejects.toMatchObject({ code: 'ABORTED' })
    })
  })
