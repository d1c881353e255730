import { isSitemapPage, newTask, robotsPage, startPage, type Task, taskId } from '../core/task.ts'
import { withoutCredentials } from '../core/url.ts'
import type { Job } from '../job/job.ts'
import { type Chain, lastPageOf, type Recording } from '../replay/recording.ts'
import { stageRulesOf } from '../run/stage-rules.ts'
import { createRoutes } from '../scope/routes.ts'
import type { Half } from './replay-job.ts'

export interface ReplayTask {
  readonly chain: Chain
  readonly task: Task
}

export interface ReplayTasks {
  readonly all: readonly ReplayTask[]
  /** Of a task, however far it has come; null: it is none of them. */
  placeOf(task: Pick<Task, 'askedUrl' | 'session'>): number | null
  /** Whether a task of the recording ended at a URL of this key. */
  endsAt(key: string): boolean
}

const nameOf = ({ askedUrl, session }: Pick<Task, 'askedUrl' | 'session'>): string =>
  `${session ?? ''} ${withoutCredentials(askedUrl)}`

/**
 * The tasks of a recording, in its order: each as it was when it was recorded, though it was found on a page and not among
 * the seeds. So which pages are read, and as what, depends neither on luck nor on links.
 *
 * Where pages are only read, each is asked for where it was found in the end.
 */
export function createReplayTasks(
  job: Job,
  { chains }: Pick<Recording, 'chains'>,
  half: Half,
  most = Number.POSITIVE_INFINITY,
): ReplayTasks {
  const { pages, scope, seedHosts } = stageRulesOf(job)
  const routes = createRoutes(pages, scope, seedHosts, job.urls)
  const names: ReadonlySet<string> = new Set([startPage, ...pages.map(({ name }) => name)])
  const pageOf = (name: string | null, url: URL): string =>
    name !== null && (names.has(name) || isSitemapPage(name)) ? name : (routes.pageOf(url) ?? startPage)

  function taskOf(chain: Chain): ReplayTask[] {
    const { askedUrl, page, depth, session, meta } = chain.task
    const last = half === 'parse' ? lastPageOf(chain) : null
    if (page === robotsPage || (half === 'parse' && last === null)) return []
    const url = new URL(last?.url ?? askedUrl)
    url.hash = ''
    const more = { askedUrl, depth, session, meta }
    return [{ chain, task: newTask(taskId(routes.keyOf(url), session), url, pageOf(last?.page ?? page, url), more) }]
  }

  const all = chains.flatMap(taskOf).slice(0, most)
  const places = new Map(all.map(({ task }, place) => [nameOf(task), place]))
  const endings = new Set(
    job.canonical !== 'follow'
      ? []
      : all.flatMap(({ chain }) => {
          const last = lastPageOf(chain)
          return last === null ? [] : [routes.keyOf(new URL(last.url))]
        }),
  )
  return {
    all,
    placeOf: task => places.get(nameOf(task)) ?? null,
    endsAt: key => endings.has(key),
  }
}
