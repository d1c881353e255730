import { readFile } from 'node:fs/promises'
import { createCookies } from '../cookies/create-cookies.ts'
import type { Env } from '../core/clock.ts'
import { MillraceError } from '../core/errors.ts'
import { createFetcher } from '../fetch/create-fetcher.ts'
import type { ClosableFetcher } from '../fetch/fetcher.ts'
import { hostOverrideOf } from '../job/host-policy.ts'
import type { Job } from '../job/job.ts'

async function readCertificates(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new MillraceError(
      'CONFIG_INVALID',
      `tls.ca: ${path} cannot be read; expected a file of certificates in PEM`,
      {
        cause,
      },
    )
  }
}

/**
 * The transport as a job wants it.
 * @throws CONFIG_INVALID a file of certificates cannot be read, or has none
 */
export async function createJobFetcher(job: Job, env: Env): Promise<ClosableFetcher> {
  const { timeouts, userAgent, headers, pageHeaders, contentTypes, limits, tls } = job
  return createFetcher({
    env,
    timeouts,
    userAgent,
    headers,
    headersFor: host => hostOverrideOf(job, host)?.headers,
    pageHeadersFor: page => (Object.hasOwn(pageHeaders, page) ? pageHeaders[page] : undefined),
    bodyBytes: limits.bodyBytes,
    contentTypes,
    allowPrivate: host => hostOverrideOf(job, host)?.allowPrivate ?? false,
    cookies: createCookies({ clock: env.clock, withoutSession: job.cookies }),
    tls: { ca: await Promise.all(tls.ca.map(readCertificates)) },
  })
}
