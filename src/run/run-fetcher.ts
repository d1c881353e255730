import type { Env } from '../core/clock.ts'
import type { Events } from '../core/events.ts'
import type { ClosableFetcher } from '../fetch/fetcher.ts'
import type { Resolver } from '../fetch/resolver.ts'
import type { Job } from '../job/job.ts'
import { createJobFetcher } from './job-fetcher.ts'

export interface RunFetcherOptions {
  readonly env: Env
  readonly events: Events
  readonly resolver: Resolver
  /** Instead of one of the job's own. Closed by its owner. */
  readonly fetcher?: ClosableFetcher
  /** Path of an archive of all attempts. */
  readonly record?: string
  /** The run goes on where an earlier process stopped, and so does its archive. */
  readonly goesOn: boolean
  /** What an earlier run left may be written over. */
  readonly restart?: boolean
}

/**
 * The transport of one run, which closes what it opened.
 * @throws CONFIG_INVALID as `createJobFetcher` and `openRecorder`
 * @throws SINK_FAILED the archive cannot be opened
 */
export async function openRunFetcher(job: Job, options: RunFetcherOptions): Promise<ClosableFetcher> {
  const { env, events, resolver, record } = options
  await using opening = new AsyncDisposableStack()
  const tellCache = (reason: string): void => events.emit('cache.troubled', () => ({ reason }))
  const fetcher = options.fetcher ?? opening.use(await createJobFetcher(job, env, resolver, tellCache))
  const asked = record === undefined ? fetcher : await recorded(fetcher, record)
  const opened = opening.move()
  return { ...asked, [Symbol.asyncDispose]: () => opened.disposeAsync() }

  /** Most runs are not recorded, and need not load what does that. */
  async function recorded(from: ClosableFetcher, path: string): Promise<ClosableFetcher> {
    const { openRecorder } = await import('./open-recorder.ts')
    const { createRecordingFetcher } = await import('../replay/recording-fetcher.ts')
    return createRecordingFetcher(from, opening.use(await openRecorder(path, job, options)), env.clock)
  }
}
