import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { load } from 'cheerio'
import { load as loadSlim } from 'cheerio/slim'
import { Parser, Tokenizer } from 'htmlparser2'
import { checkItem } from '../src/extract/check-item.ts'
import { type Engine, readRequestOf } from '../src/extract/engine.ts'
import type { PageRule } from '../src/extract/page-rule.ts'
import { planOf } from '../src/extract/plan.ts'
import { createPageViews } from '../src/extract/stream/page-view.ts'
import { ignored } from '../src/extract/stream/references.ts'
import { createScanner } from '../src/extract/stream/scanner.ts'
import { createStreamEngine } from '../src/extract/stream/stream-engine.ts'
import { createTreeEngine } from '../src/extract/tree-engine.ts'
import { assertBounds, machine, median } from './machine.ts'
import { realPages } from './pages.ts'

/**
 * What the usual fields of a real page cost, from its text to JSON: the stream engine and the tree engine against cheerio
 * with either parser, against the head alone, and against a pass of htmlparser2 that does nothing with what it reads.
 * All in one run, round by round, since only the ratios say something.
 */
const pages = realPages().map(bytes => new TextDecoder().decode(bytes))
const rounds = Number(process.env.BENCH_ROUNDS ?? 7)

const head = {
  title: { selector: 'title', value: 'textContent' },
  description: { selector: 'meta[name="description"]', value: 'content' },
  canonical: { selector: 'link[rel="canonical"]', value: 'href' },
}
const all = {
  ...head,
  h1: [{ selector: 'h1', value: 'textContent' }],
  h2: [{ selector: 'h2', value: 'textContent' }],
  links: [{ selector: 'a[href]', value: 'href' }],
  images: [{ selector: 'img', value: 'src' }],
  firstParagraph: { selector: 'p', value: 'textContent' },
}

/** What only a tree can tell. */
const treeOnly = { last: { selector: 'div:has(> a) p:last-child', value: 'textContent' } }

type Cheerio = ReturnType<typeof load>

const headBy = ($: Cheerio): object => ({
  title: $('title').first().text(),
  description: $('meta[name="description"]').attr('content'),
  canonical: $('link[rel="canonical"]').attr('href'),
})
const textsBy = ($: Cheerio, selector: string): string[] =>
  $(selector)
    .get()
    .map(element => $(element).text())
const attributesBy = ($: Cheerio, selector: string, name: string): (string | undefined)[] =>
  $(selector)
    .get()
    .map(element => $(element).attr(name))
const allBy = ($: Cheerio): object => ({
  ...headBy($),
  h1: textsBy($, 'h1'),
  h2: textsBy($, 'h2'),
  links: attributesBy($, 'a[href]', 'href'),
  images: attributesBy($, 'img', 'src'),
  firstParagraph: $('p').first().text(),
})

/** As a crawl has them. Cheerio has no use for them, and is given the text for nothing. */
const bytesOf = new Map(pages.map(html => [html, Buffer.from(html)]))

function readBy(create: (rule: PageRule) => Engine, item: object): (html: string) => unknown {
  const rule: PageRule = { name: 'bench', match: null, item: checkItem(item, 'item'), follow: [], parser: 'fast' }
  if (planOf(rule).engine !== (item === all || item === head ? 'stream' : 'tree')) throw new Error('not as planned')
  const engine = create(rule)
  return html => JSON.stringify(engine.read({ html, url: 'http://bench.test/', wantLinks: false }).item)
}

function readBytesBy(item: object): (html: string) => unknown {
  const engine = createStreamEngine({
    name: 'bench',
    match: null,
    item: checkItem(item, 'item'),
    follow: [],
    parser: 'fast',
  })
  return text => {
    const source = { utf8: bytesOf.get(text) ?? Buffer.from(text), text }
    return JSON.stringify(engine.read(readRequestOf(source, { url: 'http://bench.test/', wantLinks: false })).item)
  }
}

/** As if a page had to be a string to be read. */
function readDecodedBy(item: object): (html: string) => unknown {
  const read = readBy(createStreamEngine, item)
  const decoder = new TextDecoder()
  return text => read(decoder.decode(bytesOf.get(text) ?? Buffer.from(text)))
}

const tokenizeBy =
  (decodeEntities: boolean) =>
  (html: string): void => {
    const tokenizer = new Tokenizer({ decodeEntities }, ignored)
    tokenizer.write(html)
    tokenizer.end()
  }

const ignore = (): void => {}
const views = createPageViews()
const scanner = createScanner({
  text: ignore,
  tagNamed: () => true,
  attribute: ignore,
  tagEnded: ignore,
  endTag: ignore,
  note: ignore,
})

const fast = { xml: { xmlMode: false } }
const ways = {
  'cheerio.load, all fields': html => JSON.stringify(allBy(load(html))),
  'cheerio.load, head only': html => JSON.stringify(headBy(load(html))),
  'cheerio on htmlparser2, all fields': html => JSON.stringify(allBy(loadSlim(html, fast))),
  "htmlparser2's tokenizer alone": tokenizeBy(true),
  "htmlparser2's tokenizer, without decoding": tokenizeBy(false),
  'our scanner alone': html => scanner.read(views.ofText(html)),
  'htmlparser2 without handlers': html => new Parser({}).end(html),
  'tree engine, all fields': readBy(createTreeEngine, all),
  'tree engine, one more that needs it': readBy(createTreeEngine, { ...all, ...treeOnly }),
  'tree engine, only that one': readBy(createTreeEngine, treeOnly),
  'stream engine, all fields': readBy(createStreamEngine, all),
  'stream engine, head only': readBy(createStreamEngine, head),
  'decoded, and then the stream engine, all fields': readDecodedBy(all),
  'stream engine on bytes, all fields': readBytesBy(all),
  'stream engine on bytes, head only': readBytesBy(head),
} satisfies Record<string, (html: string) => unknown>
type Way = keyof typeof ways
const names = Object.keys(ways) as Way[]

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function costOf(read: (html: string) => unknown): number {
  // Or what cheerio leaves behind is paid for by the next one.
  collectGarbage()
  const start = process.cpuUsage()
  for (const html of pages) read(html)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000 / pages.length
}

const costs = new Map<Way, number[]>(names.map(name => [name, []]))
for (const name of names) costOf(ways[name])
for (let round = 0; round < rounds; round += 1) for (const name of names) costs.get(name)?.push(costOf(ways[name]))

const cost = (name: Way): number => median(costs.get(name) ?? [])
const table = Object.fromEntries(names.map(name => [name, { 'CPU ms/page': Math.round(cost(name) * 1000) / 1000 }]))
console.table(table)
console.log(JSON.stringify({ bench: 'extract', machine, rounds, table }))

const ratio = (name: string, dear: Way, cheap: Way, atLeast: number) => ({
  name,
  value: cost(dear) / cost(cheap),
  atLeast,
})
assertBounds([
  ratio('cheerio.load over the stream engine', 'cheerio.load, all fields', 'stream engine, all fields', 14),
  ratio(
    'cheerio on htmlparser2 over the stream engine',
    'cheerio on htmlparser2, all fields',
    'stream engine, all fields',
    4.5,
  ),
  ratio('cheerio.load over the stream engine, head only', 'cheerio.load, head only', 'stream engine, head only', 85),
  ratio('the same, on bytes', 'cheerio.load, head only', 'stream engine on bytes, head only', 85),
  ratio(
    'decoding a page before it is read, over reading its bytes',
    'decoded, and then the stream engine, all fields',
    'stream engine on bytes, all fields',
    1,
  ),
  ratio(
    'cheerio.load over the stream engine on bytes',
    'cheerio.load, all fields',
    'stream engine on bytes, all fields',
    14,
  ),
  ratio(
    'cheerio on htmlparser2 over the tree engine',
    'cheerio on htmlparser2, all fields',
    'tree engine, all fields',
    4,
  ),
  ratio(
    "htmlparser2's tokenizer over our scanner",
    "htmlparser2's tokenizer, without decoding",
    'our scanner alone',
    2,
  ),
  {
    name: "the stream engine over htmlparser2's tokenizer alone",
    value: cost('stream engine, all fields') / cost("htmlparser2's tokenizer alone"),
    atMost: 0.9,
  },
  {
    name: 'both engines, each for what it is best at, over the tree engine for all',
    value:
      (cost('stream engine, all fields') + cost('tree engine, only that one')) /
      cost('tree engine, one more that needs it'),
    atLeast: 1,
  },
])
