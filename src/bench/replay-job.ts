import type { Job } from '../job/job.ts'
import { withPlainOutput } from '../run/plain-output.ts'
import { aloneJobOf, unpaced } from './alone-job.ts'

/** What of a run is played back: reading its pages, fetching them, or both at once. */
export type Half = 'parse' | 'io' | 'both'

/** So many pages of the usual size wait for their thread, and not the whole recording. */
const parseBudgetBytes = 32 * 2 ** 20
const parseInFlight = 64

/**
 * A job as it is played back. How its pages are read stays as it is, and so does, where fetching is played back, how
 * politely they are fetched. There is nobody to go to through a proxy, and nothing is sent anywhere. What would depend on
 * which of two pages is there first (`sameContent`, `canonical: use`) is off, since the same pages are to give the same items.
 */
export function replayJobOf(job: Job, half: Half, hosts: readonly string[]): Job {
  const alone = aloneJobOf(withPlainOutput(job))
  const played: Job = { ...alone, canonical: job.canonical === 'use' ? 'ignore' : job.canonical }
  if (half !== 'parse') return played
  const open = unpaced(parseInFlight)
  return {
    ...played,
    limits: {
      ...played.limits,
      ...open,
      globalRate: null,
      inFlight: parseInFlight,
      pageBudgetBytes: Math.min(job.limits.pageBudgetBytes, parseBudgetBytes),
    },
    loopback: open,
    hosts: {},
    robots: { ignoreFor: hosts },
  }
}
