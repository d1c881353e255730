import { type Fault, faultOf } from '../core/errors.ts'
import { newTask, startPage, type Task, taskId } from '../core/task.ts'
import { sendableUrl } from '../core/url.ts'
import type { SeedLine } from '../job/seeds.ts'
import type { Routes } from '../scope/routes.ts'

/** A seed as the spine takes it. */
export interface SeedTask {
  readonly task: Task
  /** Why it is none; null for one that can be fetched. */
  readonly fault: Fault | null
}

/** A line that is no seed needs no place to be sent to: it ends before that. */
function badSeed(text: string, fault: Fault): SeedTask {
  const task = newTask(`no seed: ${text}`, new URL('about:blank'), startPage, { url: text, askedUrl: text })
  return { task, fault }
}

function taskOf(line: SeedLine, routes: SeedRoutes): SeedTask {
  if (line.kind === 'bad') return badSeed(line.text, line.fault)
  const { seed } = line
  const url = sendableUrl(seed.url)
  if (url === null) return badSeed(seed.url, faultOf('CONFIG_INVALID', `${seed.url} is not a URL that can be fetched`))
  const { session, geo, meta } = seed
  const page = seed.page ?? routes.pageOf(url) ?? startPage
  // What stands beside a URL is said of it alone, and goes before what is said of all that are like it.
  const priority = seed.priority === 0 ? routes.priorityOf(page) : seed.priority
  const more = { askedUrl: seed.url, session, geo, meta, priority }
  const task = newTask(taskId(routes.keyOf(url), session), url, page, more)
  return { task, fault: null }
}

type SeedRoutes = Pick<Routes, 'pageOf' | 'priorityOf' | 'keyOf'>

/** The first tasks of a run, as they are read. */
export async function* seedTasks(lines: AsyncIterable<SeedLine>, routes: SeedRoutes): AsyncGenerator<SeedTask> {
  for await (const line of lines) yield taskOf(line, routes)
}
