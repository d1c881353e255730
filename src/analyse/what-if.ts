import { batchMs, batchPages } from '../core/batch-bounds.ts'
import { type Pipeline, throughputOf } from './pipeline.ts'
import {
  averagesOf,
  coresLeft,
  isMostlyWaitedFor,
  isReaderSlow,
  type RunProfile,
  saturated,
  waitedMs,
  writeMsOf,
} from './run-profile.ts'

/** What a change would bring, by the model of `pipeline.ts`. */
export interface WhatIf {
  readonly change: string
  readonly pagesPerSecond: number
  /** Over what the run did: 0.4 is 40 % more. */
  readonly gain: number
  /** It is the most that the change may bring: hosts would be asked for more than anybody tried them with. */
  readonly isAtMost: boolean
}

/** What may be changed; what is left out stays. */
export interface Change {
  readonly threads?: number
  /** Times `limits.inFlight` and the limits of hosts. */
  readonly concurrency?: number
  /** Times the proxies. */
  readonly proxies?: number
  /** Times `limits.pageBudgetBytes`. */
  readonly pageBudget?: number
  /** Times what a page costs to parse. */
  readonly parseCost?: number
}

interface Sink {
  readonly sinkMs: number
  readonly commitMs: number
}

/**
 * A line of pages at the end of everything, where no write takes long, is a reader who cannot keep up: so many came out
 * of it as he can take. An output costs each page what it makes writes longer. Where nobody can tell that, one that
 * writes all the time costs each page its part, and others would put more pages into each write before they cost more of
 * them: batches grow with what waits for them.
 */
function sinkOf(run: RunProfile): Sink {
  const commitMs = run.commitMs / run.pages
  if (isReaderSlow(run)) return { commitMs: batchMs, sinkMs: run.durationMs / run.pages }
  const isFull = averagesOf(run).sinkFull >= saturated
  const guessedMs = isFull ? run.sinkBusyMs / run.pages : writeMsOf(run) / batchPages
  return { commitMs: isFull ? batchMs : commitMs, sinkMs: run.sinkPageMs ?? guessedMs }
}

/** Requests that hosts and proxies would take at a time, beside the bound over all of them. */
function placesOf(run: RunProfile, { concurrency = 1, proxies = 1 }: Change): number {
  const { meanInFlight } = averagesOf(run)
  const byHosts = run.hostFullness > 0 ? meanInFlight / Math.min(1, run.hostFullness) : Number.POSITIVE_INFINITY
  // A limit that refusals cut is the end of the host, and stays where it is whatever the job allows.
  const atHosts = 1 + (concurrency - 1) * run.raisableShare
  const byProxies = run.proxyPlaces === null ? Number.POSITIVE_INFINITY : run.proxyPlaces * proxies
  return Math.min(run.inFlightBound * concurrency, byHosts * atHosts, byProxies)
}

/**
 * Pages that may be held. Memory is shared between hosts: where it was what was waited for, what was held on average is
 * what it has room for, though some of it was left free for others.
 */
const slotsOf = (run: RunProfile): number =>
  isMostlyWaitedFor(run, 'pageBudget') ? run.pageSlots * Math.min(1, averagesOf(run).slotsFull) : run.pageSlots

function pipelineOf(run: RunProfile, change: Change): Pipeline {
  const { threads = run.threads, parseCost = 1, pageBudget = 1 } = change
  const { pages } = run
  const ownMs = run.threads === 0 ? run.parseBusyMs : Math.min(run.parseBusyMs, Math.max(0, run.cpuMs - run.mainCpuMs))
  // Where parsing is main-thread work its cost is in that of the main thread already.
  const mainMs = Math.max(0, run.mainCpuMs - (run.threads === 0 ? run.parseBusyMs : 0)) / pages
  const parseMs = (ownMs / pages) * parseCost
  return {
    slots: slotsOf(run) * pageBudget,
    places: placesOf(run, change),
    requestMs: run.requestMs / pages,
    threads,
    parseMs,
    mainMs,
    ...sinkOf(run),
    cores: coresLeft(run.cores, run.foreignCores),
    cpuMs: run.cpuMs / pages - (ownMs / pages) * (1 - parseCost),
    pacedMs: (run.pacedShare * run.durationMs) / pages,
  }
}

/**
 * Part of the run in which there was a URL that waited for something the model has. In the rest there was none, or its host
 * had asked to be left alone, and no change of the settings makes that shorter: links that are found one by one, seeds
 * that come slowly, the last pages of a run. (By Little's law the sum of waits over the time of the run is how many waited
 * on average, all hosts taken together: so it is the most that this part may be, and with one host it is the part itself.)
 */
function heldBackShare(run: RunProfile): number {
  const allMs = waitedMs(run)
  if (allMs === 0) return 0
  const { pause, robots } = run.waitMs
  return Math.min(1, allMs / Math.max(1, run.durationMs)) * (1 - (pause + robots) / allMs)
}

/**
 * Pages a second after a change: what was measured, times what the model says that the change is worth. So what the model
 * leaves out (the beginning and the end, retries, robots files) drops out as far as the change does not touch it.
 *
 * A change for the better is worth that only while URLs wait: by Amdahl's law (1967) the time of the run is then the part
 * that was held back, over the gain, and the rest as it was. One for the worse costs nothing until it binds.
 */
export function predict(run: RunProfile, change: Change): number {
  if (run.pages === 0) return 0
  const measured = (run.pages * 1_000) / Math.max(1, run.durationMs)
  const now = throughputOf(pipelineOf(run, {}))
  const after = throughputOf(pipelineOf(run, change))
  const share = heldBackShare(run)
  const predicted = measured / (1 - share + share * (now / after))
  return after < now ? Math.min(predicted, after) : predicted
}

/** What a change would bring over what the run did: 0.4 is 40 % more. Not of a run without a page. */
export const gainOf = (run: RunProfile, change: Change): number => predict(run, change) / predict(run, {}) - 1

/**
 * A prediction that hosts would have to come up to. Where their limits are found out by trying, they are what the hosts
 * bear; where they are a constant the model takes a host to answer as fast whoever asks, and a host at its end would
 * answer later.
 */
export const isAtMost = ({ untriedShare }: RunProfile, { concurrency = 1, proxies = 1 }: Change): boolean =>
  untriedShare > 0 && Math.max(concurrency, proxies) > 1

const round = (value: number): number => Math.round(value * 100) / 100

/** The changes that are a matter of a setting. */
function changesOf({ threads, proxyPlaces }: RunProfile): readonly (readonly [string, Change])[] {
  return [
    [`threads: ${threads + 1}`, { threads: threads + 1 }],
    ...(threads > 1 ? [[`threads: ${threads - 1}`, { threads: threads - 1 }] as const] : []),
    ['concurrency: twice limits.inFlight and limits.perHost', { concurrency: 2 }],
    ...(proxyPlaces === null ? [] : [['proxies: twice as many', { proxies: 2 }] as const]),
    ['engine: parsing at half the cost', { parseCost: 0.5 }],
  ]
}

export function whatIfOf(run: RunProfile): readonly WhatIf[] {
  if (run.pages === 0) return []
  return changesOf(run).map(([change, changed]) => {
    const gain = round(gainOf(run, changed))
    const pagesPerSecond = round(predict(run, changed))
    return { change, pagesPerSecond, gain, isAtMost: gain > 0 && isAtMost(run, changed) }
  })
}
