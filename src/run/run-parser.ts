import type { Events } from '../core/events.ts'
import type { Job } from '../job/job.ts'
import { openParseMarks } from '../parse/parse-marks.ts'
import type { Parser } from '../parse/parser.ts'
import { availableThreads } from './cores.ts'
import type { OutFolder } from './out-folder.ts'
import { createPagePool } from './page-pool.ts'

export interface RunParserOptions {
  readonly events: Events
  readonly folder: OutFolder | null
  /** Instead of one of the job's own. Closed by its owner. */
  readonly parser?: Parser
  readonly threads?: number
}

export interface RunParser extends AsyncDisposable {
  readonly parser: Parser
}

/** How many threads parse; 0: the calling one does. */
export const parseThreadsOf = ({ parser, threads }: Pick<RunParserOptions, 'parser' | 'threads'>): number =>
  parser?.stats.threads ?? threads ?? availableThreads()

/**
 * The parse stage of one run, with its user modules loaded. Pages are marked where threads of our own read them and
 * there is a folder that the run can go on in: nowhere else would a page that ends the process be met again.
 * @throws CONFIG_INVALID a module cannot be loaded
 */
export async function openRunParser(job: Job, { events, folder, ...given }: RunParserOptions): Promise<RunParser> {
  await using opening = new AsyncDisposableStack()
  const threads = parseThreadsOf(given)
  const parser = given.parser ?? opening.use(ownParser())
  await parser.ready()
  const opened = opening.move()
  return { parser, [Symbol.asyncDispose]: () => opened.disposeAsync() }

  function ownParser(): Parser {
    const marks = folder !== null && threads > 0 ? opening.use(openParseMarks(folder.parsing, threads)) : undefined
    return createPagePool(job, threads, code => events.emit('parse.restarted', () => ({ code })), marks)
  }
}
