import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/core/clock.ts'
import { type Batchable, createLine, mostTogether } from '../../src/parse/batch.ts'
import { openParseMarks } from '../../src/parse/parse-marks.ts'
import type { Parser } from '../../src/parse/parser.ts'
import { createParsePool, type PoolOptions } from '../../src/parse/pool.ts'
import { messageOf, rulesFor, temporaryModules } from '../module/kit.ts'
import { parsed, readerRequest } from '../stage/requests.ts'
import { never } from './kit.ts'

const page = (differing: Partial<Batchable> = {}): Batchable => ({
  bodyBytes: 1_000,
  isSuspect: false,
  isSettled: false,
  ...differing,
})

/** A line whose pages have been quick so far. */
function quickLine(threads = 1) {
  const line = createLine<Batchable>(threads)
  line.learn(page(), 0.2)
  return line
}

function sizesOf(line: ReturnType<typeof quickLine>): number[] {
  const sizes: number[] = []
  for (let taken = line.take(); taken.length > 0; taken = line.take()) sizes.push(taken.length)
  return sizes
}

describe('which pages go to a thread together', () => {
  test.each<[string, readonly Batchable[], readonly number[]]>([
    ['a page that waits alone goes alone', [page()], [1]],
    ['small pages go together, up to sixteen', Array.from({ length: 40 }, () => page()), [16, 16, 8]],
    ['a page that is not small goes alone', [page(), page(), page({ bodyBytes: 9_000 }), page()], [2, 1, 1]],
    ['small pages go together up to a sum', Array.from({ length: 10 }, () => page({ bodyBytes: 8_000 })), [8, 2]],
    ['a suspect goes alone', [page(), page({ isSuspect: true }), page(), page()], [1, 1, 2]],
    ['a page that is not wanted any more does not go', [page({ isSettled: true }), page(), page()], [2]],
  ])('%s', (_, pages, sizes) => {
    const line = quickLine()
    for (const waiting of pages) line.push(waiting)
    expect(sizesOf(line)).toEqual(sizes)
  })

  test('a thread takes no more than its share of those that wait', () => {
    const line = quickLine(4)
    for (let nth = 0; nth < 8; nth += 1) line.push(page())
    expect(line.take()).toHaveLength(2)
  })

  test('pages that take long go alone, until they have become quick', () => {
    const line = createLine<Batchable>(1)
    for (let nth = 0; nth < 40; nth += 1) line.push(page())
    expect(line.take()).toHaveLength(1)
    line.learn(page(), 250)
    expect(line.take()).toHaveLength(1)
    for (let nth = 0; nth < 40; nth += 1) line.learn(page(), 1)
    expect(line.take().length).toBeGreaterThan(4)
  })

  test('every page goes once, in the order in which it came', () => {
    const pages = fc.array(fc.record({ bodyBytes: fc.nat(20_000), isSuspect: fc.boolean() }), { maxLength: 100 })
    fc.assert(
      fc.property(
        pages,
        fc.integer({ min: 1, max: 8 }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (all, threads, ms) => {
          const line = createLine<Batchable>(threads)
          const waiting = all.map(page)
          for (const one of waiting) line.push(one)
          line.learn(page(), ms)
          const taken: Batchable[] = []
          for (let batch = line.take(); batch.length > 0; batch = line.take()) {
            expect(batch.length).toBeLessThanOrEqual(mostTogether)
            taken.push(...batch)
          }
          expect(taken).toEqual(waiting)
        },
      ),
    )
  })
})

describe('pages that go to a thread together', () => {
  const modules = temporaryModules()
  afterAll(() => modules[Symbol.dispose]())
  const module = modules.write(`
    const deeds = {
      loop: () => { for (;;); },
      die: () => process.reallyExit(3),
      pieces: () => { globalThis.kept = Array.from({ length: 400 }, () => new ArrayBuffer(9e5)); return { done: true } },
      late: () => { setTimeout(() => { throw new Error('too late') }, 0) },
      throw: () => { throw new Error('on purpose') },
    }
    let count = 0
    export const parse = page => {
      deeds[page.text]?.()
      return { text: page.text, nth: count++ }
    }`)

  const poolOf = (differing: Partial<PoolOptions> = {}): Parser =>
    createParsePool({
      rules: rulesFor(module),
      clock: realClock,
      threads: 1,
      parseMs: 400,
      queueMs: 60_000,
      memoryMegabytes: 256,
      onRestart: () => {},
      ...differing,
    })

  /** A parser whose pages have been quick so far. */
  async function quickPool(differing: Partial<PoolOptions> = {}): Promise<Parser> {
    const parser = poolOf(differing)
    for (let nth = 0; nth < 40; nth += 1) await parser.parse(readerRequest('warm'), never)
    return parser
  }

  test.each([
    ['runs for ever', 'loop', /^PARSE_TIMEOUT .* took longer than 400 ms/],
    ['ends its thread', 'die', /^PARSE_CRASHED .* worker exited with code: 3/],
    ['holds too much memory', 'pieces', /^PARSE_CRASHED .* hold \d+ MB of memory/],
    ['throws', 'throw', /^PARSE_FAILED .* on purpose/],
  ])('one that %s is the only one that is hurt', async (_, deed, message) => {
    await using parser = await quickPool()
    const deeds = ['a', 'b', deed, 'c']
    const replies = await Promise.all(
      deeds.map((name, nth) => parser.parse(readerRequest(name, { finalUrl: `http://a.test/${nth}/${name}` }), never)),
    )
    for (const [nth, reply] of replies.entries())
      if (nth === 2) {
        expect(messageOf(reply)).toMatch(message)
        expect(messageOf(reply)).toContain(`http://a.test/2/${deed} (page page)`)
      } else expect(parsed(reply).items).toMatchObject([{ text: deeds[nth] }])
    expect(parser.stats).toMatchObject({ pages: 44, waiting: 0, restarts: deed === 'throw' ? 0 : 1 })
    expect(replies.every(({ queuedMs = -1 }) => queuedMs >= 0)).toBe(true)
  })

  test('those read before a page that is ended keep their replies, and are read once', async () => {
    await using parser = await quickPool()
    const ended: string[] = []
    const replies = ['a', 'b', 'loop', 'c'].map(async deed => {
      const reply = await parser.parse(readerRequest(deed), never)
      ended.push(deed)
      return reply.kind === 'parsed' ? reply.items[0]?.nth : null
    })
    // The last one in the next thread.
    expect(await Promise.all(replies)).toEqual([40, 41, null, 0])
    expect(ended).toEqual(['a', 'b', 'loop', 'c'])
  })

  test('one that is not wanted any more is let go, and its neighbours are read', async () => {
    await using parser = await quickPool({ parseMs: 30_000 })
    const stop = new AbortController()
    const first = parser.parse(readerRequest('first'), never)
    const looping = parser.parse(readerRequest('loop'), stop.signal)
    const others = ['c', 'd'].map(deed => parser.parse(readerRequest(deed), never))
    setTimeout(() => stop.abort(new Error('enough')), 100)
    await expect(looping).rejects.toThrow('enough')
    for (const reply of await Promise.all([first, ...others])) expect(reply.kind).toBe('parsed')
    expect(parser.stats).toMatchObject({ restarts: 0, waiting: 0 })
  })

  test('each of them is written down while it may be what ends the process', async () => {
    const path = modules.write('', 'marks')
    using marks = openParseMarks(path, 1)
    const entered: string[][] = []
    await using parser = await quickPool({
      marks: {
        ...marks,
        enter(lane, pages) {
          entered.push(pages.map(({ page }) => page))
          marks.enter(lane, pages)
        },
      },
    })
    await Promise.all(['a', 'b', 'c'].map(name => parser.parse(readerRequest(name), never)))
    expect(entered.at(-1)).toEqual(['page', 'page', 'page'])
    await new Promise(resolve => setImmediate(resolve))
    using after = openParseMarks(path, 1)
    expect(after.deathsOf(readerRequest('a'))).toBe(0)
  })
})
