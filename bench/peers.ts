import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startChild } from './child.ts'
import type { Figures } from './contest/figures.ts'
import { buildDist } from './dist.ts'
import { assertBounds, type Bound, machine, median } from './machine.ts'

/**
 * Millrace beside what people choose instead: the same real pages from one server, the same fields, the same number at
 * once, each contestant in a process of its own and in turn, start-up included. What makes a peer slower and can be
 * switched off is off: sessions, retries, storage, logs, robots files, delays. Items are compared: those on htmlparser2
 * must be ours to the byte; other parsers read broken pages in another way, and the share that agrees is printed. All
 * run what they publish: Millrace is built first.
 *
 *     npm run bench:peers [pages = 3000] [rounds = 5]
 */
const [count = '3000', rounds = '5'] = process.argv.slice(2)
const concurrency = 64
const here = (path: string): string => new URL(path, import.meta.url).pathname

interface Peer {
  readonly name: string
  readonly command: readonly [program: string, ...args: string[]]
  readonly more?: readonly string[]
  /** Null: it can run. Otherwise why not. */
  readonly missing: string | null
}

const node = (script: string): readonly [string, string] => [process.execPath, here(script)]
/** Debian's own Python, whatever else comes first in the path. */
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'
const hasScrapy = spawnSync(python, ['-c', 'import scrapy']).status === 0
const notInstalled = existsSync(here('peers/node_modules')) ? null : 'not installed: npm ci --prefix bench/peers'

const millrace = { name: 'millrace', command: node('contest/millrace.ts'), missing: null } as const
const peers: readonly Peer[] = [
  millrace,
  { name: 'Crawlee CheerioCrawler', command: node('peers/crawlee.mjs'), missing: notInstalled },
  { name: 'node-crawler', command: node('peers/node-crawler.mjs'), missing: notInstalled },
  {
    name: 'Scrapy',
    command: [python, here('peers/scrapy_peer.py')],
    missing: hasScrapy ? null : 'python3-scrapy is not there',
  },
  { name: 'undici + cheerio.load', command: node('contest/undici-cheerio.ts'), missing: null },
  {
    name: 'undici + cheerio on htmlparser2',
    command: node('contest/undici-cheerio.ts'),
    more: ['htmlparser2'],
    missing: null,
  },
  { name: 'bare dispatch', command: node('contest/bare-fetch.ts'), missing: null },
  { name: 'bare htmlparser2 + fields', command: node('contest/bare-parse.ts'), missing: null },
  { name: 'millrace, one thread', command: node('contest/millrace.ts'), more: ['1'], missing: null },
]

function run({ command: [program, ...args], more = [], name }: Peer, base: string, out: string): Figures {
  const given = [...args, base, count, String(concurrency), out, ...more]
  const child = spawnSync(program, given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.status !== 0) throw new Error(`${name} failed: ${child.stderr}`)
  return JSON.parse(child.stdout.trimEnd().split('\n').at(-1) ?? '')
}

/** A digest of each item, by its URL. */
type Items = ReadonlyMap<string, string>

const fields = ['title', 'description', 'canonical', 'h1', 'h2', 'links', 'images'] as const

/** White space and how nothing is written are matters of taste: they do not count. */
const plain = (value: unknown): string => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '')

/** Line by line, for all of them may be longer than a string can be. */
async function itemsIn(path: string): Promise<Items> {
  const items = new Map<string, string>()
  if (!existsSync(path)) return items
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const item = JSON.parse(line)
    const values = fields.map(field =>
      [item[field]]
        .flat()
        .map(plain)
        .filter(text => text !== ''),
    )
    items.set(item._url, createHash('sha1').update(JSON.stringify(values)).digest('base64'))
  }
  return items
}

const agreement = (left: Items, right: Items): number =>
  [...left].filter(([url, item]) => right.get(url) === item).length / Math.max(1, left.size)

buildDist()
using server = await startChild('page-server.ts')
const base = `http://127.0.0.1:${(server.first as { readonly port: number }).port}`
const folder = mkdtempSync(join(tmpdir(), 'millrace-peers-'))
const outOf = (nth: number): string => join(folder, `${nth}.jsonl`)
const present = peers.filter(({ missing, name }) => {
  if (missing !== null) console.log(`${name}: left out, ${missing}`)
  return missing === null
})
const measured = new Map<string, Figures[]>(present.map(({ name }) => [name, []]))
const agrees = new Map<string, number>()
try {
  for (let round = 0; round < Number(rounds); round += 1)
    for (const [nth, peer] of present.entries()) {
      const figures = run(peer, base, outOf(nth))
      measured.get(peer.name)?.push(figures)
      // Many pages take long: what is known so far is not lost with the rest.
      console.error(`round ${round + 1}, ${peer.name}: ${(figures.cpuMs / figures.items).toFixed(2)} ms of CPU a page`)
    }
  const ours = await itemsIn(outOf(0))
  for (const [nth, { name }] of present.entries()) agrees.set(name, agreement(ours, await itemsIn(outOf(nth))))
} finally {
  rmSync(folder, { recursive: true })
}

const perCpuSecond = ({ items, cpuMs }: Figures): number => (items * 1000) / cpuMs
const perSecond = ({ items, wallMs }: Figures): number => (items * 1000) / wallMs
const figuresOf = (name: string): readonly Figures[] => measured.get(name) ?? []

function spread(values: readonly number[], digits = 0): string {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map(value =>
    value.toFixed(digits),
  )
  return `${middle} (${least} to ${most})`
}

const table = Object.fromEntries(
  present.map(({ name }) => {
    const figures = figuresOf(name)
    const delays = figures.flatMap(({ loopDelayMs }) => (loopDelayMs === null ? [] : [loopDelayMs]))
    return [
      name,
      {
        'pages per CPU-second': spread(figures.map(perCpuSecond)),
        'pages/s': spread(figures.map(perSecond)),
        'peak RSS MB': spread(figures.map(({ rssMb }) => rssMb)),
        'loop delay p99 ms': delays.length === 0 ? '-' : spread(delays, 1),
        'items as ours': `${(100 * (agrees.get(name) ?? 0)).toFixed(1)} %`,
      },
    ]
  }),
)
console.log(
  `${count} pages, ${concurrency} at once, medians of ${rounds} rounds with least and most; ${machine.cores} cores, Node ${machine.node}`,
)
console.table(table)

const ratioTo = (name: string): number =>
  median(figuresOf('millrace').map((ours, round) => perCpuSecond(ours) / perCpuSecond(figuresOf(name)[round] ?? ours)))
const cpuMsPerPage = (name: string): number => median(figuresOf(name).map(({ cpuMs, items }) => cpuMs / items))
const rssMb = (name: string): number => median(figuresOf(name).map(figures => figures.rssMb))
const has = (name: string): boolean => measured.has(name)

const limits = cpuMsPerPage('bare dispatch') + cpuMsPerPage('bare htmlparser2 + fields')
/** How far above a peer is whoever only fetches, and only reads the fields: what nobody on these two can exceed. */
console.table(
  Object.fromEntries(
    present.map(({ name }) => [
      name,
      {
        'CPU ms per page': Math.round(cpuMsPerPage(name) * 100) / 100,
        'over bare dispatch and bare parse': Math.round((cpuMsPerPage(name) / limits) * 100) / 100,
      },
    ]),
  ),
)
/** What one core could do if there were nothing but our CPU. */
const oneThread = median(figuresOf('millrace, one thread').map(perCpuSecond))
const bounds: readonly (Bound & { readonly peer?: string })[] = [
  {
    peer: 'Crawlee CheerioCrawler',
    name: 'pages per CPU-second over Crawlee',
    value: ratioTo('Crawlee CheerioCrawler'),
    atLeast: 8,
  },
  { peer: 'Scrapy', name: 'pages per CPU-second over Scrapy', value: ratioTo('Scrapy'), atLeast: 4 },
  { name: 'pages per CPU-second over undici + cheerio.load', value: ratioTo('undici + cheerio.load'), atLeast: 10 },
  {
    name: 'pages per CPU-second over undici + cheerio on htmlparser2',
    value: ratioTo('undici + cheerio on htmlparser2'),
    atLeast: 3,
  },
  {
    name: 'CPU per page over bare dispatch and bare parse together',
    value: cpuMsPerPage('millrace') / limits,
    atMost: 1.35,
  },
  {
    name: 'pages/s over what one core can do',
    value: median(figuresOf('millrace').map(perSecond)) / oneThread,
    atLeast: 1.7,
  },
  {
    peer: 'Crawlee CheerioCrawler',
    name: 'peak RSS over that of Crawlee',
    value: rssMb('millrace') / rssMb('Crawlee CheerioCrawler'),
    atMost: 0.5,
  },
  {
    name: 'items that differ from cheerio on htmlparser2',
    value: 1 - (agrees.get('undici + cheerio on htmlparser2') ?? 0),
    atMost: 0,
  },
]
assertBounds(bounds.filter(({ peer }) => peer === undefined || has(peer)))
