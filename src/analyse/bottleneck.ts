import type { WaitCause } from '../core/waits.ts'
import { type Discrepancy, discrepanciesOf, isConsistent, isWithinBounds } from './cross-check.ts'
import {
  type Averages,
  averagesOf,
  isMostlyWaitedFor,
  isReaderSlow,
  type RunProfile,
  saturated,
  waitedMs,
} from './run-profile.ts'
import { waitedForWords } from './wait-words.ts'
import { type Change, gainOf, isAtMost } from './what-if.ts'

export interface Bottleneck {
  readonly kind:
    | 'parse'
    | 'main-thread'
    | 'sink'
    | 'page-budget'
    | 'proxy'
    | 'in-flight'
    | 'host-limit'
    | 'pace'
    | 'network'
  readonly sentence: string
  readonly evidence: Averages & {
    readonly hostFullness: number
    readonly pacedShare: number
    /** What those who stood first in the line of their host waited for, as parts of all that waiting. */
    readonly waitedFor: Readonly<Partial<Record<WaitCause, number>>>
    /** Beside `meanInFlight`, `queued` and `parsing`, which are reckoned: the same as it was counted. */
    readonly countedInFlight: number
    readonly countedQueued: number
    readonly countedParsing: number
    /** These are the same, and no stage held more on average than it can. */
    readonly isConsistent: boolean
  }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
const round = (value: number): number => Math.round(value * 1000) / 1000

const ordinals = ['no', 'one', 'a second', 'a third', 'a fourth', 'a fifth', 'a sixth', 'a seventh', 'an eighth']

/** What a shorter run shows is its start and its end. */
const tellingMs = 1_000

/** Less is within what a prediction may err by. */
const leastGain = 0.05

/** What a change would bring, as the end of a sentence. */
function prospect(run: RunProfile, what: string, change: Change): string {
  const gain = gainOf(run, change)
  if (gain < leastGain) return `; ${what} would give nothing by itself`
  return `; ${what} would give ${isAtMost(run, change) ? 'at most' : 'about'} +${Math.round(gain * 100)} %`
}

function waitedForOf(run: RunProfile): Partial<Record<WaitCause, number>> {
  const causes = Object.entries(run.waitMs) as [WaitCause, number][]
  const totalMs = waitedMs(run)
  const shares = causes.filter(([, ms]) => ms > 0).map(([cause, ms]) => [cause, round(ms / totalMs)] as const)
  return Object.fromEntries(shares.sort(([, left], [, right]) => right - left))
}

/** Which of the things a run can wait for it waited for most, in one sentence with its evidence. */
export function bottleneckOf(run: RunProfile): Bottleneck {
  const averages = averagesOf(run)
  const rounded = Object.entries(averages).map(([name, value]) => [name, value === null ? null : round(value)])
  const evidence = {
    ...(Object.fromEntries(rounded) as Averages),
    hostFullness: round(run.hostFullness),
    pacedShare: round(run.pacedShare),
    waitedFor: waitedForOf(run),
    countedInFlight: round(run.counted.inFlight),
    countedQueued: round(run.counted.parseQueue),
    countedParsing: round(run.counted.parsing),
    isConsistent: isConsistent(run),
  }
  const [kind, sentence] = verdictOf(run, averages)
  return { kind, sentence: `${sentence}${caveatOf(run)}.`, evidence }
}

const stageWords: Readonly<Record<Discrepancy['stage'], string>> = {
  inFlight: 'requests were under way',
  parseQueue: 'pages waited for a thread',
  parsing: 'pages were being parsed',
}

/** Why not to rely on it, as the end of the sentence. */
function caveatOf(run: RunProfile): string {
  if (run.durationMs < tellingMs) return `; a run of ${(run.durationMs / 1000).toFixed(1)} s says little`
  const [first] = discrepanciesOf(run)
  if (first !== undefined) {
    const { stage, reckoned, counted } = first
    const told = `${reckoned.toFixed(1)} ${stageWords[stage]} on average by their times, and ${counted.toFixed(1)} as counted`
    return `; this may be wrong: ${told}`
  }
  return isWithinBounds(run) ? '' : '; this may be wrong: more was measured in a stage than it can hold'
}

/** Where requests were under way for longer than anything waited, hosts were asked and gave nothing. */
function withoutPages(run: RunProfile): readonly [Bottleneck['kind'], string] {
  const cause = (Object.keys(waitedForWords) as WaitCause[]).find(each => isMostlyWaitedFor(run, each))
  if (cause === undefined || waitedMs(run) < run.requestMs)
    return ['network', 'No page was read: nothing but the answers of the hosts was waited for']
  return [
    cause === 'proxy' ? 'proxy' : 'network',
    `No page was read: what was waited for most was ${waitedForWords[cause]}`,
  ]
}

/**
 * What was waited for tells of a gate what an average does not: memory is shared between hosts, and may be closed to one
 * and not be full; threads may have their work waiting and get no core to do it. Behind a slow reader everything fills
 * up, and pages wait for threads as well: so he is looked for before.
 */
function verdictOf(run: RunProfile, averages: Averages): readonly [Bottleneck['kind'], string] {
  const { workersBusy, mainBusy, meanInFlight, committing, sinkBusy, sinkFull, slotsFull } = averages
  const { threads, inFlightBound, proxyPlaces, pacedShare, hostFullness } = run
  const idleHosts = `the limits of the hosts were ${percent(1 - Math.min(1, hostFullness))} idle`
  if (run.pages === 0) return withoutPages(run)
  const another = `${ordinals[threads + 1] ?? 'another'} thread`
  const parse = [
    'parse',
    `Parsing binds: ${threads} worker ${threads === 1 ? 'thread was' : 'threads were'} busy ${percent(workersBusy)} of the time, ` +
      `${idleHosts}${prospect(run, another, { threads: threads + 1 })}`,
  ] as const
  if (workersBusy >= saturated) return parse
  if (mainBusy >= saturated)
    return [
      'main-thread',
      `The main thread binds: it was busy ${percent(mainBusy)} of the time` +
        (threads === 0 ? prospect(run, 'one worker thread', { threads: 1 }) : `, workers ${percent(workersBusy)}`),
    ]
  if (sinkFull >= saturated || (committing >= 1 && isReaderSlow(run)))
    return [
      'sink',
      `The output binds: ${committing.toFixed(1)} pages waited on average to be kept and read, ` +
        `its writes took ${percent(Math.min(1, sinkBusy))} of the time`,
    ]
  if (isMostlyWaitedFor(run, 'parse')) return parse
  if (slotsFull >= saturated || isMostlyWaitedFor(run, 'pageBudget'))
    return [
      'page-budget',
      `limits.pageBudgetBytes binds: it was ${percent(Math.min(1, slotsFull))} full, workers ${percent(workersBusy)} busy` +
        prospect(run, 'twice as much', { pageBudget: 2 }),
    ]
  if (proxyPlaces !== null && proxyPlaces < inFlightBound && meanInFlight >= saturated * proxyPlaces)
    return [
      'proxy',
      `The proxies bind: ${meanInFlight.toFixed(1)} of the ${proxyPlaces} requests that they may take were under way on average` +
        prospect(run, 'twice as many', { proxies: 2 }),
    ]
  if (meanInFlight >= saturated * inFlightBound)
    return [
      'in-flight',
      `limits.inFlight binds: ${meanInFlight.toFixed(1)} of ${inFlightBound} requests were under way on average` +
        prospect(run, 'twice as many', { concurrency: 2 }),
    ]
  if (pacedShare >= 0.5)
    return [
      'pace',
      `Politeness binds: spacing or a rate held the busiest host back ${percent(pacedShare)} of the time, workers ${percent(workersBusy)} busy`,
    ]
  if (hostFullness >= 0.6)
    return [
      'host-limit',
      `The limits of the hosts bind: they were held ${percent(hostFullness)} full, workers ${percent(workersBusy)} busy` +
        prospect(run, 'limits twice as high', { concurrency: 2 }),
    ]
  // Pages of a cache: nobody was waited for, neither hosts nor anything here.
  if (run.requestMs === 0)
    return ['network', `No host was asked, and nothing here binds: workers ${percent(workersBusy)} busy`]
  return [
    'network',
    `The hosts' answers bind: ${meanInFlight.toFixed(1)} requests were under way on average, workers ${percent(workersBusy)} busy`,
  ]
}
