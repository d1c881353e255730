import { noAttempts, type Task, taskId } from './core/task.ts'
import { hostKey, sendableUrl, urlKey } from './core/url.ts'
import type { Seed } from './job/job.ts'

/** Seeds are handed over in batches, so that a file of a million lines is never held whole. */
const batchSize = 1000

const seedTask = ({ url, page }: Seed, pageOf: (url: URL) => string): Task | null => {
  const sendable = sendableUrl(url)
  if (sendable === null) return null
  return {
    id: taskId(urlKey(sendable), null),
    url: sendable.href,
    askedUrl: url,
    host: hostKey(sendable),
    page: page ?? pageOf(sendable),
    depth: 0,
    hops: [],
    session: null,
    attempts: noAttempts,
    waitedMs: 0,
    notBeforeMs: 0,
  }
}

/** The first tasks of a run. `pageOf` names the page rule of a seed that names none. */
export async function* seedTasks(
  seeds: AsyncIterable<Seed>,
  pageOf: (url: URL) => string,
): AsyncGenerator<readonly Task[]> {
  let batch: Task[] = []
  for await (const seed of seeds) {
    const task = seedTask(seed, pageOf)
    if (task !== null) batch.push(task)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
