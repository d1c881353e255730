import type { Task } from '../core/task.ts'

/** Scheme and host of an id of a task, whose session comes first where it has one. */
const originOf = (id: string): string =>
  id
    .slice(id.lastIndexOf(' ') + 1)
    .split('/', 3)
    .join('/')

const hostOf = (origin: string): string => origin.slice(origin.indexOf('//'))

/**
 * Whether a request may carry what is meant for its host alone. Not when redirects led away from the host and back to
 * it: then somebody else chose the URL, and would have it asked for with secrets that are not theirs. Nor when they led
 * from https to http. From http to https, as sites do for their whole life, all is well.
 */
export function isOfItsHost({ url, host, hops }: Pick<Task, 'url' | 'host' | 'hops'>): boolean {
  if (hops.length === 0) return true
  const own = `${url.startsWith('https:') ? 'https:' : 'http:'}//${host}`
  const origins = hops.map(originOf)
  const first = origins.findIndex(origin => hostOf(origin) === hostOf(own))
  return (
    first === -1 ||
    origins.slice(first).every(origin => origin === own || (hostOf(origin) === hostOf(own) && own.startsWith('https:')))
  )
}
