import { noAttempts, type Task, taskId } from '../../src/core/task.ts'
import { hostKey, urlKey } from '../../src/core/url.ts'

/** A task as a seed makes it, with whatever differs. */
export function taskOf(text: string, differing: Partial<Task> = {}): Task {
  const url = new URL(text)
  return {
    id: taskId(urlKey(url), null),
    url: url.href,
    askedUrl: url.href,
    host: hostKey(url),
    page: 'start',
    depth: 0,
    hops: [],
    session: null,
    attempts: noAttempts,
    waitedMs: 0,
    notBeforeMs: 0,
    ...differing,
  }
}

/** `count` tasks of one host. */
export const tasksOf = (host: string, count: number): Task[] =>
  Array.from({ length: count }, (_, index) => taskOf(`http://${host}/${index}`))
