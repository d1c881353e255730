import type { Fate } from '../core/fate.ts'
import type { Task } from '../core/task.ts'
import { type Admitted, admit, type Step } from './admit.ts'
import type { House } from './house.ts'
import { settle, visit } from './visit.ts'

export interface Stop {
  /** Admission ends; what is under way is finished. */
  readonly drain: AbortController
  /** What is under way is cut, and its tasks go back uncounted. */
  readonly cut: AbortController
}

/** Admits until nothing is pending, visits what was admitted, and throws what no page could be blamed for. */
export async function crawl(house: House, seeds: AsyncIterable<readonly Task[]>, stop: Stop): Promise<void> {
  const { frontier, wakeup } = house
  const visits = new Set<Promise<void>>()
  const failures: unknown[] = []
  let pagesDone = 0
  const signal = AbortSignal.any([stop.drain.signal, stop.cut.signal])

  /** The first failure that is nobody's page: the run ends here, and what is under way is cut. */
  function fail(thrown: unknown): void {
    failures.push(thrown)
    stop.cut.abort(thrown)
  }

  function start(task: Task, work: Promise<Fate | null>, isRobots: boolean): void {
    const visiting = work
      .then(fate => {
        if (fate?.kind === 'done') pagesDone += 1
      })
      .catch(thrown => {
        if (!stop.cut.signal.aborted) return fail(thrown)
        if (!isRobots) frontier.settle(task, { kind: 'retry', notBeforeMs: 0, charge: 'none' })
      })
      .finally(() => {
        visits.delete(visiting)
        wakeup.wake()
      })
    visits.add(visiting)
  }

  function startVisit(admitted: Admitted): void {
    const { task, permit } = admitted
    house.events.emit('task.admitted', () => ({ task, hostInFlight: permit.inFlight }))
    start(task, visit(house, admitted, stop.cut.signal), house.robots.isRobotsTask(task))
  }

  const feeding = feed(house, seeds, signal).catch(thrown => {
    if (!signal.aborted) fail(thrown)
  })
  while (!signal.aborted && pagesDone < house.maxPages) {
    const mayAdmit = pagesDone + visits.size < house.maxPages
    const step: Step = mayAdmit ? admit(house) : { kind: 'wait', untilMs: Number.POSITIVE_INFINITY }
    if (step.kind === 'done') break
    if (step.kind === 'admitted') startVisit(step)
    else if (step.kind === 'refused') start(step.task, settle(house, step.task, refusalOf(house, step.task)), false)
    else await wakeup.sleepUntil(step.untilMs, signal).catch(() => {})
  }
  // Seeds that still wait for standard input are of no use to a run that was stopped.
  if (!signal.aborted && pagesDone < house.maxPages) await feeding
  await Promise.all(visits)
  if (failures.length > 0) throw failures[0]
}

/** A file that was read says no; one that could not be read says no as well, and then the URL ends with that reason. */
function refusalOf({ robots }: House, task: Task): Fate {
  const fault = robots.faultOf(task)
  return fault === null ? { kind: 'skipped', reason: 'robots' } : { kind: 'dead', fault, status: null }
}

/** While seeds are still being read an empty queue is not the end. */
async function feed(house: House, seeds: AsyncIterable<readonly Task[]>, signal: AbortSignal): Promise<void> {
  using _hold = house.frontier.hold()
  try {
    for await (const batch of seeds) {
      if (signal.aborted) return
      house.frontier.add(batch)
      house.wakeup.wake()
    }
  } finally {
    house.wakeup.wake()
  }
}
