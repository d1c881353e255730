import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClock } from '../src/core/clock.ts'
import { createLedger } from '../src/core/ledger.ts'
import { newTask, startPage, type Task, taskId } from '../src/core/task.ts'
import { urlKey } from '../src/core/url.ts'
import { createFrontier } from '../src/frontier/create-frontier.ts'
import { stores } from '../src/frontier/stores/index.ts'
import { boundYoungGeneration } from '../src/run/young-generation.ts'
import { assertBounds } from './machine.ts'

/**
 * What a long queue costs: how fast URLs are put into it, what it takes of the main process, whether sixteen spellings
 * of a URL are one, and how long a process needs to begin that finds such a queue. Each part runs in a process of its
 * own, so that the memory of one is not that of another.
 *
 *     node bench/queue.ts [millions of URLs to put = 10]
 */
const hostCount = 2_000
/** Links of some pages, which one commit keeps. */
const batchTasks = 5_000
const million = 1_000_000

const hostOf = (nth: number): string => `host${nth % hostCount}.test`
const pathOf = (nth: number): string => `catalogue/category-${nth % 97}/product-${nth}/index.html`

/** Spellings of one URL: letters of the host, its port and trailing dot, escapes, order of the query, a fragment. */
function spellingOf(nth: number, spelling: number): string {
  const host = spelling & 1 ? hostOf(nth).toUpperCase() : hostOf(nth)
  const dot = spelling & 2 ? '.' : ''
  const path = spelling & 4 ? pathOf(nth).replace('product', '%70roduct') : pathOf(nth)
  const [query, hash] = spelling & 8 ? ['a=1&b=2', '#part'] : ['b=2&a=1', '']
  return `http://${host}${dot}:80/${path}?${query}${hash}`
}

async function openQueue(path: string) {
  const store = await stores.sqlite({ path, clock: realClock })
  const ledger = createLedger()
  ledger.restore(store.recovered)
  const frontier = createFrontier({ clock: realClock, store, ledger })
  let sequence = 0
  let before = Promise.resolve()
  /** Waits for the commit before the one that it asks for: two are under way, as in a run. */
  async function commit(): Promise<void> {
    const keep = frontier.seal()
    sequence += 1
    const earlier = before
    before = keep({ items: { bytes: sequence }, dead: { bytes: 0 } })
    await earlier
  }
  return {
    store,
    frontier,
    commit,
    settled: () => before,
    [Symbol.asyncDispose]: () => frontier[Symbol.asyncDispose](),
  }
}

const rssMb = (): number => process.memoryUsage().rss / 2 ** 20

/** Keys come from the workers, so they are made before the clock starts. */
async function enqueue(path: string, count: number) {
  await using queue = await openQueue(path)
  const startRssMb = rssMb()
  let peakRssMb = startRssMb
  let busyMs = 0
  let stepMs = 0
  for (let from = 0; from < count; from += batchTasks) {
    const links = Array.from({ length: batchTasks }, (_, nth) => {
      const url = `http://${hostOf(from + nth)}/${pathOf(from + nth)}`
      return { url, key: urlKey(new URL(url)) }
    })
    const startMs = performance.now()
    queue.frontier.add(links.map(({ url, key }): Task => newTask(taskId(key, null), new URL(url), startPage)))
    stepMs = performance.now()
    await queue.commit()
    busyMs += performance.now() - startMs
    peakRssMb = Math.max(peakRssMb, rssMb())
  }
  stepMs = performance.now()
  await queue.settled()
  busyMs += performance.now() - stepMs
  const bytesPerUrl = ((peakRssMb - startRssMb) * 2 ** 20) / count
  return { perSecond: count / (busyMs / 1000), rssGrowthMb: peakRssMb - startRssMb, bytesPerUrl }
}

/**
 * Half of the URLs come again, in all spellings in turn. Growth is counted from the first tenth on: before that it is
 * the heaps of two threads that find their size.
 */
async function dedupe(path: string, count: number) {
  await using queue = await openQueue(path)
  let startRssMb = Number.POSITIVE_INFINITY
  let peakRssMb = 0
  for (let from = 0; from < count; from += batchTasks) {
    if (from === count / 10) startRssMb = rssMb()
    const tasks = Array.from({ length: batchTasks }, (_, offset): Task => {
      const nth = from + offset
      const url = new URL(spellingOf(nth >> 1, nth % 2 === 0 ? 0 : nth & 15))
      return newTask(taskId(urlKey(url), null), url, startPage)
    })
    queue.frontier.add(tasks)
    await queue.commit()
    // In a run the loop turns between any two batches, and timers have their turn.
    await new Promise(setImmediate)
    peakRssMb = Math.max(peakRssMb, rssMb())
  }
  await queue.settled()
  return { known: queue.store.known, expected: count / 2, rssGrowthMb: peakRssMb - startRssMb }
}

async function resume(path: string) {
  const startMs = performance.now()
  await using queue = await openQueue(path)
  const left = await queue.frontier.recover()
  while (queue.frontier.take(() => 0).kind !== 'task') await new Promise(setImmediate)
  return { left, seconds: (performance.now() - startMs) / 1000 }
}

const parts = { enqueue, dedupe, resume } as const

type Figures<Part extends keyof typeof parts> = Awaited<ReturnType<(typeof parts)[Part]>>

function inItsOwnProcess<Part extends keyof typeof parts>(part: Part, path: string, count: number): Figures<Part> {
  const child = spawnSync(process.execPath, [import.meta.filename, part, path, String(count)], { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(`${part} failed: ${child.stderr}`)
  console.log(part, child.stdout.trim())
  return JSON.parse(child.stdout)
}

async function main(): Promise<void> {
  const [first = '10', path, count] = process.argv.slice(2)
  if (path !== undefined) {
    // As the command line does.
    using _small = boundYoungGeneration(realClock, process.execArgv)
    const figures = await parts[first as keyof typeof parts](path, Number(count))
    console.log(JSON.stringify(figures))
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'millrace-queue-'))
  try {
    const large = inItsOwnProcess('enqueue', join(folder, 'large.db'), Number(first) * million)
    rmSync(join(folder, 'large.db'))
    inItsOwnProcess('enqueue', join(folder, 'million.db'), million)
    const resumed = inItsOwnProcess('resume', join(folder, 'million.db'), 0)
    const spelled = inItsOwnProcess('dedupe', join(folder, 'spellings.db'), million)
    assertBounds([
      { name: `URLs put per second, ${first} million of them`, value: large.perSecond, atLeast: 100_000 },
      {
        name: 'seconds until a process with a million URLs left has its first task',
        value: resumed.seconds,
        atMost: 5,
      },
      {
        name: 'URLs that are known too many or too few, of spellings',
        value: Math.abs(spelled.known - spelled.expected),
        atMost: 0,
      },
      {
        name: 'growth of the process in MB over a million URLs, half of them repeated',
        value: spelled.rssGrowthMb,
        atMost: 150,
      },
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

await main()
