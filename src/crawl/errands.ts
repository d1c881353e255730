import type { Task } from '../core/task.ts'
import { createTimeHeap } from '../core/time-heap.ts'
import type { HostKey } from '../core/url.ts'

/**
 * Robots files that must be asked for again: after a redirect, or later because the host was in trouble. They are no
 * URLs of the job, so the frontier has none of them; they go ahead of its tasks, through the same gates.
 */
export interface Errands {
  add(task: Task): void
  /** An errand that is due and whose host is open. */
  take(nowMs: number, readyAtMs: (host: HostKey) => number): Task | null
  /** When one falls due; Infinity: none will before a `wake`. */
  readonly nextAtMs: number
  /** A grant of the host came back. */
  wake(host: HostKey): void
}

export function createErrands(): Errands {
  const due = createTimeHeap<Task>()
  /** Waiting for a grant of their host. */
  const blocked = new Map<HostKey, Task[]>()
  return {
    add(task) {
      due.push(task.notBeforeMs, task)
    },
    take(nowMs, readyAtMs) {
      while (due.firstAtMs <= nowMs) {
        const task = due.pop()
        if (task === undefined) break
        const openAtMs = readyAtMs(task.host)
        if (openAtMs <= nowMs) return task
        if (openAtMs < Number.POSITIVE_INFINITY) due.push(openAtMs, task)
        else blocked.set(task.host, [...(blocked.get(task.host) ?? []), task])
      }
      return null
    },
    get nextAtMs() {
      return due.firstAtMs
    },
    wake(host) {
      for (const task of blocked.get(host) ?? []) due.push(task.notBeforeMs, task)
      blocked.delete(host)
    },
  }
}
