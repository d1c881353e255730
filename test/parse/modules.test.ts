import { afterAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/core/clock.ts'
import type { Parser } from '../../src/parse/parser.ts'
import { createParsePool, type PoolOptions } from '../../src/parse/pool.ts'
import { messageOf, rulesFor, temporaryModules } from '../module/kit.ts'
import { parsed, readerRequest } from '../stage/requests.ts'
import { never } from './kit.ts'

const modules = temporaryModules()
afterAll(() => modules[Symbol.dispose]())

const poolOf = (
  module: string,
  differing: Partial<Pick<PoolOptions, 'rules' | 'threads' | 'parseMs' | 'loadMs' | 'entry'>> = {},
): Parser =>
  createParsePool({
    rules: rulesFor(module),
    clock: realClock,
    threads: 1,
    parseMs: 3_000,
    queueMs: 60_000,
    memoryMegabytes: 256,
    onRestart: () => {},
    ...differing,
  })

/** Does to its thread what the page says. */
const murderer = modules.write(`
  const deeds = {
    well: () => ({ done: true }),
    exit: () => process.exit(1),
    die: () => process.reallyExit(3),
    abort: () => process.abort(),
    loop: () => { for (;;); },
    wait: () => new Promise(() => {}),
    map: () => { const all = new Map(); for (let at = 0; ; at++) all.set(at, {}) },
    array: () => { let all = [1]; for (;;) all = all.concat(all) },
    gigabyte: () => { globalThis.kept = new ArrayBuffer(1e9); return { done: true } },
    buffers: () => { const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1)) },
    timer: () => { setTimeout(() => { throw new Error('in a timer') }, 5); return new Promise(() => {}) },
    late: () => { setTimeout(() => { throw new Error('too late') }, 0); return { done: true } },
    promise: () => { Promise.reject(new Error('of nobody')); return new Promise(() => {}) },
    nothing: () => { setTimeout(() => { throw null }, 5); return new Promise(() => {}) },
    stack: () => { const down = () => down() + 1; return down() },
    pieces: () => { const all = []; for (;;) all.push(new Uint8Array(9e5).fill(1)) },
    left: () => { globalThis.kept = Array.from({ length: 400 }, () => new ArrayBuffer(9e5)); return { done: true } },
  }
  export const parse = page => deeds[page.text]()`)

/** What becomes of each deed; a machine busy with other tests may call an allocation storm too slow before too large. */
const heavy = /^PARSE_CRASHED .* hold \d+ MB of memory, above the ceiling of 256 MB|^PARSE_TIMEOUT/
const ends: Readonly<Record<string, RegExp>> = {
  exit: /^PARSE_CRASHED .* called process\.exit\(1\)/,
  die: /^PARSE_CRASHED .* ended its thread: worker exited with code: 3/,
  abort: /^PARSE_FAILED .*module-\d+\.ts:6:\d+: .*abort/,
  loop: /^PARSE_TIMEOUT .* took longer than 1000 ms/,
  wait: /^PARSE_TIMEOUT/,
  map: heavy,
  array: heavy,
  pieces: heavy,
  left: heavy,
  gigabyte:
    /^PARSE_FAILED .*module-\d+\.ts:11:\d+: RangeError: an array of 1000 MB would make its thread hold 1\d\d\d MB/,
  buffers: /^PARSE_FAILED .*module-\d+\.ts:12:\d+: RangeError: an array of 100 MB/,
  timer: /^PARSE_FAILED .*module-\d+\.ts:13:\d+: in a timer/,
  promise: /^PARSE_FAILED .*module-\d+\.ts:15:\d+: of nobody/,
  nothing: /^PARSE_FAILED .* threw "null", which is no Error/,
  stack: /^PARSE_FAILED .*RangeError: Maximum call stack/,
}

describe('one page does not hurt another', () => {
  test('whatever a page does is one typed fault with its URL, and all others are read', {
    timeout: 60_000,
  }, async () => {
    await using parser = poolOf(murderer, { threads: 2, parseMs: 1_000 })
    await parser.ready()
    const request = (body: string) => readerRequest(body, { finalUrl: `http://a.test/${body}` })
    const replies = await Promise.all(
      Object.keys(ends).map(async deed => {
        const guilty = parser.parse(request(deed), never)
        const innocent = [1, 2, 3].map(() => parser.parse(request('well'), never))
        return { deed, guilty: await guilty, innocent: await Promise.all(innocent) }
      }),
    )
    for (const { deed, guilty, innocent } of replies) {
      expect(messageOf(guilty)).toMatch(ends[deed] ?? /none/)
      expect(messageOf(guilty)).toContain(`http://a.test/${deed} (page page)`)
      for (const reply of innocent) expect(parsed(reply).items).toMatchObject([{ done: true }])
    }
    const killed = replies.filter(({ guilty }) => /CRASHED(?!.*process\.exit)|TIMEOUT/.test(messageOf(guilty)))
    expect(parser.stats).toMatchObject({ restarts: killed.length, waiting: 0, pages: 4 * replies.length })
  })

  test('a thread that was ended is replaced at once', async () => {
    await using parser = poolOf(murderer)
    await parser.ready()
    await parser.parse(readerRequest('die'), never)
    const endedMs = performance.now()
    expect(parsed(await parser.parse(readerRequest('well'), never)).items).toMatchObject([{ done: true }])
    // 150 ms where nothing else runs; the bench asserts a second.
    expect(performance.now() - endedMs).toBeLessThan(5_000)
  })

  test('a page that calls process.exit ends, and its thread goes on', async () => {
    await using parser = poolOf(murderer)
    expect(messageOf(await parser.parse(readerRequest('exit'), never))).toMatch(ends.exit ?? /none/)
    expect(parsed(await parser.parse(readerRequest('well'), never)).items).toMatchObject([{ done: true }])
    expect(parser.stats.restarts).toBe(0)
  })

  test('what a page throws after its answer is of no matter to the next one', async () => {
    await using parser = poolOf(murderer)
    for (const deed of ['late', 'well', 'late', 'well'])
      expect(parsed(await parser.parse(readerRequest(deed), never)).items).toMatchObject([{ done: true }])
    expect(parser.stats.restarts).toBe(0)
  })

  test('a page that is past its time gives one outcome, and no item', async () => {
    const module = modules.write(`export const parse = () => new Promise(resolve => {
      setTimeout(() => resolve({ late: true }), 500)
    })`)
    await using parser = poolOf(module, { parseMs: 200 })
    expect(messageOf(await parser.parse(readerRequest(''), never))).toMatch(/^PARSE_TIMEOUT/)
    expect(parser.stats).toMatchObject({ pages: 1, timeouts: 1, restarts: 1 })
  })

  test('a thread runs three pages of 250 ms under a limit of 600 ms each, and says how long they queued', async () => {
    const module = modules.write(`export const parse = () => new Promise(resolve => {
      setTimeout(() => resolve({}), 250)
    })`)
    await using parser = poolOf(module, { parseMs: 600 })
    await parser.ready()
    const replies = await Promise.all([1, 2, 3].map(() => parser.parse(readerRequest(''), never)))
    expect(replies.map(({ kind }) => kind)).toEqual(['parsed', 'parsed', 'parsed'])
    const [first = 0, second = 0, third = 0] = replies.map(({ queuedMs }) => queuedMs ?? -1)
    expect(first).toBeLessThan(second - 240)
    expect(second).toBeLessThan(third - 240)
  })
})

describe('a module that cannot be used is refused before a page is parsed, with the reason', () => {
  test.each([
    ['no parse', 'export const pares = 1', /module .*: it exports no `parse`; expected/],
    ['another parse', 'export const parse = {}', /it exports a `parse` that is no function/],
    ['broken code', '\nexport const = 1', /it cannot be loaded: .*module-\d+\.ts:2/],
    [
      'types that cannot be stripped',
      '\nenum A { x }\nexport const parse = 1',
      /module-\d+\.ts:2: .*enum is not supported/,
    ],
    ['an import that is not there', 'import "./none.ts"', /it cannot be loaded: Cannot find module '.*none\.ts'/],
    ['an error as it loads', '\n\nthrow new Error("top")', /module-\d+\.ts:3:\d+: top/],
  ])('%s', async (_, source, message) => {
    await using parser = poolOf(modules.write(source))
    const refused = { code: 'CONFIG_INVALID', message: expect.stringMatching(message) }
    await expect(parser.ready()).rejects.toMatchObject(refused)
    await expect(parser.parse(readerRequest(''), never)).rejects.toMatchObject(refused)
  })

  test.each([
    ['product.ts', 'export const parse = () => {}'],
    ['product.js', 'import "node:fs"\nexport const parse = () => {}'],
  ])('%s in a package as `npm init` makes it: the message says how to mend that', async (name, source) => {
    using commonjs = temporaryModules()
    commonjs.write('{ "type": "commonjs" }', 'package.json')
    await using parser = poolOf(commonjs.write(source, name))
    await expect(parser.ready()).rejects.toThrow(
      /SyntaxError: .*; write "type": "module" into the package\.json beside it, or let .* end in \.mts or \.mjs$/,
    )
  })

  test.each([
    ['ends its thread as it loads', 'process.reallyExit(0)', /it ended its thread: worker exited with code: 0$/],
    ['calls process.exit as it loads', 'process.exit(3)', /called process\.exit\(3\), which would end its thread$/],
    ['runs for ever as it loads', 'for (;;);', /it took longer than 300 ms$/],
    ['waits for ever as it loads', 'await new Promise(() => {})', /it took longer than 300 ms$/],
  ])('one that %s', { timeout: 30_000 }, async (_, source, reason) => {
    const module = modules.write(`${source}\nexport const parse = () => {}`)
    await using parser = poolOf(module, { threads: 2, loadMs: 300 })
    const ready = parser.ready()
    await expect(ready).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(reason) })
    await expect(ready).rejects.toThrow(`module of page rule page: ${module}: it cannot be loaded: `)
    await expect(parser.parse(readerRequest(''), never)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    // None is started again and again.
    expect(parser.stats.restarts).toBeLessThanOrEqual(2)
  })

  test('of several modules, the one that never ends is named', { timeout: 30_000 }, async () => {
    const [good, slow] = [modules.write('export const parse = () => {}'), modules.write('for (;;);')]
    const rules = rulesFor(good)
    const pages = [good, slow, good].flatMap((module, nth) => rulesFor(module, { name: `rule-${nth}` }).pages)
    await using parser = poolOf(good, { rules: { ...rules, pages }, loadMs: 2_000 })
    await expect(parser.ready()).rejects.toThrow(`module of page rule rule-1: ${slow}: it cannot be loaded: it took`)
  })

  test.each([
    ['ends its thread', 'process.reallyExit(0)', /it ended its thread: worker exited with code: 0$/],
    ['runs for ever', 'for (;;);', /it took longer than 1000 ms$/],
    ['waits for ever', 'await new Promise(() => {})', /it took longer than 1000 ms$/],
    ['throws', 'throw new Error("too many clients")', /module-\d+\.ts:\d+:\d+: too many clients$/],
  ])('one that %s as it loads in a thread that replaces another', { timeout: 30_000 }, async (_, source, reason) => {
    const module = modules.write(`import { existsSync, writeFileSync } from 'node:fs'
      const mark = import.meta.filename + '.loaded'
      if (existsSync(mark)) { ${source} }
      writeFileSync(mark, '')
      export const parse = ({ text }) => (text === 'die' ? process.reallyExit(3) : {})`)
    await using parser = poolOf(module, { parseMs: 300, loadMs: 1_000 })
    await parser.ready()
    expect(messageOf(await parser.parse(readerRequest('die'), never))).toMatch(ends.die ?? /none/)
    const next = parser.parse(readerRequest('well'), never)
    await expect(next).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(reason) })
    await expect(next).rejects.toThrow(`module of page rule page: ${module}: it cannot be loaded: `)
    expect(parser.stats.restarts).toBeLessThanOrEqual(2)
  })

  test('one that takes longer to load than a page may take is waited for', async () => {
    const module = modules.write(`
      await new Promise(resolve => setTimeout(resolve, 600))
      export const parse = () => ({ done: true })`)
    await using parser = poolOf(module, { parseMs: 200 })
    await parser.ready()
    expect(parsed(await parser.parse(readerRequest(''), never)).items).toMatchObject([{ done: true }])
    expect(parser.stats.restarts).toBe(0)
  })

  test('no file', async () => {
    await using parser = poolOf('/nowhere/none.ts')
    await expect(parser.ready()).rejects.toThrow(
      /^module of page rule page: \/nowhere\/none\.ts: there is no such file$/,
    )
  })
})

test('threads that die as they start are not started for ever, and the reason is told', {
  timeout: 30_000,
}, async () => {
  const entry = new URL(`file://${modules.write('throw new Error("no such library")', 'entry.mjs')}`)
  await using parser = poolOf(murderer, { threads: 2, entry })
  await expect(parser.ready()).rejects.toMatchObject({
    code: 'INVARIANT',
    message: expect.stringMatching(/no worker thread can be started: .*no such library/),
  })
  await expect(parser.parse(readerRequest('well'), never)).rejects.toThrow('no such library')
  expect(parser.stats.restarts).toBeLessThanOrEqual(24)
})
