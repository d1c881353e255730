import type { Clock } from '../core/clock.ts'
import type { Job } from '../job/job.ts'
import { type EndingsGatherer, gatherEndings } from '../observe/endings.ts'
import { type LoopDelay, watchLoopDelay } from '../observe/loop-delay.ts'
import { gatherPageTally, type PageTally } from '../observe/page-tally.ts'
import { gatherPathNotes, type PathNotes } from '../observe/path-notes.ts'
import { gatherRunStats, type RunStats } from '../observe/run-stats.ts'
import { gatherTimeline, type TimelineGatherer } from '../observe/timeline.ts'
import { countedFields } from '../stage/filled.ts'

/** All that is gathered of one run for its report. What was gathered can be read after it was disposed, too. */
export interface Observers extends Disposable {
  readonly stats: RunStats
  readonly notes: PathNotes
  readonly pageTally: PageTally
  readonly timeline: TimelineGatherer
  readonly endings: EndingsGatherer
  readonly loopDelay: LoopDelay
}

/** @param run whose events: nothing that was told before this call is heard */
export function observeRun(run: string, { nowMs }: Clock, { pages }: Pick<Job, 'pages'>): Observers {
  using gathering = new DisposableStack()
  const stats = gathering.use(gatherRunStats(run))
  const observers = {
    stats,
    notes: gathering.use(gatherPathNotes(run)),
    pageTally: gathering.use(gatherPageTally(run, new Map(pages.map(rule => [rule.name, countedFields(rule)])))),
    timeline: gathering.use(gatherTimeline(run, nowMs)),
    endings: gathering.use(gatherEndings(run, nowMs, stats.sums)),
    loopDelay: gathering.use(watchLoopDelay()),
  }
  const gathered = gathering.move()
  return { ...observers, [Symbol.dispose]: () => gathered.dispose() }
}
