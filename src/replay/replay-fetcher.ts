import type { Clock } from '../core/clock.ts'
import { faultOf } from '../core/errors.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Page, Timing } from '../core/page.ts'
import { robotsPage, type Task } from '../core/task.ts'
import type { ClosableFetcher, FetchRequest } from '../fetch/fetcher.ts'
import { headersOfAttempt } from '../warc/attempt.ts'
import { namedFields } from '../warc/read.ts'
import type { Answers } from './answers.ts'
import type { Delays } from './latency.ts'
import type { PageAttempt, RecordedAttempt, Recording } from './recording.ts'

export interface ReplayOptions {
  readonly clock: Clock
  readonly recording: Pick<Recording, 'read'>
  readonly answers: Answers
  readonly delaysOf: (attempt: RecordedAttempt) => Delays
  readonly onPage?: OnPage
  /** Gets a page and its times where it is served by somebody else; left out: it is read from the disk and waited for here. */
  readonly ask?: (attempt: PageAttempt, delays: Delays, request: FetchRequest, signal: AbortSignal) => Promise<Outcome>
}

/** Of the page that is given, by whoever keeps count of them. */
export type OnPage = (page: Page, attempt: PageAttempt) => void

export interface ReplayFetcher extends ClosableFetcher {
  /** Requests for which the recording had nothing. */
  readonly missing: number
}

/** The host did not have it when it was recorded, for all that is known. */
const unknown = (timing: Timing): Outcome => ({ kind: 'gone', status: 404, timing })

const stopped = (task: Task): Outcome => ({
  kind: 'failed',
  fault: faultOf('ABORTED', `${task.url}: stopped while under way`),
  status: null,
  timing: null,
  retryAfterMs: null,
})

const timingOf = ({ connectMs, firstByteMs, bodyMs }: Delays): Timing => ({
  connectMs,
  firstByteMs,
  totalMs: connectMs + firstByteMs + bodyMs,
})

function splitAnswer(
  bytes: Uint8Array<ArrayBuffer>,
  { headBytes }: PageAttempt,
): Pick<Page, 'status' | 'headers' | 'body'> {
  const [first = '', ...lines] = Buffer.from(bytes.buffer, 0, headBytes).toString('latin1').trimEnd().split('\r\n')
  return {
    status: Number(first.split(' ')[1]),
    headers: namedFields(lines),
    // Memory of its own: it is moved to a worker.
    body: bytes.slice(headBytes),
  }
}

/** A fetcher that asks nobody: what it is asked for is answered by a recording, dated as it was. */
export function createReplayFetcher(options: ReplayOptions): ReplayFetcher {
  const { clock, recording, answers, delaysOf } = options
  let missing = 0

  /** False: it was stopped meanwhile. */
  async function wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (ms <= 0) return !signal.aborted
    return clock.sleep(ms, signal).then(
      () => true,
      () => false,
    )
  }

  async function readHere(attempt: PageAttempt, delays: Delays, request: FetchRequest): Promise<Outcome> {
    const { task, grow } = request
    grow(attempt.bodyBytes)
    const answer = splitAnswer(await recording.read(attempt), attempt)
    return { kind: 'page', page: { task, ...answer, timing: timingOf(delays), reach: task.reach } }
  }

  function asRecorded(outcome: Outcome, attempt: PageAttempt, task: Task, connectMs: number): Outcome {
    if (outcome.kind !== 'page') return outcome
    const { at } = attempt
    const timing = { ...outcome.page.timing, connectMs }
    const headers = headersOfAttempt(outcome.page.headers)
    const page = { ...outcome.page, task, headers, timing, reach: task.reach, ...(at !== '' && { cameAt: at }) }
    options.onPage?.(page, attempt)
    return { kind: 'page', page }
  }

  return {
    async fetch(request, signal) {
      const { task, sent } = request
      const attempt = answers(task)
      if (attempt === null) {
        // A host without a robots file is nothing that is missing.
        if (task.page !== robotsPage) missing += 1
        return unknown({ connectMs: 0, firstByteMs: 0, totalMs: 0 })
      }
      const delays = delaysOf(attempt)
      const { connectMs, firstByteMs, bodyMs } = delays
      if (!(await wait(connectMs, signal))) return stopped(task)
      if (attempt.kind === 'page' && options.ask !== undefined)
        return asRecorded(await options.ask(attempt, delays, request, signal), attempt, task, connectMs)
      sent?.()
      if (!(await wait(firstByteMs + bodyMs, signal))) return stopped(task)
      if (attempt.kind === 'barren') return attempt.outcome
      return asRecorded(await readHere(attempt, delays, request), attempt, task, connectMs)
    },
    get missing() {
      return missing
    },
    // The recording is its owner's.
    async [Symbol.asyncDispose]() {},
  }
}
