import { newTask, type Task, taskId } from '../../src/core/task.ts'
import { urlKey } from '../../src/core/url.ts'

/** A task as a seed makes it, with whatever differs. */
export function taskOf(text: string, differing: Partial<Task> = {}): Task {
  const url = new URL(text)
  return newTask(taskId(urlKey(url), null), url, 'start', differing)
}

/** `count` tasks of one host. */
export const tasksOf = (host: string, count: number): Task[] =>
  Array.from({ length: count }, (_, index) => taskOf(`http://${host}/${index}`))
