import type { Readable, Writable } from 'node:stream'
import { compose } from '../compose.ts'
import { onAbort } from '../core/abort.ts'
import { type Env, realEnv } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import type { Item } from '../core/wire.ts'
import type { Stop } from '../crawl/crawl.ts'
import type { ItemOfJob } from '../extract/item-of.ts'
import type { ClosableFetcher } from '../fetch/fetcher.ts'
import { checkJob } from '../job/check-job.ts'
import type { JobInput } from '../job/define-job.ts'
import { isJob, type Job } from '../job/job.ts'
import type { HostReport, Report } from '../observe/report.ts'
import type { Parser } from '../parse/parser.ts'
import { checkNames, checkWhole, mostThreads } from './check-options.ts'
import type { Composed } from './composed.ts'
import type { Progress } from './progress.ts'
import type { Environment } from './proxy-list.ts'
import { type CrawlResult, createResultChannel } from './results.ts'
import { noProxies, type ProxyControl } from './run-proxies.ts'

export interface CrawlOptions {
  /** Folder for all that a run leaves: items, `dead.jsonl`, state, report, log. Without it the run touches no file. */
  readonly out?: string
  /** Instead of a folder: where item lines are written as they come, with backpressure. It is not ended. */
  readonly items?: Writable
  /** A web archive (`.warc.gz`) of every attempt, to be played back: see docs/replay.md. */
  readonly record?: string
  /** Remove what an earlier run left in `out`, instead of refusing to write over it. */
  readonly restart?: boolean
  /** Worker threads for parsing; 0 parses in the calling thread, without deadline or ceiling. Default: one per core the process may use. */
  readonly threads?: number
  /** End after this many pages. */
  readonly maxPages?: number
  /** The file the job was read from: named in the commands that dead letters carry. */
  readonly jobFile?: string
  /** Where `{ env: NAME }` of the proxies is looked up; the command line gives its own. */
  readonly environment?: Environment
  /** Where `from: "-"` reads seeds. */
  readonly seedInput?: Readable
  /** Aborting it is `stop()`. */
  readonly signal?: AbortSignal
  /** Time and chance; the real ones unless given. */
  readonly env?: Env
  /** Instead of the transport of one's own. Closed by its owner, not by the run. */
  readonly fetcher?: ClosableFetcher
  /** Instead of a pool of one's own. Closed by its owner, not by the run. */
  readonly parser?: Parser
}

/**
 * One run of a job. It begins when it is first iterated, or when `finished` is first called.
 *
 * Iterating gives what came of each URL, with backpressure: a reader that stops reading closes admission, and one
 * that leaves the loop stops the run. `finished` alone takes a run to its end without looking at single results.
 */
export interface CrawlRun<Made = Item> extends AsyncIterable<CrawlResult<Made>>, AsyncDisposable {
  readonly id: string
  /**
   * The report, once every URL has an outcome or the run was stopped and drained.
   * @throws MillraceError SINK_FAILED, STORE_FAILED or INVARIANT where no page could be blamed
   */
  finished(): Promise<Report>
  progress(): Progress
  /**
   * What `hosts` of the report would say now: limits, latency, block rates of each host, the busiest first. Plain data, made
   * anew at each call. Looks at all hosts of the run: for a look each second, not for each page.
   */
  hosts(): readonly HostReport[]
  /**
   * Why a URL waits, in one line: "a.test: limit 4, 4 in flight, paused 12 s: Retry-After of 30 s"; or that it is under
   * way, has ended, or is not known. Looks at all URLs in memory: for people, not for each page.
   */
  explain(url: string): string
  /** The proxies of the run, once it has begun: they may come and go meanwhile. */
  readonly proxies: ProxyControl
  /** Admission ends; what is under way is finished and kept. */
  stop(): void
  /** Cuts what is under way, and releases every handle. Needed only where a run is left before its end. */
  close(): Promise<void>
}

const crawlOptions: Readonly<Record<keyof CrawlOptions, true>> = {
  out: true,
  items: true,
  record: true,
  restart: true,
  threads: true,
  maxPages: true,
  jobFile: true,
  environment: true,
  seedInput: true,
  signal: true,
  env: true,
  fetcher: true,
  parser: true,
}

const nothingYet: Progress = { discovered: 0, ended: 0, failed: 0, pending: 0, items: 0, inFlight: 0, parseQueue: 0 }

/** Results that may wait for the reader before pages are held back. */
const resultsHeld = 16

const neverAborted = new AbortController().signal

let runs = 0

/**
 * Runs a job. `job` is a job file's content (see docs/job-file.md), or what `loadJob` gave; what is written in place, or by
 * `defineJob`, says of which type the items are.
 * @throws MillraceError CONFIG_INVALID, with the path in the job or the option, the value, and what is accepted
 */
export function crawl<const Input extends JobInput | Job>(
  job: Input,
  options: CrawlOptions = {},
): CrawlRun<ItemOfJob<Input>> {
  checkNames('crawl', options, crawlOptions)
  checkWhole('threads', options.threads, 0, mostThreads)
  checkWhole('maxPages', options.maxPages, 1, Number.MAX_SAFE_INTEGER)
  const checked = isJob(job) ? job : checkJob(job, { path: 'job', baseDir: '.' })
  runs += 1
  const id = `${checked.name}-${runs}`
  const env = options.env ?? realEnv
  const stopping: Stop = { drain: new AbortController(), cut: new AbortController() }
  const results = createResultChannel(resultsHeld)
  let composed: Composed | null = null
  let ending: Promise<Report> | null = null
  let isRead = false

  async function begin(): Promise<Report> {
    using _ = onAbort(options.signal ?? neverAborted, stop)
    if (!isRead) results.discard()
    try {
      composed = await compose(checked, { ...options, id, env, results })
      const report = await composed.run(stopping)
      results.end()
      return report
    } catch (thrown) {
      results.end(thrown)
      throw thrown
    }
  }

  function start(): Promise<Report> {
    ending ??= begin()
    return ending
  }

  function stop(): void {
    stopping.drain.abort(new MillraceError('ABORTED', `run ${id} was stopped`))
  }

  function cut(): void {
    stop()
    stopping.cut.abort(new MillraceError('ABORTED', `run ${id} was closed`))
    results.discard()
  }

  async function* read(): AsyncGenerator<CrawlResult<ItemOfJob<Input>>> {
    if (ending !== null)
      throw new MillraceError('CONFIG_INVALID', `run ${id} has begun already: results can be read once, from the start`)
    isRead = true
    // A failure reaches the reader through the results; nobody else may be waiting for the report.
    const ended = start().catch(() => {})
    let isEnded = false
    try {
      // The type of items is what the schema says they are, and the stage has read them by it.
      yield* results as AsyncIterable<unknown> as AsyncIterable<CrawlResult<ItemOfJob<Input>>>
      isEnded = true
    } finally {
      // Whoever leaves the loop wants nothing more: what is under way is cut, not waited for.
      if (!isEnded) cut()
      await ended
    }
  }

  return {
    id,
    finished: start,
    get proxies() {
      return composed?.proxies ?? noProxies
    },
    progress: () => composed?.progress() ?? nothingYet,
    hosts: () => composed?.hosts() ?? [],
    explain: url => composed?.explain(url) ?? `${url}: this run has not begun`,
    stop,
    async close() {
      cut()
      await ending?.catch(() => {})
    },
    async [Symbol.asyncDispose]() {
      await this.close()
    },
    [Symbol.asyncIterator]: read,
  }
}
