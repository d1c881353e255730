import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startChild } from './child.ts'
import type { Figures } from './contest/figures.ts'
import { buildDist } from './dist.ts'
import { writeFigures } from './docs-figures.ts'
import { assertBounds, machineText } from './machine.ts'
import {
  boundOf,
  type Contest,
  cellsOf,
  checksOf,
  goalsOf,
  names,
  type Round,
  sectionOf,
  tableHead,
} from './peers-figures.ts'

/**
 * Millrace beside what people choose instead: the same real pages from one server, the same fields, the same number at
 * once, each contestant in a process of its own and in turn, start-up included. What makes a peer slower and can be
 * switched off is off: sessions, retries, storage, logs, robots files, delays. Items are compared: those on htmlparser2
 * must be ours to the byte; other parsers read broken pages in another way, and the share that agrees is printed. The
 * server says how many requests of each it saw at once: in each round, and once before, when it holds its answers back until
 * no more requests come, since whoever parses slowly has few under way at a server that is quick. All run what they
 * publish: Millrace is built first.
 *
 *     npm run bench:peers -- [pages = 3000] [rounds = 5] [--docs]      also writes the tables into docs/bench.md
 */
const { values: options, positionals } = parseArgs({ options: { docs: { type: 'boolean' } }, allowPositionals: true })
const [count = '3000', rounds = '5'] = positionals
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

const peers: readonly Peer[] = [
  { name: names.millrace, command: node('contest/millrace.ts'), missing: null },
  { name: names.oneThread, command: node('contest/millrace.ts'), more: ['1'], missing: null },
  { name: names.crawlee, command: node('peers/crawlee.mjs'), missing: notInstalled },
  { name: names.nodeCrawler, command: node('peers/node-crawler.mjs'), missing: notInstalled },
  {
    name: names.scrapy,
    command: [python, here('peers/scrapy_peer.py')],
    missing: hasScrapy ? null : 'python3-scrapy is not there',
  },
  { name: names.load, command: node('contest/undici-cheerio.ts'), missing: null },
  { name: names.htmlparser2, command: node('contest/undici-cheerio.ts'), more: ['htmlparser2'], missing: null },
  { name: names.bareFetch, command: node('contest/bare-fetch.ts'), missing: null },
  { name: names.bareParse, command: node('contest/bare-parse.ts'), missing: null },
]

function run(
  { command: [program, ...args], more = [], name }: Peer,
  base: string,
  pages: string,
  out: string,
): Figures {
  const given = [...args, base, pages, String(concurrency), out, ...more]
  const child = spawnSync(program, given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.status !== 0) throw new Error(`${name} failed: ${child.stderr}`)
  return JSON.parse(child.stdout.trimEnd().split('\n').at(-1) ?? '')
}

/** Of all requests since it was asked before, whatever they called the host. */
async function peakOf(base: string): Promise<number | null> {
  const response = await fetch(`${base}/stats`, { headers: { connection: 'close' } })
  const { peak } = (await response.json()) as { readonly peak: Readonly<Record<string, number>> }
  const peaks = Object.values(peak)
  return peaks.length === 0 ? null : peaks.reduce((sum, most) => sum + most, 0)
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
const measured = new Map<string, Round[]>(present.map(({ name }) => [name, []]))
const heldPeaks = new Map<string, number | null>()
const agreements = new Map<string, number>()
try {
  for (const [nth, peer] of present.entries()) {
    run(peer, `${base}/held/${concurrency}`, String(2 * concurrency), outOf(nth))
    heldPeaks.set(peer.name, await peakOf(base))
  }
  for (let round = 0; round < Number(rounds); round += 1)
    for (const [nth, peer] of present.entries()) {
      const figures = run(peer, base, count, outOf(nth))
      const peak = await peakOf(base)
      measured.get(peer.name)?.push({ ...figures, peak })
      // Many pages take long: what is known so far is not lost with the rest.
      console.error(
        `round ${round + 1}, ${peer.name}: ${(figures.cpuMs / figures.items).toFixed(2)} ms of CPU a page` +
          (peak === null ? '' : `, ${peak} requests at once`),
      )
    }
  const ours = await itemsIn(outOf(0))
  for (const [nth, { name }] of present.entries()) agreements.set(name, agreement(ours, await itemsIn(outOf(nth))))
} finally {
  rmSync(folder, { recursive: true })
}

const contest: Contest = {
  pages: Number(count),
  concurrency,
  contestants: present.map(({ name }) => ({
    name,
    rounds: measured.get(name) ?? [],
    heldPeak: heldPeaks.get(name) ?? null,
    agreement: agreements.get(name) ?? 0,
  })),
}
const how =
  `${Number(count).toLocaleString('en')} fetches, ${concurrency} at once, medians of ${rounds} rounds with the least and the most, ` +
  `on ${machineText}:`
console.log(how)
console.table(
  Object.fromEntries(
    cellsOf(contest).map(([name, cells]) => [
      name,
      Object.fromEntries(cells.map((cell, nth) => [tableHead[nth], cell])),
    ]),
  ),
)
if (options.docs === true) await writeFigures('bench.md', 'peers.ts', sectionOf(contest, how))
assertBounds([...goalsOf(contest).map(boundOf), ...checksOf(contest)])
