import { createDeque, type Deque, findIn, pushFirst, pushLast, takeFirst, takeLast } from '../core/deque.ts'
import type { Task } from '../core/task.ts'

/**
 * Tasks of one host: those of a higher priority first, equal ones in the order in which they came. A queue for each
 * priority that occurs, and hardly ever does more than one. A plain record, as a deque is, since there is one per host.
 */
export interface TaskQueue {
  /** Highest priority first; none is empty. */
  readonly levels: Level[]
  size: number
}

interface Level {
  readonly priority: number
  readonly tasks: Deque<Task>
}

export const createTaskQueue = (): TaskQueue => ({ levels: [], size: 0 })

/** The level of a priority, made where there is none. */
function levelOf({ levels }: TaskQueue, priority: number): Level {
  const at = levels.findIndex(level => level.priority <= priority)
  const found = at < 0 ? undefined : levels[at]
  if (found?.priority === priority) return found
  const level: Level = { priority, tasks: createDeque() }
  levels.splice(at < 0 ? levels.length : at, 0, level)
  return level
}

export function pushLastOf(queue: TaskQueue, task: Task): void {
  pushLast(levelOf(queue, task.priority).tasks, task)
  queue.size += 1
}

/** Before all of its priority. */
export function pushFirstOf(queue: TaskQueue, task: Task): void {
  pushFirst(levelOf(queue, task.priority).tasks, task)
  queue.size += 1
}

/** Null when empty. */
export function takeFirstOf(queue: TaskQueue): Task | null {
  const [level] = queue.levels
  if (level === undefined) return null
  const task = takeFirst(level.tasks) ?? null
  if (level.tasks.size === 0) queue.levels.shift()
  queue.size -= 1
  return task
}

/** Null when empty. */
export function takeLastOf(queue: TaskQueue): Task | null {
  const level = queue.levels.at(-1)
  if (level === undefined) return null
  const task = takeLast(level.tasks) ?? null
  if (level.tasks.size === 0) queue.levels.pop()
  queue.size -= 1
  return task
}

/** The first that passes; null when none does. */
export function findOf({ levels }: TaskQueue, passes: (task: Task) => boolean): Task | null {
  for (const { tasks } of levels) {
    const found = findIn(tasks, passes)
    if (found !== undefined) return found
  }
  return null
}

/** Of the task that would go last; Infinity when empty. */
export const lowestPriorityOf = ({ levels }: TaskQueue): number => levels.at(-1)?.priority ?? Number.POSITIVE_INFINITY
