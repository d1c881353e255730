import { afterAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/core/clock.ts'
import type { Parser } from '../../src/parse/parser.ts'
import { createParsePool } from '../../src/parse/pool.ts'
import { never } from '../parse/kit.ts'
import { parsed, readerRequest } from '../stage/requests.ts'
import { messageOf, rulesFor, temporaryModules } from './kit.ts'

const modules = temporaryModules()
const open: Parser[] = []
afterAll(async () => {
  await Promise.all(open.map(parser => parser[Symbol.asyncDispose]()))
  modules[Symbol.dispose]()
})

function poolOf(module: string): Parser {
  const parser = createParsePool({
    rules: rulesFor(module),
    clock: realClock,
    threads: 1,
    parseMs: 20_000,
    queueMs: 60_000,
    memoryMegabytes: 256,
    onRestart: () => {},
  })
  open.push(parser)
  return parser
}

/** One thread for all: it is to live on. */
const evaluating = poolOf(
  modules.write(`import { isDeepStrictEqual } from 'node:util'
    globalThis.same = isDeepStrictEqual
    export const parse = async page => ({ value: await eval(page.text) })`),
)
const evaluate = (code: string) => evaluating.parse(readerRequest(code), never)

describe('an array beyond the ceiling is refused at the line that makes it, and its thread lives on', () => {
  test.each([
    'new ArrayBuffer(1e9)',
    'new ArrayBuffer("1000000000")',
    'new ArrayBuffer(0, { maxByteLength: 1e9 })',
    'new SharedArrayBuffer(1e9)',
    'new SharedArrayBuffer(0, { maxByteLength: 1e9 })',
    'new Uint8Array(1e9)',
    'new Float64Array(1.25e8)',
    'new Float16Array(5e8)',
    'new BigInt64Array(1.25e8)',
    'new Uint8Array({ length: 1e9 })',
    'Uint8Array.from({ length: 1e9 })',
    'new (class extends Uint8Array {})(1e9)',
    'new Uint8Array(8).constructor.from({ length: 1e9 })',
    'new (Object.getPrototypeOf(Buffer))(1e9)',
    'new WebAssembly.Memory({ initial: 15_259 })',
    'new WebAssembly.Memory({ initial: 15_259, maximum: 60_000, shared: true })',
    'new WebAssembly.Memory({ initial: 1 }).grow(15_259)',
    'Buffer.alloc(1e9)',
    'Buffer.allocUnsafe(1e9)',
    'Buffer.allocUnsafeSlow(1e9)',
    'import("node:buffer").then(({ Buffer }) => Buffer.alloc(1e9))',
  ])('%s', async code => {
    expect(messageOf(await evaluate(code))).toMatch(
      /^PARSE_FAILED http:\/\/a\.test\/x \(page page\): \/.*module-\d+\.ts:3:\d+: RangeError: an array of 1000 MB would make its thread hold 1\d\d\d MB of memory, above the ceiling of 256 MB$/,
    )
    expect(evaluating.stats.restarts).toBe(0)
  })
})

describe('a page goes on', () => {
  test.each([
    ['that catches the error', 'try { new Uint8Array(1e9) } catch (thrown) { thrown instanceof RangeError }'],
    ['that drops the arrays it makes', 'for (let nth = 0; nth < 1_000; nth++) new Uint8Array(1e7); true'],
    ['that drops the buffers it makes', 'for (let nth = 0; nth < 1_000; nth++) Buffer.allocUnsafe(1e7); true'],
  ])('%s', async (_, code) => {
    expect(parsed(await evaluate(code)).items).toMatchObject([{ value: true }])
    expect(evaluating.stats.restarts).toBe(0)
  })
})

test('many middle arrays are refused as one large one is, and there is room again once they are let go', async () => {
  const parser = poolOf(
    modules.write(`export function parse() {
      let kept = []
      try {
        for (;;) kept.push(new ArrayBuffer(5e7))
      } catch (thrown) {
        const { message } = thrown
        const count = kept.length
        kept = []
        return { message, count, bytes: new ArrayBuffer(1e8).byteLength }
      }
    }`),
  )
  const { items } = parsed(await parser.parse(readerRequest(''), never))
  expect(items).toMatchObject([
    { message: expect.stringMatching(/^an array of 50 MB .* hold 2\d\d MB/), count: 4, bytes: 1e8 },
  ])
  expect(parser.stats.restarts).toBe(0)
})

test('shared arrays, which V8 does not count, are refused as others are, however small, and their thread lives on', async () => {
  const parser = poolOf(
    modules.write(`export function parse(page) {
      const kept = []
      try {
        for (;;) kept.push(new SharedArrayBuffer(Number(page.text)))
      } catch (thrown) {
        return { message: thrown.message, megabytes: Math.round((kept.length * Number(page.text)) / 1e6) }
      }
    }`),
  )
  for (const bytes of [5e7, 5e5]) {
    const { items } = parsed(await parser.parse(readerRequest(String(bytes)), never))
    expect(items).toMatchObject([{ message: expect.stringContaining('above the ceiling of 256 MB') }])
    expect(items[0]?.megabytes).toBeGreaterThan(150)
  }
  expect(parser.stats.restarts).toBe(0)
})

test('shared arrays that each page makes and drops cost their thread nothing', async () => {
  const parser = poolOf(modules.write('export const parse = () => ({ bytes: new SharedArrayBuffer(1e8).byteLength })'))
  for (let nth = 0; nth < 12; nth += 1)
    expect(parsed(await parser.parse(readerRequest(''), never)).items).toMatchObject([{ bytes: 1e8 }])
  expect(parser.stats.restarts).toBe(0)
})

test('everything else of arrays is as it was', async () => {
  const truths = [
    'new Uint8Array(2) instanceof Uint8Array',
    'Buffer.alloc(2) instanceof Uint8Array',
    'new TextEncoder().encode("a") instanceof Uint8Array',
    'new Uint8Array(2).constructor === Uint8Array',
    'new ArrayBuffer(2).constructor === ArrayBuffer',
    'new Uint8Array(2).buffer.constructor === ArrayBuffer',
    'Object.getPrototypeOf(new Uint8Array(2)) === Uint8Array.prototype',
    'Object.keys(Uint8Array.prototype).length === 0',
    'Object.getOwnPropertyDescriptor(globalThis, "Uint8Array").enumerable === false',
    'Uint8Array.name === "Uint8Array" && Uint8Array.length === 3',
    'ArrayBuffer.name === "ArrayBuffer" && ArrayBuffer.length === 1',
    'Uint8Array[Symbol.species] === Uint8Array && ArrayBuffer[Symbol.species] === ArrayBuffer',
    'Uint8Array.BYTES_PER_ELEMENT === 1 && Float64Array.BYTES_PER_ELEMENT === 8',
    'ArrayBuffer.isView(new Uint8Array(2))',
    'Object.prototype.toString.call(new Uint8Array(2)) === "[object Uint8Array]"',
    'String(Uint8Array).includes("[native code]")',
    'same(Uint8Array.from([1, 2]), Uint8Array.of(1, 2))',
    'same(new Uint8Array(new Set([1, 2])), new Uint8Array([1, 2]))',
    'same(new Uint8Array(new Uint8Array([1, 2])).map(value => value + 1), new Uint8Array([2, 3]))',
    'same(new Uint8Array([1, 2, 3]).slice(1), new Uint8Array([2, 3]))',
    'new Uint8Array([1, 2, 3]).subarray(1).constructor === Uint8Array',
    'new Uint8Array(new ArrayBuffer(8), 4, 2).byteOffset === 4',
    'new Uint8Array().length === 0 && new Uint8Array(undefined).length === 0 && new Uint8Array(null).length === 0',
    'new ArrayBuffer(8).slice(4).byteLength === 4',
    'new ArrayBuffer(2, { maxByteLength: 8 }).resizable',
    'new ArrayBuffer(8).transfer().byteLength === 8',
    'same(structuredClone(new Uint8Array([1])), new Uint8Array([1]))',
    'structuredClone(new ArrayBuffer(8)) instanceof ArrayBuffer',
    'class Own extends Uint8Array {}; new Own(2) instanceof Own && new Own(2).slice(1) instanceof Own',
    'Reflect.construct(Uint8Array, [2]).length === 2',
    'try { Uint8Array(2) } catch (thrown) { thrown instanceof TypeError }',
    'try { new Uint8Array(-1) } catch (thrown) { thrown instanceof RangeError }',
    'try { new Uint8Array(Symbol()) } catch (thrown) { thrown instanceof TypeError }',
    'try { Buffer.alloc("2") } catch (thrown) { thrown.code === "ERR_INVALID_ARG_TYPE" }',
    'Buffer.alloc(2, "a").toString() === "aa" && Buffer.alloc.name === "alloc"',
    'Buffer.allocUnsafe(2).constructor === Buffer.from("a").constructor && Buffer.from("a").slice(0) instanceof Buffer',
    'Object.getPrototypeOf(Buffer) === Uint8Array && Buffer.from("a").subarray(0) instanceof Buffer',
    'Buffer.concat([Buffer.from("a"), Buffer.from("b")]).toString() === "ab"',
    'typeof gc === "undefined"',
    'new WebAssembly.Memory({ initial: 1 }).grow(1) === 1 && new WebAssembly.Memory({ initial: 1 }) instanceof WebAssembly.Memory',
    'new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }).buffer instanceof SharedArrayBuffer',
    'try { new WebAssembly.Memory() } catch (thrown) { thrown instanceof TypeError }',
    'Atomics.load(new Int32Array(new SharedArrayBuffer(4)), 0) === 0',
    'new Blob([new Uint8Array([97])]).text().then(text => text === "a")',
    'new Response(new Uint8Array([97])).arrayBuffer().then(buffer => buffer.constructor === ArrayBuffer)',
  ]
  const lies: string[] = []
  for (const code of truths) {
    const reply = await evaluate(code)
    if (messageOf(reply) !== 'parsed' || parsed(reply).items[0]?.value !== true)
      lies.push(`${code}: ${messageOf(reply)}`)
  }
  expect(lies).toEqual([])
})

test('a module that makes too much as it loads is refused before a page is parsed, with the line', async () => {
  const parser = poolOf(modules.write('\nconst table = new Uint8Array(1e9)\nexport const parse = () => ({})'))
  await expect(parser.ready()).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(/it cannot be loaded: .*module-\d+\.ts:2:\d+: RangeError: an array of 1000 MB/),
  })
})

test('a module that keeps an array of each page costs its thread now and then, and no page an array', {
  timeout: 30_000,
}, async () => {
  const parser = poolOf(
    modules.write('const kept = []\nexport const parse = () => ({ kept: kept.push(new ArrayBuffer(4e7)) })'),
  )
  const replies: string[] = []
  for (let nth = 0; nth < 12; nth += 1) replies.push(messageOf(await parser.parse(readerRequest(''), never)))
  expect(replies.filter(reply => reply !== 'parsed' && !reply.startsWith('PARSE_CRASHED'))).toEqual([])
  expect(replies.filter(reply => reply === 'parsed').length).toBeGreaterThanOrEqual(9)
  expect(parser.stats.restarts).toBe(replies.filter(reply => reply !== 'parsed').length)
})
