import { realClock } from '../../src/core/clock.ts'
import type { ParseRequest } from '../../src/core/wire.ts'
import { checkItem } from '../../src/extract/check-item.ts'
import type { Parser } from '../../src/parse/parser.ts'
import { createParsePool, type PoolOptions } from '../../src/parse/pool.ts'
import type { StageRules } from '../../src/stage/stage.ts'
import { readerRequest } from '../stage/requests.ts'

export const rules: StageRules = {
  pages: [
    {
      name: 'page',
      match: null,
      item: checkItem({ title: 'title', numbers: [{ selector: 'b', type: 'number' }] }, 'item'),
      follow: ['a'],
      parser: 'fast',
    },
    { name: 'browser', match: null, item: checkItem({ title: 'title' }, 'item'), follow: [], parser: 'browser' },
  ],
  scope: { within: 'any', include: [], exclude: [], maxDepth: null },
  seedHosts: ['a.test'],
  bodyBytes: 10_000_000,
}

export const poolOf = (
  differing: Partial<Pick<PoolOptions, 'threads' | 'parseMs' | 'queueMs' | 'memoryMegabytes'>> = {},
): Parser =>
  createParsePool({
    rules,
    clock: realClock,
    threads: 2,
    parseMs: 10_000,
    queueMs: 600_000,
    memoryMegabytes: 256,
    onRestart: () => {},
    ...differing,
  })

/** A page that holds parse5 for much longer than any test lets it: its reading of unclosed elements is quadratic. */
export const endless = (): ParseRequest => readerRequest('<div>'.repeat(100_000), { page: 'browser' })

export const never = new AbortController().signal
