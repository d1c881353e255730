import { bottleneckOf } from '../analyse/bottleneck.ts'
import { coresLeft, saturated } from '../analyse/run-profile.ts'
import { type Change, gainOf, type WhatIf } from '../analyse/what-if.ts'
import { bytesText, manyText, percentText, plainText } from '../report/figure-text.ts'
import type { BenchRow, Dials, RowBottleneck, RowVerdict } from './figures.ts'

/** A row before it is judged. */
export type MeasuredRow = Omit<BenchRow, keyof RowVerdict>

/** More of the cores than that are all of them, as far as clocks of a second and a half can tell. */
const allCores = 0.95

/** Less is within what a prediction may err by. */
const leastGain = 0.05

/** Cores that neither the row nor its server used. */
export const otherCoresOf = ({ profile, pagesPerSecond, serverCpuMs }: MeasuredRow): number =>
  Math.max(0, profile.foreignCores - (pagesPerSecond * serverCpuMs) / 1000)

/** What the row and its server used, as a part of what others left them. */
function coresBusyOf(row: MeasuredRow): number {
  const { profile, pagesPerSecond, cpuMs, serverCpuMs } = row
  const left = coresLeft(profile.cores, otherCoresOf(row))
  return (pagesPerSecond * (cpuMs.main + cpuMs.workers + serverCpuMs)) / 1000 / left
}

/** All of them are taken; or most are, and nothing else is near its end. */
const areCoresFull = (coresBusy: number, kind: RowBottleneck['kind']): boolean =>
  coresBusy >= (kind === 'network' ? saturated : allCores)

/** The server has one thread, and so many places at which it makes requests wait for their answers. */
const serverBusyOf = ({ pagesPerSecond, serverCpuMs }: MeasuredRow, { capacity, latencyMs }: Dials): number =>
  (pagesPerSecond * Math.max(serverCpuMs, capacity === null ? 0 : latencyMs / capacity)) / 1000

/**
 * What binds a row, and what a thread more and twice the requests in flight would bring. A run takes its host for a stranger
 * and cores that others use for gone. Here the host is known: it takes of the same cores by the page, and it has an end.
 */
export function verdictOf(row: MeasuredRow, dials: Dials): RowVerdict {
  const { profile, threads, concurrency, pagesPerSecond } = row
  const ofRun = bottleneckOf(profile)
  if (row.pages === 0) return { bottleneck: ofRun, whatIf: [] }
  const [coresBusy, serverBusy] = [coresBusyOf(row), serverBusyOf(row, dials)]
  const most = Math.max(0, 1 / Math.max(coresBusy, serverBusy) - 1)
  const changes: readonly (readonly [string, Change])[] = [
    [`threads: ${threads + 1}`, { threads: threads + 1 }],
    [`requests in flight: ${2 * concurrency}`, { concurrency: 2 }],
  ]
  const whatIf = changes.map(([change, changed]): WhatIf => {
    const gain = Math.round(Math.min(most, gainOf(profile, changed)) * 100) / 100
    return { change, pagesPerSecond: Math.round(pagesPerSecond * (1 + gain) * 10) / 10, gain, isAtMost: false }
  })
  const kind = serverBusy >= saturated ? 'server' : areCoresFull(coresBusy, ofRun.kind) ? 'cores' : ofRun.kind
  const evidence = { ...ofRun.evidence, coresBusy: part(coresBusy), serverBusy: part(serverBusy) }
  return { bottleneck: { kind, sentence: sentenceOf(row, kind, evidence, whatIf), evidence }, whatIf }
}

const part = (value: number): number => Math.min(1, Math.round(value * 1000) / 1000)

const subjects: Readonly<Record<RowBottleneck['kind'], string>> = {
  parse: 'Parsing binds',
  'main-thread': 'The main thread binds',
  cores: 'The cores bind',
  server: 'The server of the bench binds',
  'in-flight': 'I/O binds',
  'host-limit': 'I/O binds',
  network: 'Parsing and I/O wait for each other',
  sink: 'The output binds',
  'page-budget': 'limits.pageBudgetBytes binds',
  proxy: 'The proxies bind',
  pace: 'Politeness binds',
}

/** In a column. */
export const boundNames: Readonly<Record<RowBottleneck['kind'], string>> = {
  parse: 'parsing',
  'main-thread': 'main thread',
  cores: 'cores',
  server: 'server',
  'in-flight': 'I/O',
  'host-limit': 'I/O',
  network: 'several',
  sink: 'output',
  'page-budget': 'memory',
  proxy: 'proxies',
  pace: 'pace',
}

const gainText = (gain: number): string => (gain < leastGain ? 'nothing' : `about +${Math.round(gain * 100)} %`)

/** Less is the slack of the clocks. */
const leastOtherCores = 0.1

/** What other work took, where it took any. */
function othersText(row: MeasuredRow): string {
  const otherCores = otherCoresOf(row)
  return otherCores < leastOtherCores ? '' : `, other work took ${plainText(otherCores)} of ${row.profile.cores} cores`
}

function sentenceOf(
  row: MeasuredRow,
  kind: RowBottleneck['kind'],
  evidence: RowBottleneck['evidence'],
  [thread, twice]: readonly WhatIf[],
): string {
  const { pagesPerSecond, pageBytes, threads, concurrency } = row
  const { workersBusy, mainBusy, coresBusy, serverBusy, meanInFlight } = evidence
  return (
    `${subjects[kind]} at ${plainText(pagesPerSecond)} pages/s of ${bytesText(pageBytes)} (${manyText(threads, 'thread')}, ${concurrency} in flight): ` +
    `threads ${percentText(workersBusy)} busy, main thread ${percentText(mainBusy)}, server ${percentText(serverBusy ?? 0)}, ` +
    `all cores ${percentText(coresBusy)}, ${plainText(meanInFlight)} of ${concurrency} requests under way on average${othersText(row)}; ` +
    `one thread more would give ${gainText(thread?.gain ?? 0)}, twice the requests in flight ${gainText(twice?.gain ?? 0)}.`
  )
}

/** The row with the most pages a second; null: there are none. */
export const bestOf = (rows: readonly BenchRow[]): BenchRow | null =>
  rows.reduce<BenchRow | null>(
    (best, row) => (best === null || row.pagesPerSecond > best.pagesPerSecond ? row : best),
    null,
  )
