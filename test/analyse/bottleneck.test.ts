import { expect, test } from 'vitest'
import { bottleneckOf } from '../../src/analyse/bottleneck.ts'
import type { RunProfile } from '../../src/analyse/run-profile.ts'
import { calm, calmBut, noWaits } from './profile.ts'

const cases: readonly (readonly [string, Partial<RunProfile>, string])[] = [
  [
    'parse',
    { parseBusyMs: 19_400, cpuMs: 20_000 },
    'Parsing binds: 2 worker threads were busy 97 % of the time, the limits of the hosts were 70 % idle; a third thread would give about +54 %.',
  ],
  [
    'parse',
    { parseBusyMs: 19_400, cpuMs: 20_000, cores: 2 },
    'Parsing binds: 2 worker threads were busy 97 % of the time, the limits of the hosts were 70 % idle; a third thread would give nothing by itself.',
  ],
  ['main-thread', { mainCpuMs: 9_000 }, 'The main thread binds: it was busy 90 % of the time, workers 25 %.'],
  [
    'sink',
    { sinkBusyMs: 9_500 },
    'The output binds: 10.0 pages waited on average to be kept and read, its writes took 95 % of the time.',
  ],
  [
    'sink',
    { commitMs: 900_000 },
    'The output binds: 90.0 pages waited on average to be kept and read, its writes took 2 % of the time.',
  ],
  [
    'page-budget',
    { pageSlots: 22 },
    'limits.pageBudgetBytes binds: it was 93 % full, workers 25 % busy; twice as much would give about +52 %.',
  ],
  [
    'proxy',
    { proxyPlaces: 10, hostFullness: 0.1 },
    'The proxies bind: 10.0 of the 10 requests that they may take were under way on average; twice as many would give about +100 %.',
  ],
  [
    'in-flight',
    { inFlightBound: 10 },
    'limits.inFlight binds: 10.0 of 10 requests were under way on average; twice as many would give about +100 %.',
  ],
  [
    'pace',
    { pacedShare: 0.9 },
    'Politeness binds: spacing or a rate held the busiest host back 90 % of the time, workers 25 % busy.',
  ],
  [
    'host-limit',
    { hostFullness: 0.95 },
    'The limits of the hosts bind: they were held 95 % full, workers 25 % busy; limits twice as high would give about +100 %.',
  ],
  ['network', { requestMs: 0, hostFullness: 0 }, 'No host was asked, and nothing here binds: workers 25 % busy.'],
  ['network', {}, "The hosts' answers bind: 10.0 requests were under way on average, workers 25 % busy."],
]

test.each(cases)('%s binds, with %j', (kind, what, sentence) => {
  const verdict = bottleneckOf(calmBut(what))
  expect(verdict.kind).toBe(kind)
  expect(verdict.sentence.replace(/about \+\d+/, 'about +N')).toBe(sentence.replace(/about \+\d+/, 'about +N'))
  expect(verdict.evidence.isConsistent).toBe(true)
})

test('evidence says what tasks waited for, most first', () => {
  const { waitedFor } = bottleneckOf({ ...calm, waitMs: { ...noWaits, rate: 100, hostSlot: 300 } }).evidence
  expect(Object.entries(waitedFor)).toEqual([
    ['hostSlot', 0.75],
    ['rate', 0.25],
  ])
})

test('memory that hosts share binds where it is waited for, though it is not full', () => {
  const shared = { ...calm, waitMs: { ...noWaits, hostSlot: 10, pageBudget: 90 } }
  expect(bottleneckOf(shared).kind).toBe('page-budget')
  expect(bottleneckOf({ ...shared, parseBusyMs: 19_000, cpuMs: 20_000 }).kind).toBe('parse')
})

test('threads bind where they are waited for, though they get too little of the cores to be busy', () => {
  const starved = { ...calm, waitMs: { ...noWaits, hostSlot: 10, parse: 90 } }
  expect(bottleneckOf(starved).kind).toBe('parse')
})

test('a slow reader binds, though pages wait for threads behind him too', () => {
  const waitMs = { ...noWaits, parse: 50_000 }
  expect(bottleneckOf({ ...calm, waitMs, commitMs: 900_000 }).kind).toBe('sink')
})

test('an output that writes all the time binds only where its writes would be longer with more pages', () => {
  const writing = { sinkBusyMs: 9_500 }
  expect(bottleneckOf(calmBut({ ...writing, sinkPageMs: 9 })).kind).toBe('sink')
  const { kind, evidence } = bottleneckOf(calmBut({ ...writing, sinkPageMs: 0.5 }))
  expect(kind).toBe('network')
  expect(evidence).toMatchObject({ sinkBusy: 0.95, sinkFull: 0.05 })
})

test('what hosts were never tried with is the most that they may give', () => {
  const full = { ...calm, hostFullness: 0.95, untriedShare: 1 }
  expect(bottleneckOf(full).sentence).toMatch(/limits twice as high would give at most \+\d+ %\.$/)
})

test('evidence says which part of its bounds was under way, and of proxies only where there are some', () => {
  expect(bottleneckOf(calm).evidence).toMatchObject({ inFlightFull: 0.156, proxiesFull: null })
  expect(bottleneckOf({ ...calm, proxyPlaces: 20 }).evidence).toMatchObject({ proxiesFull: 0.5 })
})

test('a verdict whose figures do not fit what was counted says so, and of which stage', () => {
  const counted = { ...calm.counted, parsing: 1.9 }
  const { sentence, evidence } = bottleneckOf({ ...calm, counted })
  expect(sentence).toMatch(
    /workers 25 % busy; this may be wrong: 0\.5 pages were being parsed on average by their times, and 1\.9 as counted\.$/,
  )
  expect(evidence).toMatchObject({ parsing: 0.5, countedParsing: 1.9, isConsistent: false })
  expect(bottleneckOf(calmBut({ pageSlots: 10 })).sentence).toMatch(
    /; this may be wrong: more was measured in a stage than it can hold\.$/,
  )
})

test('a run that read no page says what it waited for: proxies that are all down are no answers of hosts', () => {
  const none = calmBut({ pages: 0, requestMs: 40 })
  expect(bottleneckOf({ ...none, waitMs: { ...noWaits, proxy: 9_000, turn: 10 } })).toMatchObject({
    kind: 'proxy',
    sentence: 'No page was read: what was waited for most was a proxy that is up and free.',
  })
  expect(bottleneckOf(calmBut({ ...none, requestMs: 9_500, waitMs: { ...noWaits, hostSlot: 9_000 } }))).toMatchObject({
    kind: 'network',
    sentence: 'No page was read: nothing but the answers of the hosts was waited for.',
  })
})

test('a run that was over at once says how little that tells', () => {
  expect(bottleneckOf(calmBut({ durationMs: 100, requestMs: 1_000 })).sentence).toMatch(
    /^.*; a run of 0\.1 s says little\.$/,
  )
})
