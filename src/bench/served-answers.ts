import type { Env } from '../core/clock.ts'
import { hostKey } from '../core/url.ts'
import { createFetcher } from '../fetch/create-fetcher.ts'
import type { Job } from '../job/job.ts'
import type { Recording } from '../replay/recording.ts'
import type { ReplayOptions } from '../replay/replay-fetcher.ts'
import { answerPath } from './answer-server.ts'
import { startBenchProcess } from './bench-process.ts'
import type { Seen } from './request-gauge.ts'

export interface ServedAnswers extends AsyncDisposable {
  readonly ask: NonNullable<ReplayOptions['ask']>
  /** Since it was last asked. */
  seen(): Promise<Seen>
}

/**
 * The answers of a recording over sockets, from a process of its own: written, sent, read and taken in as in any run. What
 * is not there is what lies before a connection stands: names, handshakes and, since all hosts are at one address, more
 * connections than are in use at once.
 */
export async function serveAnswers(job: Job, recording: Pick<Recording, 'answers'>, env: Env): Promise<ServedAnswers> {
  await using opening = new AsyncDisposableStack()
  const beside = opening.use(startBenchProcess())
  const origin = await beside.ask<string>({ ask: 'replay', answers: recording.answers })
  const host = hostKey(new URL(origin))
  const { timeouts, userAgent, headers, limits } = job
  const fetcher = opening.use(
    createFetcher({
      ...{ env, timeouts, userAgent, headers, bodyBytes: limits.bodyBytes },
      connections: limits.inFlight,
      idleConnections: limits.inFlight,
    }),
  )
  const opened = opening.move()
  return {
    async ask(attempt, delays, request, signal) {
      const url = origin + answerPath(attempt, delays)
      // The server is on this machine, which no page of the web may lead to.
      const task = { ...request.task, url, host, hops: [], reach: 'any' as const }
      // Its answer is taken from the recording by now: it waits for its turn, and is not withdrawn.
      const depart = async (): Promise<boolean> => {
        await request.depart?.()
        return true
      }
      return await fetcher.fetch({ ...request, task, route: null, depart }, signal)
    },
    seen: () => beside.ask<Seen>({ ask: 'seen' }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
