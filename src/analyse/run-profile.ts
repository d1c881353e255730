import { batchMs } from '../core/batch-bounds.ts'
import type { WaitCause } from '../core/waits.ts'

/**
 * What a run measured of itself, as far as verdict and predictions need it: sums over all pages, and the bounds they
 * met. Stages overlap, so sums may well exceed the time of the run.
 */
export interface RunProfile {
  readonly durationMs: number
  /** That came and were parsed. */
  readonly pages: number
  /** Worker threads; 0: the main thread parses. */
  readonly threads: number
  /** That the process may use, and how many of them others were using meanwhile, on average. */
  readonly cores: number
  readonly foreignCores: number
  /** CPU of the main thread, and of all threads with it. */
  readonly mainCpuMs: number
  readonly cpuMs: number
  /** For how long threads were busy with pages, cores that others took from them included. */
  readonly parseBusyMs: number
  /** For how long pages waited for a thread. */
  readonly parseQueueMs: number
  /** For how long requests were under way, those that brought no page among them. */
  readonly requestMs: number
  readonly inFlightBound: number
  /** Requests in flight over what the limits of their hosts allow: 1 is a host held full all the time. */
  readonly hostFullness: number
  /** Part of the requests that went to hosts whose limit would follow a higher bound: it is there, or was never cut. */
  readonly raisableShare: number
  /** Part of the requests that went to hosts whose limit is a constant: nobody tried what more they would bear. */
  readonly untriedShare: number
  /** Requests that may be under way through all proxies together; null: there are none. */
  readonly proxyPlaces: number | null
  /** Part of the run in which spacing or a rate, not a limit, held the busiest host back. */
  readonly pacedShare: number
  /** Pages that may be held from their request to their commit. */
  readonly pageSlots: number
  /** From a page's end until it was kept and its reader had it. */
  readonly commitMs: number
  /** Writes of the outputs: how many, and for how long one was under way. */
  readonly sinkWrites: number
  readonly sinkBusyMs: number
  /** What each page made them longer; null: they had too much alike to tell that from what each write costs anyway. */
  readonly sinkPageMs: number | null
  /** What those who stood first in the line of their host waited for, by cause. */
  readonly waitMs: Readonly<Record<WaitCause, number>>
  /** How many were in a stage on average, as they were seen to come and go: see `cross-check.ts`. */
  readonly counted: StageLevels
  /** How late the main thread was, but for one time of a hundred. */
  readonly loopDelayMs: number
}

export interface StageLevels {
  readonly inFlight: number
  readonly parseQueue: number
  readonly parsing: number
}

export interface Averages {
  readonly workersBusy: number
  readonly mainBusy: number
  readonly coresBusy: number
  /** Writes were under way; and as far as they are longer with more pages: what they cost anyway bounds nothing. */
  readonly sinkBusy: number
  readonly sinkFull: number
  readonly meanInFlight: number
  /** These over the requests that may be under way: over all, and through the proxies; null: there are none. */
  readonly inFlightFull: number
  readonly proxiesFull: number | null
  /** Pages waiting for a thread, being parsed, and waiting to be kept. */
  readonly queued: number
  readonly parsing: number
  readonly committing: number
  /** Requests under way and all of these over the pages that may be held. */
  readonly slotsFull: number
}

/**
 * How many pages were in each stage on average, by Little's law (L = λW; Little, 1961): pages a second times the time of
 * one in the stage, which is the sum of their times over the time of the run. It holds whatever the law of arrivals is.
 */
export function averagesOf(run: RunProfile): Averages {
  const spanMs = Math.max(1, run.durationMs)
  const meanInFlight = run.requestMs / spanMs
  const queued = run.parseQueueMs / spanMs
  const parsing = run.parseBusyMs / spanMs
  const committing = run.commitMs / spanMs
  return {
    workersBusy: run.threads === 0 ? 0 : parsing / run.threads,
    mainBusy: run.mainCpuMs / spanMs,
    coresBusy: Math.min(1, (run.cpuMs / spanMs + run.foreignCores) / Math.max(1, run.cores)),
    sinkBusy: run.sinkBusyMs / spanMs,
    sinkFull: (run.sinkPageMs === null ? run.sinkBusyMs : run.sinkPageMs * run.pages) / spanMs,
    meanInFlight,
    inFlightFull: meanInFlight / Math.max(1, run.inFlightBound),
    proxiesFull: run.proxyPlaces === null ? null : meanInFlight / Math.max(1, run.proxyPlaces),
    queued,
    parsing,
    committing,
    slotsFull: (meanInFlight + queued + parsing + committing) / Math.max(1, run.pageSlots),
  }
}

/** Of the cores, where others would take them all: a scheduler that is fair leaves as much to either side. */
const fairShare = 0.5

/** Those that others leave. */
export const coresLeft = (cores: number, foreignCores: number): number =>
  Math.max(cores - foreignCores, cores * fairShare)

/** A resource that is busy this much of the time is what binds, and has no more to give. */
export const saturated = 0.8

/** A gate binds that this part of all waiting was for. */
const mostWaits = 0.5

export const waitedMs = ({ waitMs }: RunProfile): number => Object.values(waitMs).reduce((sum, ms) => sum + ms, 0)

export const isMostlyWaitedFor = (run: RunProfile, cause: WaitCause): boolean =>
  run.waitMs[cause] > 0 && run.waitMs[cause] >= mostWaits * waitedMs(run)

/** How long one write of the outputs took. */
export const writeMsOf = ({ sinkWrites, sinkBusyMs }: RunProfile): number =>
  sinkWrites === 0 ? 0 : sinkBusyMs / sinkWrites

/** Most of the time between the end of a page and its being kept is neither a batch that fills nor a write. */
export const isReaderSlow = (run: RunProfile): boolean => run.commitMs > 2 * run.pages * (batchMs + 2 * writeMsOf(run))
