import { type Fault, faultOf } from '../core/errors.ts'
import { newTask, startPage, type Task, taskId } from '../core/task.ts'
import { sendableUrl, urlKey } from '../core/url.ts'
import type { SeedLine } from '../job/seeds.ts'

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

function taskOf(line: SeedLine, pageOf: (url: URL) => string): SeedTask {
  if (line.kind === 'bad') return badSeed(line.text, line.fault)
  const { seed } = line
  const url = sendableUrl(seed.url)
  if (url === null) return badSeed(seed.url, faultOf('CONFIG_INVALID', `${seed.url} is not a URL that can be fetched`))
  const { session, geo, meta, priority } = seed
  const more = { askedUrl: seed.url, session, geo, meta, priority }
  const task = newTask(taskId(urlKey(url), session), url, seed.page ?? pageOf(url), more)
  return { task, fault: null }
}

/** The first tasks of a run, as they are read. `pageOf` names the page rule of a seed that names none. */
export async function* seedTasks(
  lines: AsyncIterable<SeedLine>,
  pageOf: (url: URL) => string,
): AsyncGenerator<SeedTask> {
  for await (const line of lines) yield taskOf(line, pageOf)
}
