import { realClock } from '../src/core/clock.ts'
import type { ParseRequest } from '../src/core/wire.ts'
import { checkItem } from '../src/extract/check-item.ts'
import type { Parser } from '../src/parse/parser.ts'
import { createParsePool } from '../src/parse/pool.ts'

/** Two threads that read titles, with the page rules `fast` and `browser`. */
export const hostilePool = (parseMs: number): Parser =>
  createParsePool({
    rules: {
      pages: (['fast', 'browser'] as const).map(parser => ({
        name: parser,
        match: null,
        // A selector that needs the tree.
        item: checkItem({ title: 'title', last: 'div:last-child' }, 'item'),
        follow: [],
        parser,
      })),
      scope: { within: 'any', include: [], exclude: [], maxDepth: null },
      seedHosts: [],
      bodyBytes: 10_000_000,
    },
    clock: realClock,
    threads: 2,
    parseMs,
    queueMs: 600_000,
    memoryMegabytes: 768,
    onRestart: () => {},
  })

export const requestOf = (body: Uint8Array, page: string): ParseRequest => ({
  body: new Uint8Array(body),
  contentCoding: '',
  contentType: 'text/html',
  askedUrl: 'http://bench.test/',
  finalUrl: 'http://bench.test/',
  page,
  depth: 0,
  fetchedAt: '',
  want: 'bytes',
})
