import { load } from 'cheerio'
import { load as loadSlim } from 'cheerio/slim'
import { createParser } from '../src/index.ts'
import { fieldsBy } from './cheerio-fields.ts'
import { fields } from './crawl-job.ts'
import { assertBounds, machine, median } from './machine.ts'
import { realPages } from './pages.ts'
import { watchTicks } from './ticks.ts'

/**
 * What one real page costs to parse and extract, in this thread, against cheerio over the same bytes and fields in the
 * same run; what small pages cost that come to the workers one by one, against those that wait and go together; and what the
 * main thread notices of workers that parse as fast as they can, and of one page that holds its worker for seconds.
 */
const pages = realPages()
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function costOf(parse: (page: Uint8Array, nth: number) => unknown): Promise<number> {
  const startMs = cpuMs()
  for (const [nth, page] of pages.entries()) await parse(page, nth)
  return (cpuMs() - startMs) / pages.length
}

const decoder = new TextDecoder()
const inline = createParser({ item: fields }, { threads: 0 })
const ways: Readonly<Record<string, (page: Uint8Array, nth: number) => unknown>> = {
  'cheerio.load (parse5)': page => JSON.stringify(fieldsBy(load(decoder.decode(page)))),
  'cheerio on htmlparser2': page =>
    JSON.stringify(fieldsBy(loadSlim(decoder.decode(page), { xml: { xmlMode: false } }))),
  'millrace, whole parse stage': async (page, nth) =>
    JSON.stringify(
      await inline.parse({ body: new Uint8Array(page), url: `http://bench.test/${nth}`, contentType: 'text/html' }),
    ),
}
const costs: Record<string, number[]> = {}
for (let round = 0; round < rounds; round += 1)
  for (const [name, parse] of Object.entries(ways)) costs[name] = [...(costs[name] ?? []), await costOf(parse)]
const table = Object.fromEntries(
  Object.entries(costs).map(([name, values]) => [name, { 'CPU ms/page': Math.round(median(values) * 1000) / 1000 }]),
)
console.table(table)
const cost = (name: string): number => median(costs[name] ?? [])
const ours = cost('millrace, whole parse stage')

const threads = 2
async function saturated(): Promise<{ readonly p99: number; readonly max: number }> {
  await using parser = createParser({ item: fields }, { threads })
  const parseAll = () =>
    Promise.all(
      pages.map((page, nth) =>
        parser.parse({ body: new Uint8Array(page), url: `http://bench.test/${nth}`, contentType: 'text/html' }),
      ),
    )
  await parseAll()
  using ticks = watchTicks(10)
  for (let round = 0; round < 4; round += 1) await parseAll()
  return ticks.read()
}

async function heldUp(): Promise<{ readonly slipMs: number; readonly parseMs: number }> {
  // parse5 is quadratic in unclosed elements: this one page holds its worker for more than three seconds.
  await using parser = createParser(
    { item: { title: 'title' }, parser: 'browser', timeouts: { parseMs: 60_000 } },
    { threads: 1 },
  )
  await parser.parse({ body: '<title>warm</title>', url: 'http://bench.test/' })
  using ticks = watchTicks(100)
  const startMs = performance.now()
  await parser.parse({ body: '<div>'.repeat(30_000), url: 'http://bench.test/' })
  return { slipMs: ticks.read().max, parseMs: performance.now() - startMs }
}

interface Pace {
  readonly cpuMs: number
  readonly wallMs: number
}

/** Of one page of 2 KB, with so many of them in the parser's hands at a time. */
async function paceOf(inFlight: number): Promise<Pace> {
  const bodies = pages.map(page => page.subarray(0, 2_000))
  await using parser = createParser({ item: fields }, { threads })
  async function parseSome(count: number): Promise<void> {
    let next = 0
    async function work(): Promise<void> {
      for (let nth = next++; nth < count; nth = next++)
        await parser.parse({
          body: new Uint8Array(bodies[nth % bodies.length] ?? []),
          url: `http://bench.test/${nth}`,
          contentType: 'text/html',
        })
    }
    await Promise.all(Array.from({ length: inFlight }, work))
  }
  await parseSome(1_000)
  const startCpuMs = cpuMs()
  const startMs = performance.now()
  await parseSome(2_000)
  return { cpuMs: (cpuMs() - startCpuMs) / 2_000, wallMs: (performance.now() - startMs) / 2_000 }
}

/** No page waits where each thread has one; where many wait, those that are small go to a thread together. */
async function company() {
  const alone: Pace[] = []
  const together: Pace[] = []
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await paceOf(threads))
    together.push(await paceOf(64))
  }
  const ratio = (of: (pace: Pace) => number): number => median(alone.map(of)) / median(together.map(of))
  return { cpuRatio: ratio(pace => pace.cpuMs), wallRatio: ratio(pace => pace.wallMs) }
}

const small = await company()
const loop = await saturated()
const held = await heldUp()
const figures = {
  bench: 'parse',
  machine,
  table,
  ratioToLoad: cost('cheerio.load (parse5)') / ours,
  ratioToHtmlparser2: cost('cheerio on htmlparser2') / ours,
  small,
  loopDelayMs: loop,
  held,
}
console.log(JSON.stringify(figures))
assertBounds([
  { name: 'cost of cheerio.load and the fields, over ours', value: figures.ratioToLoad, atLeast: 3 },
  {
    name: 'CPU of small pages that come one by one, over those that go together',
    value: small.cpuRatio,
    atLeast: 1.15,
  },
  {
    name: 'time of small pages that come one by one, over those that go together',
    value: small.wallRatio,
    atLeast: 1.2,
  },
  { name: 'event-loop delay of the main thread with all workers parsing, p99 ms', value: loop.p99, atMost: 20 },
  { name: 'event-loop delay of the main thread with all workers parsing, max ms', value: loop.max, atMost: 100 },
  { name: 'the page that holds its worker does so for, ms', value: held.parseMs, atLeast: 3000 },
  {
    name: 'a parse of seconds in a worker moves a 100 ms timer of the main thread by, ms',
    value: held.slipMs,
    atMost: 50,
  },
])
