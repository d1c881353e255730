import type { Task } from '../core/task.ts'

/** What sites asked to be told again. Nothing leaves the process, and nothing outlives it. */
export interface Cookies {
  /** The value of a Cookie header; null: none to send. */
  headerFor(task: Task): string | null
  /** Set-Cookie headers of an answer to the task, each whole. */
  keep(task: Task, setCookies: readonly string[]): void
  /** Cookies that are held. */
  readonly size: number
}
