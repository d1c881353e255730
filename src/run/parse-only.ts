import { realClock } from '../core/clock.ts'
import { type Fault, faultOf, MillraceError } from '../core/errors.ts'
import type { EngineName, Item, Link } from '../core/wire.ts'
import type { ItemOfJob } from '../extract/item-of.ts'
import { checkJob } from '../job/check-job.ts'
import type { JobInput } from '../job/define-job.ts'
import { isJob, type Job } from '../job/job.ts'
import type { ParserStats } from '../parse/parser.ts'
import { createRoutes } from '../scope/routes.ts'
import { slicesOf } from '../stage/link-packs.ts'
import { checkNames, checkWhole, mostThreads } from './check-options.ts'
import { availableThreads } from './cores.ts'
import { faultOfInput, type ParseInput } from './page-input.ts'
import { createPagePool } from './page-pool.ts'
import { withPlainOutput } from './plain-output.ts'
import { stageRulesOf } from './stage-rules.ts'

export interface ParserOptions {
  /** Worker threads; 0 parses in the calling thread. Default: one per core the process may use. */
  readonly threads?: number
}

export type Parsed<Made = Item> =
  | {
      readonly kind: 'parsed'
      readonly page: string
      readonly items: readonly Made[]
      /** Why items of the page are not among them. */
      readonly refused: readonly Fault[]
      readonly links: readonly Link[]
      readonly charset: string
      readonly engine: EngineName
      readonly cpuMs: number
    }
  | {
      readonly kind: 'faulted'
      readonly fault: Fault
      /** Of a page that was read, and lacks what its rule requires. */
      readonly links: readonly Link[]
      readonly cpuMs: number
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

/** A body that owns its memory, so that moving it takes nothing else along. */
function ownBytes(body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  const { buffer, byteLength } = body
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !Buffer.isBuffer(body)
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(body)
}

/** Text has been decoded already: what its header said of an encoding is over. */
const typeOfText = (contentType = 'text/html'): string => `${contentType.split(';', 1)[0]}; charset=utf-8`

/** A job that is only to parse. @throws CONFIG_INVALID */
export const parseJobOf = (job: JobInput | Job): Job =>
  isJob(job) ? job : checkJob(job, { path: 'job', baseDir: '.', needsSeeds: false })

/** The name of the page rule that reads a page, or why there is none. */
export function pageFinderOf(job: Job): (page: Pick<ParseInput, 'page' | 'url'>) => string | Fault {
  const routes = createRoutes(job.pages, job.scope, stageRulesOf(job).seedHosts)
  return ({ page, url }) => {
    const address = URL.parse(url)
    if (address === null) return faultOf('CONFIG_INVALID', `url: ${url} is no URL; accepted: an absolute one`)
    const name = page ?? routes.pageOf(address)
    if (name !== null && job.pages.some(rule => rule.name === name)) return name
    return faultOf('CONFIG_INVALID', `no page rule ${page === undefined ? `fits ${url}` : `is called "${page}"`}`)
  }
}

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
  // Nobody is told what an audit finds.
  const parser = createPagePool(withPlainOutput({ ...checked, audit: 0 }), options.threads ?? availableThreads())

  return {
    async parse(input, signal = new AbortController().signal) {
      const page = faultOfInput(input) ?? pageOf(input)
      if (typeof page !== 'string') throw new MillraceError(page.code, page.message)
      const reply = await parser.parse(
        {
          body: ownBytes(input.body),
          contentCoding: input.contentCoding ?? '',
          contentType: typeof input.body === 'string' ? typeOfText(input.contentType) : (input.contentType ?? ''),
          askedUrl: input.url,
          finalUrl: input.url,
          page,
          depth: 0,
          fetchedAt: realClock.wallIso(),
          want: 'objects',
          ...(input.meta !== undefined && { meta: input.meta }),
          ...(input.status !== undefined && { status: input.status }),
          ...(input.headers !== undefined && { headers: input.headers }),
        },
        signal,
      )
      const links = [...slicesOf({ ...reply, links: reply.links ?? [] })].flat()
      if (reply.kind === 'faulted') return { kind: reply.kind, fault: reply.fault, links, cpuMs: reply.cpuMs }
      const { kind, items, refused = [], charset, engine, cpuMs } = reply
      // The type of items is what the schema says they are, and the stage has read them by it.
      return { kind, page, items: items as unknown as Made[], refused, links, charset, engine, cpuMs }
    },
    get stats() {
      return parser.stats
    },
    async close() {
      await parser[Symbol.asyncDispose]()
    },
    async [Symbol.asyncDispose]() {
      await parser[Symbol.asyncDispose]()
    },
  }
}
