import { basename, extname, resolve } from 'node:path'
import { MillraceError } from '../core/errors.ts'
import { checkCache } from './check-cache.ts'
import { checkContentTypes } from './check-content-types.ts'
import { checkCrawl } from './check-crawl.ts'
import { checkHeaders, checkUserAgent } from './check-headers.ts'
import { checkHosts, checkIgnoredHosts } from './check-hosts.ts'
import { checkLimits } from './check-limits.ts'
import { checkOutput } from './check-output.ts'
import { checkHeadersOfPages, checkPages } from './check-pages.ts'
import { checkProxies } from './check-proxies.ts'
import { checkScope } from './check-scope.ts'
import { checkSeeds } from './check-seeds.ts'
import { defaultPreset, defaultRedirects, defaultRetries, defaultTimeouts, defaultUserAgent } from './defaults.ts'
import type { Job } from './job.ts'
import { settleSecrets } from './job-secrets.ts'
import { type JobShape, jobShape } from './job-shape.ts'
import { presets } from './presets.ts'
import { createProblems, type Problems } from './problems.ts'
import { checkProtoKeys } from './proto-keys.ts'

export interface JobContext {
  /** What messages call the job: its file, or a word. */
  readonly path: string
  /** Where the relative paths in a job begin. */
  readonly baseDir: string
  /** False where only the parse stage is wanted. Default: true. */
  readonly needsSeeds?: boolean
}

const nameOf = (path: string): string => basename(path, extname(path)) || 'job'

/** What is written, over the defaults; nothing written is written as `undefined` by zod at times. */
function over<T extends object>(defaults: T, written: { readonly [K in keyof T]?: T[K] | undefined } = {}): T {
  const given = Object.entries(written).filter(([, value]) => value !== undefined)
  return { ...defaults, ...(Object.fromEntries(given) as Partial<T>) }
}

function fill(job: JobShape, context: JobContext, problems: Problems): Job {
  const presetName = job.preset ?? defaultPreset
  const preset = presets[presetName]
  const pages = checkPages(job, context.baseDir, problems)
  const seeds =
    context.needsSeeds === false && job.seeds === undefined
      ? []
      : checkSeeds(job.seeds, pages, context.baseDir, problems)
  const timeouts = over(defaultTimeouts, job.timeouts)
  const { limits, loopback } = checkLimits(job.limits ?? {}, preset, timeouts, problems)
  if (limits.perAddress !== null && job.proxies !== undefined)
    problems.refuse(
      ['limits', 'perAddress'],
      limits.perAddress,
      'nothing where there are `proxies`: those look names up themselves, and nobody here knows the address',
    )
  const name = job.name ?? nameOf(context.path)
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(name) || name.length > 100)
    problems.refuse(['name'], name, 'letters, digits, blanks, and any of . _ - (it names the folder of the output)')
  return {
    name,
    writtenIn: context.path,
    preset: presetName,
    seeds,
    scope: checkScope(job.scope, problems),
    ...checkCrawl(job, problems),
    pages,
    limits,
    loopback,
    timeouts,
    retries: over(defaultRetries, job.retries),
    robots: {
      ignoreFor: typeof job.robots === 'object' ? checkIgnoredHosts(job.robots.ignoreFor, problems) : [],
    },
    ...settleSecrets(
      checkHeaders(job.headers, ['headers'], problems),
      checkHosts(job.hosts ?? {}, { limits, loopback, preset, timeouts }, problems),
      seeds,
      problems,
    ),
    pageHeaders: checkHeadersOfPages(job, problems),
    contentTypes: checkContentTypes(job.contentTypes, problems),
    redirects: over(defaultRedirects, job.redirects),
    cookies: job.cookies ?? false,
    cache: checkCache(job.cache, context.baseDir, problems),
    http2: job.http2 ?? false,
    tls: { ca: [job.tls?.ca ?? []].flat().map(file => resolve(context.baseDir, file)) },
    proxies: checkProxies(
      job.proxies,
      pages.map(page => page.name),
      context.baseDir,
      problems,
    ),
    userAgent: checkUserAgent(job.userAgent ?? defaultUserAgent, job.contact, problems),
    audit: job.audit ?? 0,
    ...checkOutput(job.output, pages, problems),
  }
}

/** zod would compile a function for each object of the schema first, which takes longer than reading one job does. */
const once = { jitless: true }

/**
 * A job as written, checked and with every default filled in.
 * @throws CONFIG_INVALID with every problem: its path in the job, the value, and what is accepted
 */
export function checkJob(input: unknown, context: JobContext): Job {
  const problems = createProblems()
  const parsed = jobShape.safeParse(input, once)
  // What has the wrong shape is set aside, so that one look shows all that is wrong with the rest as well.
  const { data } = parsed.success ? parsed : jobShape.safeParse(problems.issues(parsed.error.issues, input), once)
  checkProtoKeys(input, problems)
  const job = data === undefined ? null : fill(data, context, problems)
  problems.throwIfAny(context.path)
  if (job === null) throw new MillraceError('INVARIANT', `${context.path}: a job was refused without a reason`)
  return job
}
