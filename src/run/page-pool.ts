import { realClock } from '../core/clock.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Job } from '../job/job.ts'
import { createInlineParser } from '../parse/inline.ts'
import type { ParseMarks } from '../parse/parse-marks.ts'
import type { Parser } from '../parse/parser.ts'
import { createParsePool } from '../parse/pool.ts'
import { stageRulesOf } from './stage-rules.ts'

/**
 * Room for the tree of a page of tens of megabytes, and for what earlier pages left to be collected; a page that needs
 * more is not worth a worker's life.
 */
const memoryMegabytes = 768

/** The page budget bounds the queue, in bytes; a page that still waits after this long waits for threads that hang. */
const queueMs = 600_000

/** The parse stage of a job in this many threads, or in the calling one where that is none. */
export function createPagePool(
  job: Job,
  threads: number,
  onRestart: (code: ErrorCode) => void = () => {},
  marks?: ParseMarks,
): Parser {
  const rules = stageRulesOf(job)
  if (threads === 0) return createInlineParser(rules)
  return createParsePool({
    rules,
    clock: realClock,
    threads,
    parseMs: job.timeouts.parseMs,
    queueMs,
    memoryMegabytes,
    onRestart,
    ...(marks !== undefined && { marks }),
  })
}
