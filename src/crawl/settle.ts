import type { Fate } from '../core/fate.ts'
import type { Task } from '../core/task.ts'
import type { House } from './house.ts'
import type { EndedIn, Yield } from './outlet.ts'

/**
 * The end of a visit. The links of a page, its lines and its fate are handed over in one synchronous step, so that
 * they are kept together or not at all; then it waits until they are.
 */
export async function settle(
  house: House,
  task: Task,
  wanted: Fate,
  stage: EndedIn = 'fetch',
  page: Yield | null = null,
): Promise<Fate> {
  const fate = house.frontier.settle(task, wanted)
  const kept = fate.kind === 'retry' || fate.kind === 'moved' ? null : house.outlet.take(task, fate, stage, page)
  house.events.emit('task.settled', () => ({ task, fate }))
  if (kept === null) return fate
  const settledMs = house.clock.nowMs()
  await kept
  house.events.emit('task.kept', () => ({ waitedMs: house.clock.nowMs() - settledMs }))
  return fate
}

/** A URL that is never asked for has an outcome like every other one, unless it is known already. */
export async function bury(
  { frontier, outlet, events }: Pick<House, 'frontier' | 'outlet' | 'events'>,
  task: Task,
  fate: Fate & { readonly kind: 'dead' | 'skipped' },
): Promise<void> {
  if (!frontier.bury(task, fate)) return
  const kept = outlet.take(task, fate, 'seed', null)
  events.emit('task.settled', () => ({ task, fate }))
  await kept
}
