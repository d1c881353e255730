import type { Clock } from '../core/clock.ts'
import { isStopped, type Outcome } from '../core/outcome.ts'
import type { Task } from '../core/task.ts'
import type { ClosableFetcher, Recall } from '../fetch/fetcher.ts'
import type { Attempt } from '../warc/attempt.ts'
import type { Recorder } from './recorder.ts'

const noBody = new Uint8Array(0)

function attemptOf(task: Task, outcome: Outcome, at: string, tookMs: number): Attempt {
  const { url, askedUrl, page, depth, session, meta } = task
  const about = { url, at, tookMs, task: { askedUrl, page, depth, session, meta } }
  if (outcome.kind !== 'page') return { ...about, ended: outcome }
  const { status, headers, timing } = outcome.page
  return { ...about, ended: { kind: 'page', status, headers, timing } }
}

/**
 * A fetcher whose attempts are recorded as they end, answers from before among them. A page is copied, since its body goes
 * on to a worker, and is dated by its record: its items are the same then whenever they are made from it.
 */
export function createRecordingFetcher(fetcher: ClosableFetcher, recorder: Recorder, clock: Clock): ClosableFetcher {
  async function recorded(task: Task, outcome: Outcome, startMs: number): Promise<Outcome> {
    if (isStopped(outcome)) return outcome
    const tookMs = clock.nowMs() - startMs
    if (outcome.kind !== 'page') {
      await recorder.keep(attemptOf(task, outcome, clock.wallIso(), tookMs), noBody.slice())
      return outcome
    }
    const { page } = outcome
    const cameAt = page.cameAt ?? clock.wallIso()
    await recorder.keep(attemptOf(task, outcome, cameAt, tookMs), page.body.slice())
    return { kind: 'page', page: { ...page, cameAt } }
  }

  const withRecords = (recall: Recall): Recall => ({
    has: recall.has,
    forget: recall.forget,
    counts: recall.counts,
    async take(task, grow) {
      const startMs = clock.nowMs()
      const outcome = await recall.take(task, grow)
      return outcome === null ? null : await recorded(task, outcome, startMs)
    },
  })

  return {
    async fetch(request, signal) {
      const startMs = clock.nowMs()
      return await recorded(request.task, await fetcher.fetch(request, signal), startMs)
    },
    ...(fetcher.recall !== undefined && { recall: withRecords(fetcher.recall) }),
    [Symbol.asyncDispose]: () => fetcher[Symbol.asyncDispose](),
  }
}
