import type { Verdict } from '../../src/core/outcome.ts'
import { createFifo } from './fifo.ts'
import { createSeries, type Series } from './series.ts'

export type ServiceLaw = 'exponential' | 'fixed' | 'lognormal'

/** Factors of the mean. */
const laws: Readonly<Record<ServiceLaw, (random: () => number) => number>> = {
  exponential: random => -Math.log(1 - random()),
  fixed: () => 1,
  // Sigma 1, by Box and Muller, scaled to a mean of 1.
  lognormal: random => Math.exp(Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()) - 0.5),
}

/** What a server is made of; all of it may be changed while it runs. */
export interface ServerTraits {
  workers: number
  /** Requests that may wait for a worker; more are refused. */
  queue: number
  meanMs: number
  law: ServiceLaw
  /** There and back, spent on the way back. */
  networkMs: number
  /** Every request is refused. */
  isRefusing: boolean
  /** With each refusal. */
  retryAfterMs: number | null
  /** Share of the requests that get a 500 after 2 ms and cost no worker anything. */
  errorRatio: number
  /** Share of the requests that are never answered. */
  hangRatio: number
  /** Share of the requests that are refused, whatever the queue. */
  refusedRatio: number
  /** Share of the answers that the client cuts: they tell it nothing. */
  cutRatio: number
}

/** What a server needs to know of a request. */
export interface Job {
  servedFromMs: number
}

/** Where the events go that a server causes. */
export interface ServerPort<J extends Job> {
  nowMs(): number
  /** Call `served` with the job after that time. */
  work(job: J, durationMs: number): void
  answer(job: J, verdict: Verdict, afterMs: number, retryAfterMs: number | null): void
}

export interface ModelServer<J extends Job> extends ServerTraits {
  readonly busyMs: Series
  arrive(job: J): void
  served(job: J): void
}

const defaults: ServerTraits = {
  workers: 16,
  queue: 16,
  meanMs: 100,
  law: 'exponential',
  networkMs: 10,
  isRefusing: false,
  retryAfterMs: null,
  errorRatio: 0,
  hangRatio: 0,
  refusedRatio: 0,
  cutRatio: 0,
}
const errorMs = 2

/** Some workers, a queue in front of them, and faults. */
export function createModelServer<J extends Job>(
  traits: Partial<ServerTraits>,
  port: ServerPort<J>,
  seconds: number,
  random: () => number,
): ModelServer<J> {
  const waiting = createFifo<J>()
  let busy = 0

  function start(job: J): void {
    busy += 1
    job.servedFromMs = port.nowMs()
    port.work(job, server.meanMs * laws[server.law](random))
  }

  const server: ModelServer<J> = {
    ...defaults,
    ...traits,
    busyMs: createSeries(seconds),
    arrive(job) {
      const isRefusing = server.isRefusing || (server.refusedRatio > 0 && random() < server.refusedRatio)
      if (server.hangRatio > 0 && random() < server.hangRatio) return
      if (server.errorRatio > 0 && random() < server.errorRatio) port.answer(job, 'error', errorMs, null)
      else if (!isRefusing && busy < server.workers) start(job)
      else if (!isRefusing && waiting.length < server.queue) waiting.push(job)
      else port.answer(job, 'refused', server.networkMs, server.retryAfterMs)
    },
    served(job) {
      busy -= 1
      server.busyMs.spread(job.servedFromMs, port.nowMs(), 1)
      for (let next = waiting.first; next !== null && busy < server.workers; next = waiting.first) {
        waiting.drop()
        start(next)
      }
      const isCut = server.cutRatio > 0 && random() < server.cutRatio
      port.answer(job, isCut ? 'ignored' : 'good', server.networkMs, null)
    },
  }
  return server
}
