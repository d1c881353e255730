import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Outcome } from '../src/core/outcome.ts'
import type { ClosableFetcher } from '../src/fetch/fetcher.ts'
import { crawl } from '../src/index.ts'
import type { Parser } from '../src/parse/parser.ts'

const line = new TextEncoder().encode('{"title":"a page like others","_url":"http://h.test/1","_page":"page"}\n')

/** A web that answers some turns of the event loop later, so that requests are under way together, with a page of nothing. */
function instantWeb(): ClosableFetcher {
  let answering: (() => void)[] = []
  const timing = { connectMs: 0, firstByteMs: 1, totalMs: 1 }
  function answerAll(): void {
    const due = answering
    answering = []
    for (const answer of due) answer()
  }
  return {
    fetch: ({ task, sent, grow }) =>
      new Promise<Outcome>(resolve => {
        if (answering.length === 0) setImmediate(answerAll)
        answering.push(() => {
          sent?.()
          grow(1_000)
          const body = new Uint8Array(10)
          const headers = { 'content-type': 'text/html' }
          resolve({ kind: 'page', page: { task, status: 200, headers, body, timing, reach: task.reach } })
        })
      }),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Threads that cost nothing. */
function instantParser(): Parser {
  const stats = { threads: 64, waiting: 0, pages: 0, timeouts: 0, restarts: 0, cpuMs: 0, queuedMs: 0 }
  return {
    ready: async () => {},
    parse: async () => ({
      kind: 'parsed',
      output: line.slice(),
      items: [],
      itemCount: 1,
      links: [],
      charset: 'utf-8',
      engine: 'stream',
      decodedBytes: 10,
      cpuMs: 0,
    }),
    stats,
    [Symbol.asyncDispose]: async () => {},
  }
}

function* urls(hosts: number, pages: number): Generator<string> {
  for (let nth = 0; nth < pages; nth += 1) yield `http://h${nth % hosts}.test/catalogue/product-${nth}\n`
}

/** CPU of the main thread for each page, all but transport: seeds, queue, gates, hand-over, commits, output, events. */
export async function spineMsPerPage(hosts: number, pages: number): Promise<number> {
  const out = mkdtempSync(join(tmpdir(), 'millrace-scale-'))
  try {
    const run = crawl(
      {
        name: 'scale',
        seeds: [{ from: '-' }],
        item: { title: 'title' },
        robots: { ignoreFor: [] },
        limits: { perHost: { policy: 'aimd', start: 2, max: 16 }, rate: 'none', delayMs: 0, inFlight: 1024 },
      },
      {
        out,
        seedInput: Readable.from(urls(hosts, pages)),
        fetcher: instantWeb(),
        parser: instantParser(),
      },
    )
    const report = await run.finished()
    if (report.items !== pages) throw new Error(`${report.items} items of ${pages} pages`)
    return report.cpuMs.main / pages
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
