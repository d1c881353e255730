import { Writable } from 'node:stream'
import { compose } from '../compose.ts'
import { onAbort } from '../core/abort.ts'
import type { Env } from '../core/clock.ts'
import { listen } from '../core/events.ts'
import type { Job } from '../job/job.ts'
import type { Report } from '../observe/report.ts'
import type { Parser } from '../parse/parser.ts'
import type { ReplayFetcher } from '../replay/replay-fetcher.ts'
import { createResultChannel } from '../run/results.ts'
import type { OrderedItems } from './ordered-items.ts'
import type { ReplayTasks } from './replay-tasks.ts'

export interface ReplayRunOptions {
  readonly env: Env
  readonly tasks: ReplayTasks
  readonly fetcher: ReplayFetcher
  readonly parser: Parser
  readonly items: OrderedItems
  readonly signal: AbortSignal
}

let runs = 0

/** Item lines come from the parser, in their order; what the run writes of them is nobody's. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _coding, done) => done() })

/** These tasks, and no others, through all that a run has. */
export async function runTasks(job: Job, options: ReplayRunOptions): Promise<Report> {
  const { env, tasks, fetcher, parser, items, signal } = options
  runs += 1
  const id = `replay-${runs}`
  const stop = { drain: new AbortController(), cut: new AbortController() }
  using _stopping = onAbort(signal, () => {
    stop.drain.abort(signal.reason)
    stop.cut.abort(signal.reason)
  })
  // Lines of a page wait for the end of its task, which says whether they count.
  using _ends = listen(id, {
    'task.settled'({ task, fate }) {
      const nth = tasks.placeOf(task)
      if (nth !== null && fate.kind !== 'retry' && fate.kind !== 'moved') items.ended(nth, fate.kind === 'done')
    },
  })
  const results = createResultChannel(1)
  results.discard()
  async function* seeds() {
    for (const { task } of tasks.all) yield { task, fault: null }
  }
  const composed = await compose(job, { id, env, results, fetcher, parser, seeds, items: nowhere() })
  return await composed.run(stop)
}
