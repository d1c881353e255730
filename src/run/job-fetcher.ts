import type { HttpCache } from '../cache/cache.ts'
import { openCache } from '../cache/create-cache.ts'
import { createCookies } from '../cookies/create-cookies.ts'
import type { Clock, Env } from '../core/clock.ts'
import type { Task } from '../core/task.ts'
import { createFetcher } from '../fetch/create-fetcher.ts'
import type { ClosableFetcher } from '../fetch/fetcher.ts'
import type { Resolver } from '../fetch/resolver.ts'
import { hostOverrideOf } from '../job/host-policy.ts'
import type { Job } from '../job/job.ts'
import { certificatesOf } from './certificates.ts'

const hourMs = 3_600_000

function openJobCache(
  { cache, cookies }: Job,
  clock: Clock,
  tell: (reason: string) => void,
): Promise<HttpCache> | null {
  if (cache === null) return null
  const { dir, mode, maxAgeHours, maxBytes } = cache
  const maxAgeMs = maxAgeHours === null ? Number.POSITIVE_INFINITY : maxAgeHours * hourMs
  const keepsCookies = ({ session }: Task): boolean => session !== null || cookies
  return openCache({ folder: dir, maxBytes }, { mode, maxAgeMs, clock, keepsCookies, tell })
}

/** Told to nobody: a cache is as good as empty then. */
const unheard = (): void => {}

/**
 * The transport as a job wants it.
 * @param resolver shared with whoever counts by addresses
 * @param tell told what is wrong with the cache of the job
 * @throws CONFIG_INVALID a file of certificates cannot be read, or has none; the folder of the cache cannot be made
 */
export async function createJobFetcher(
  job: Job,
  env: Env,
  resolver?: Resolver,
  tell: (reason: string) => void = unheard,
): Promise<ClosableFetcher> {
  const { timeouts, userAgent, headers, pageHeaders, contentTypes, limits } = job
  const ca = await certificatesOf(job)
  const cache = await openJobCache(job, env.clock, tell)
  const fetcher = createFetcher({
    env,
    timeouts,
    userAgent,
    headers,
    headersFor: host => hostOverrideOf(job, host)?.headers,
    pageHeadersFor: page => (Object.hasOwn(pageHeaders, page) ? pageHeaders[page] : undefined),
    bodyBytes: limits.bodyBytes,
    // How many a host may have is for the gates to say: a bound below theirs would make requests wait that count as
    // under way.
    connections: limits.inFlight,
    contentTypes,
    allowPrivate: host => hostOverrideOf(job, host)?.allowPrivate ?? false,
    cookies: createCookies({ clock: env.clock, withoutSession: job.cookies }),
    ...(resolver !== undefined && { addresses: { resolver } }),
    tls: { ca },
    cache,
    http2: job.http2,
  })
  if (cache === null) return fetcher
  return {
    ...fetcher,
    async [Symbol.asyncDispose]() {
      await fetcher[Symbol.asyncDispose]()
      await cache[Symbol.asyncDispose]()
    },
  }
}
