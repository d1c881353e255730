import { expect, test } from 'vitest'
import type { Ending, LastUrl, RunEndings, TimeSpent } from '../../src/analyse/run-endings.ts'
import { tailOf } from '../../src/analyse/tail-of.ts'
import { noWaits } from './profile.ts'

const noPhases = { asking: 0, reading: 0, backoff: 0, askedToWait: 0, otherProxy: 0, idle: 0 }

/** Requests were under way all the time. */
const asking = (ms: number, more: Partial<TimeSpent> = {}): TimeSpent => ({
  phases: { ...noPhases, asking: ms },
  waitMs: noWaits,
  parseMs: 0,
  keepMs: 0,
  ...more,
})

/** URLs that ended at these times, on hosts in turn. */
function endings(atMs: readonly number[], more: Partial<RunEndings> = {}, hosts = ['a.test']): RunEndings {
  const all = atMs.map((at, nth): Ending & LastUrl => ({
    host: hosts[nth % hosts.length] ?? 'a.test',
    atMs: at,
    nth: nth + 1,
    spent: asking(at),
    url: `http://a.test/${nth}`,
    endedAtMs: at,
    end: 'done',
    attempts: { url: 1, proxy: 0, waits: 0 },
  }))
  const durationMs = atMs.at(-1) ?? 0
  return {
    durationMs,
    ended: atMs.length,
    pending: 0,
    last: all.slice(-64),
    hosts: [...new Map(all.map(ending => [ending.host, ending])).values()],
    requests: [],
    spent: asking(durationMs),
    ...more,
  }
}

const even = (count: number, eachMs: number): number[] => Array.from({ length: count }, (_, nth) => (nth + 1) * eachMs)

test('one URL that ends long after the others costs what it took beyond the pace of these', () => {
  expect(tailOf(endings([...even(1_000, 10), 70_000]))).toMatchObject({
    sinceMs: 10_000,
    durationMs: 60_000,
    lostMs: 59_990,
    urls: 1,
    ofUrls: 1_001,
    cause: 'firstByte',
    causeShare: 1,
    sentence:
      'For the last 60 s of 70 s only 1 URL was left, http://a.test/1000: it waited for the first byte of an answer (100 % of that time); all others had ended after 10 s.',
  })
})

test('several that end one after another are one tail, those named first that ended last', () => {
  const tail = tailOf(endings([...even(1_000, 10), 30_000, 50_000, 70_000]))
  expect(tail).toMatchObject({ urls: 3, sinceMs: 10_000 })
  expect(tail?.last.map(({ url }) => url)).toEqual([1002, 1001, 1000].map(nth => `http://a.test/${nth}`))
  expect(tail?.sentence).toMatch(/only a\.test was left, with 3 of 1,003 URLs: they waited/)
})

test('several of several hosts are counted, with the last of them', () => {
  const tail = tailOf(endings([...even(999, 10), 30_000, 50_000, 70_000], {}, ['a.test', 'b.test', 'c.test']))
  expect(tail?.sentence).toMatch(
    /only 3 of 1,002 URLs were left, of 3 hosts, the last of them http:\/\/a\.test\/1001: they/,
  )
})

test('it is told from a fifth of the run on, and from a second on', () => {
  const sentenceOf = (atMs: readonly number[]) => tailOf(endings(atMs))?.sentence ?? null
  expect(sentenceOf([...even(1_000, 10), 12_400])).toBe(null)
  expect(sentenceOf([...even(1_000, 10), 12_600])).toMatch(/^For the last 2\.6 s of 13 s/)
  expect(sentenceOf([...even(100, 1), 900])).toBe(null)
})

test('an even pace has no tail, however few URLs there are, and neither has the larger part of a run', () => {
  expect(tailOf(endings(even(5, 1_000)))).toBe(null)
  expect(tailOf(endings([]))).toBe(null)
  expect(tailOf(endings([100]))).toBe(null)
  expect(tailOf(endings([1, 2, ...even(20, 1_000)]))?.sentence ?? null).toBe(null)
})

test('what closed the gate of those who stood in line counts before what was under way', () => {
  const run = endings([...even(100, 10), 20_000, 30_000], {
    spent: asking(30_000, { waitMs: { ...noWaits, rate: 29_000 } }),
  })
  expect(tailOf(run)).toMatchObject({ cause: 'rate', waitedFor: { rate: 1 } })
  const pause = { ...run, spent: asking(30_000, { waitMs: { ...noWaits, pause: 5_000 } }) }
  expect(tailOf(pause)).toMatchObject({ cause: 'firstByte', waitedFor: { pause: expect.closeTo(0.172, 3) } })
})

test.each([
  ['connect', { connectMs: 25_000, firstByteMs: 100 }],
  ['firstByte', { connectMs: 10, firstByteMs: 28_000 }],
  ['body', { connectMs: 10, firstByteMs: 100 }],
] as const)('of a request under way, %s is told by what took longest', (cause, times) => {
  const request = { url: 'http://a.test/100', endedAtMs: 30_000, heldMs: 29_000, code: null, ...times }
  expect(tailOf(endings([...even(100, 10), 30_000], { requests: [request] }))).toMatchObject({
    cause,
    requestMs: 29_000,
  })
})

test('where nothing was asked, what was read is told from what was kept', () => {
  const reading = { ...noPhases, asking: 1_000, reading: 29_000 }
  const run = (sums: Partial<TimeSpent>) =>
    tailOf(endings([...even(100, 10), 30_000], { spent: asking(0, { phases: reading, ...sums }) }))
  expect(run({ parseMs: 29_000, keepMs: 10 })?.cause).toBe('parsing')
  expect(run({ parseMs: 10, keepMs: 29_000 })?.cause).toBe('keeping')
})

test('a run that goes on without a URL says so', () => {
  const spent = asking(0, { phases: { ...noPhases, asking: 1_000, idle: 29_000 } })
  expect(tailOf(endings(even(100, 10), { durationMs: 30_000, spent }))?.sentence).toBe(
    'For the last 29 s of 30 s no URL was left: nothing was under way (100 % of that time); the last one had ended after 1.0 s.',
  )
})

test('what had not ended when the run was stopped is left as well; a queue of many is no tail', () => {
  const cut = {
    url: 'http://a.test/cut',
    endedAtMs: 30_000,
    heldMs: 29_000,
    connectMs: 0,
    firstByteMs: 29_000,
    code: 'ABORTED',
  } as const
  const stopped = endings(even(100, 10), { durationMs: 30_000, spent: asking(30_000), requests: [cut], pending: 1 })
  expect(tailOf(stopped)).toMatchObject({ urls: 1, ofUrls: 101, last: [{ url: 'http://a.test/cut', end: 'ABORTED' }] })
  expect(tailOf(stopped)?.sentence).toMatch(/http:\/\/a\.test\/cut: it waited .* and had not ended; all others/)
  expect(tailOf({ ...stopped, pending: 5_000 })).toBe(null)
})
