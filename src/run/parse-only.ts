import { MillraceError } from '../core/errors.ts'
import type { Item } from '../core/wire.ts'
import type { ItemOfJob } from '../extract/item-of.ts'
import { checkJob } from '../job/check-job.ts'
import type { JobInput } from '../job/define-job.ts'
import { isJob, type Job } from '../job/job.ts'
import type { ParserStats } from '../parse/parser.ts'
import { checkNames, checkWhole, mostThreads } from './check-options.ts'
import { availableThreads } from './cores.ts'
import { pageFinderOf } from './page-finder.ts'
import { faultOfInput, type ParseInput } from './page-input.ts'
import { createPageReader, type Parsed } from './page-reader.ts'

export interface ParserOptions {
  /** Worker threads; 0 parses in the calling thread, without deadline or ceiling. Default: one per core the process may use. */
  readonly threads?: number
}

/** The parse stage alone, for a pipeline of one's own. */
export interface PageParser<Made = Item> extends AsyncDisposable {
  /**
   * Waits while all threads are busy. What is wrong with a page is a `faulted` reply: rejects only when closed, when
   * `signal` aborts (with its reason), or with CONFIG_INVALID where `input` is not of its type, its `url` is none,
   * no page rule fits it, or a module of the job cannot be loaded.
   */
  parse(input: ParseInput, signal?: AbortSignal): Promise<Parsed<Made>>
  readonly stats: ParserStats
  /** Ends the threads; what is being parsed rejects. */
  close(): Promise<void>
}

/** A job that is only to parse. @throws CONFIG_INVALID */
export const parseJobOf = (job: JobInput | Job): Job =>
  isJob(job) ? job : checkJob(job, { path: 'job', baseDir: '.', needsSeeds: false })

const parserOptions: Readonly<Record<keyof ParserOptions, true>> = { threads: true }

/**
 * @param job a job file's content, or what `loadJob` gave; seeds, limits and hosts are of no matter here
 * @throws MillraceError CONFIG_INVALID, with the path in the job or the option, the value, and what is accepted
 */
export function createParser<const Input extends JobInput | Job>(
  job: Input,
  options: ParserOptions = {},
): PageParser<ItemOfJob<Input>> {
  type Made = ItemOfJob<Input>
  checkNames('createParser', options, parserOptions)
  checkWhole('threads', options.threads, 0, mostThreads)
  const checked = parseJobOf(job)
  const pageOf = pageFinderOf(checked)
  const reader = createPageReader<Made>(checked, options.threads ?? availableThreads())

  return {
    async parse(input, signal = new AbortController().signal) {
      const page = faultOfInput(input) ?? pageOf(input)
      if (typeof page !== 'string') throw new MillraceError(page.code, page.message)
      return await reader.read(input, page, signal)
    },
    get stats() {
      return reader.stats
    },
    async close() {
      await reader[Symbol.asyncDispose]()
    },
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
}
