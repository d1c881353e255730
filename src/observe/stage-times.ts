import { createHistogram, type Histogram, type Spread } from '../analyse/histogram.ts'
import { listen } from '../core/events.ts'
import type { WaitCause } from '../core/waits.ts'

/** How long pages were in each stage: totals and percentiles, over those that went through it at all. */
export interface StageSpreads {
  /** The first in the line of each host, until it was admitted: see `core/waits.ts`. */
  readonly wait: Readonly<Record<WaitCause, Spread>>
  /** `connect` of new connections alone, and it ends where `tls` begins. */
  readonly fetch: Readonly<Record<'connect' | 'tls' | 'firstByte' | 'body', Spread>>
  /** `extract` is parsing and extracting, which are one. */
  readonly parse: Readonly<Record<'queue' | 'decode' | 'extract' | 'serialise', Spread>>
  /** From a page's end until it is kept and its reader has it. */
  readonly commit: Spread
}

export interface StageClock extends Disposable {
  read(): StageSpreads
  /** Sums alone, which cost next to nothing to read. */
  waitMs(): Record<WaitCause, number>
  commitMs(): number
}

const histograms = <Name extends string>(...names: readonly Name[]): Record<Name, Histogram> =>
  Object.fromEntries(names.map(name => [name, createHistogram()])) as Record<Name, Histogram>

const totalsOf = <Name extends string>(all: Record<Name, Histogram>): Record<Name, number> =>
  Object.fromEntries((Object.keys(all) as Name[]).map(name => [name, all[name].totalMs])) as Record<Name, number>

const spreadsOf = <Name extends string>(all: Record<Name, Histogram>): Record<Name, Spread> =>
  Object.fromEntries((Object.keys(all) as Name[]).map(name => [name, all[name].summary()])) as Record<Name, Spread>

/** A few increments a page, and nothing kept of it: some 40 kB in all, however long the run. */
export function gatherStageTimes(run: string): StageClock {
  const wait = histograms('hostSlot', 'rate', 'pause', 'robots', 'proxy', 'pageBudget', 'parse', 'inFlight', 'turn')
  const fetch = histograms('connect', 'tls', 'firstByte', 'body')
  const parse = histograms('queue', 'decode', 'extract', 'serialise')
  const commit = createHistogram()
  const listener = listen(run, {
    'task.waited': ({ cause, waitedMs }) => wait[cause].record(waitedMs),
    'task.fetched'({ timing }) {
      if (timing === null) return
      const { connectMs, tlsMs = 0, firstByteMs, totalMs } = timing
      if (connectMs > 0) fetch.connect.record(connectMs - tlsMs)
      if (tlsMs > 0) fetch.tls.record(tlsMs)
      fetch.firstByte.record(firstByteMs)
      fetch.body.record(totalMs - firstByteMs - connectMs)
    },
    'page.parsed'({ queuedMs, cpuMs, parts: { decodeMs, serialiseMs } }) {
      parse.queue.record(queuedMs)
      parse.decode.record(decodeMs)
      parse.extract.record(cpuMs - decodeMs - serialiseMs)
      parse.serialise.record(serialiseMs)
    },
    'task.kept': ({ waitedMs }) => commit.record(waitedMs),
  })
  return {
    read: () => ({
      wait: spreadsOf(wait),
      fetch: spreadsOf(fetch),
      parse: spreadsOf(parse),
      commit: commit.summary(),
    }),
    waitMs: () => totalsOf(wait),
    commitMs: () => commit.totalMs,
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  }
}
