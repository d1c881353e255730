import { type ErrorCode, errorTraits, type Fault } from '../core/errors.ts'
import type { Task } from '../core/task.ts'
import { textWithoutCredentials } from '../core/url.ts'

/** A URL that ended without a page, as a line of `dead.jsonl`. */
export interface DeadLetter {
  /** As it was asked for. */
  readonly url: string
  readonly code: ErrorCode
  readonly blame: string
  /** How far it came: `seed` is a line that is no URL, or none that can be asked for. */
  readonly stage: 'seed' | 'fetch' | 'parse'
  readonly message: string
  readonly status?: number
  readonly attempts: number
  readonly proxyAttempts: number
  readonly waits: number
  /** ISO wall time. */
  readonly at: string
  /** The command that reads the page again: it killed its thread twice, and was set aside. */
  readonly replay?: string
}

/**
 * `attempts` counts the one that has just ended; a seed that is none was never asked for. Threads that died with its page
 * count where that is why it ended: of any other end they may be no fault of it.
 */
export function deadLetterOf(
  task: Task,
  fault: Fault,
  status: number | null,
  stage: DeadLetter['stage'],
  at: string,
  replay: string | null = null,
): DeadLetter {
  const deaths = fault.code === 'PARSE_CRASHED' ? (task.threadDeaths ?? 0) : 0
  return {
    url: task.askedUrl,
    code: fault.code,
    blame: errorTraits[fault.code].blame,
    stage,
    message: textWithoutCredentials(fault.message),
    ...(status === null ? {} : { status }),
    attempts: stage === 'seed' ? 0 : task.attempts.url + deaths + 1,
    proxyAttempts: task.attempts.proxy,
    waits: task.attempts.waits,
    at,
    ...(replay === null ? {} : { replay }),
  }
}
