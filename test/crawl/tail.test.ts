import { expect, test } from 'vitest'
import type { JobInput, Report } from '../../src/index.ts'
import type { HostModel } from '../sim/hosts.ts'
import { createSimParser } from '../sim/parser.ts'
import type { SimEnv } from '../sim/random.ts'
import { type SimRunOptions, simulate, urlsOf } from './kit.ts'

const steady: HostModel = { latency: { kind: 'constant', ms: 100 } }
const slow = (ms: number): HostModel => ({ latency: { kind: 'constant', ms } })
const limits = { perHost: { policy: 'fixed', max: 2 }, rate: 'none', delayMs: 0 } as const
/** 200 URLs of two hosts, each two at a time: 5 s. */
const others = ['a.test', 'b.test'].flatMap(host => urlsOf(host, 100))

/** A run over the others and `left` of slow.test. */
async function tailOf(
  left: readonly string[],
  model: HostModel,
  job: Partial<JobInput> = {},
  more: Omit<SimRunOptions, 'job' | 'hosts'> = {},
): Promise<NonNullable<Report['tail']>> {
  const given = {
    seeds: [...left, ...others],
    item: { title: 'title' },
    robots: { ignoreFor: ['a.test', 'b.test', 'slow.test'] },
    limits,
    ...job,
  } as JobInput
  const hosts = (host: string): HostModel => (host === 'slow.test' ? model : steady)
  const { tail } = (await simulate({ job: given, hosts, ...more })).report
  if (tail === null) throw new Error('the run has no tail')
  return tail
}

test('one page that is slow to begin is named as what was left, and with what it waited for', async () => {
  const tail = await tailOf(['http://slow.test/last'], slow(14_000))
  expect(tail).toMatchObject({ sinceMs: 5_000, durationMs: 9_000, urls: 1, ofUrls: 201, hosts: ['slow.test'] })
  expect(tail.sentence).toBe(
    'For the last 9.0 s of 14 s only 1 URL was left, http://slow.test/last: it waited for the first byte of an answer (100 % of that time); all others had ended after 5.0 s.',
  )
})

test('an answer that began and goes on for long is told from one that did not begin', async () => {
  const tail = await tailOf(urlsOf('slow.test', 1), { ...steady, bytesPerSecond: 10, page: () => 'x'.repeat(300) })
  expect(tail).toMatchObject({ sinceMs: 5_000, durationMs: 25_100, cause: 'body', causeShare: 1 })
})

test('a URL that is tried again and again waited for its next attempts, and its end is told', async () => {
  const failing = { ...steady, failures: { SERVER_ERROR: 1 } }
  const tail = await tailOf(['http://slow.test/last'], failing, { retries: { url: 4 } })
  expect(tail.phases.backoff).toBeGreaterThan(0.98)
  expect(tail.sentence).toMatch(
    /only 1 URL was left, .*: it waited for the next attempt, after one that had failed \(99 % of that time\), and ended with SERVER_ERROR after 5 attempts; all others/,
  )
})

test('a URL that times out waited for an answer, with its back-off beside it', async () => {
  const tail = await tailOf(urlsOf('slow.test', 1), slow(30_000), { retries: { url: 1 } })
  expect(tail).toMatchObject({ cause: 'firstByte', last: [{ end: 'RESPONSE_TIMEOUT', attempts: { url: 2 } }] })
  expect(tail.phases.asking + tail.phases.backoff).toBeCloseTo(1, 2)
})

test('a Retry-After is what a throttled URL waited for', async () => {
  const ban = { requests: 1, withinMs: 1_000, forMs: 30_000, status: 429, retryAfterMs: 30_000 }
  const tail = await tailOf(urlsOf('slow.test', 2), { ...steady, ban })
  expect(tail).toMatchObject({ urls: 1, cause: 'askedToWait' })
  expect(tail.phases.askedToWait).toBeGreaterThan(0.98)
  expect(tail.sentence).toMatch(/it waited for the end of a wait that the host had asked for \(100 % of that time\);/)
})

test('a host with a Crawl-delay and many URLs is left alone with them when all others have ended', async () => {
  const robots = 'User-agent: *\nCrawl-delay: 2'
  const tail = await tailOf(urlsOf('slow.test', 40), { ...steady, robots }, { robots: 'obey' })
  expect(tail.sentence).toMatch(
    /^For the last 7\d s of 80 s only slow\.test was left, with 3\d of 240 URLs: they waited for spacing or a rate, one URL each 2\.0 s \(100 % of that time\); all others had ended after 5\.\d s\.$/,
  )
})

test('so is a slow host, whose limit its URLs wait for', async () => {
  const tail = await tailOf(urlsOf('slow.test', 20), slow(3_000))
  expect(tail).toMatchObject({ hostCount: 1, requestMs: 3_000, waitedFor: { hostSlot: expect.any(Number) } })
  expect(tail.sentence).toMatch(
    /only slow\.test was left, with 18 of 220 URLs: they waited for requests under way at the same host, which took 3\.0 s each \(\d\d % of that time\); all others had ended after 5\.0 s\.$/,
  )
})

test('a robots file that does not come holds all pages of its host', async () => {
  const silent = { ...steady, outages: [{ fromMs: 0, toMs: 12_000, as: 'silent' as const }] }
  const tail = await tailOf(urlsOf('slow.test', 3), silent, { robots: 'obey' })
  expect(tail).toMatchObject({ urls: 3, cause: 'robots' })
})

test('a page that is parsed for long is not the fault of its host', async () => {
  const parser = ({ clock, random }: SimEnv) =>
    createSimParser({
      clock,
      random,
      threads: 4,
      law: ({ askedUrl }) => ({ kind: 'constant', ms: askedUrl.includes('slow') ? 12_000 : 1 }),
    })
  const tail = await tailOf(urlsOf('slow.test', 1), steady, {}, { parser })
  expect(tail).toMatchObject({ urls: 1, cause: 'parsing', phases: { reading: 1 } })
})

test('a run that was stopped in its tail says which URL it was cut off from', async () => {
  const tail = await tailOf(
    ['http://slow.test/last'],
    slow(14_000),
    {},
    {
      during: (run, { clock }) => void clock.after(12_000, () => void run.close()),
    },
  )
  expect(tail).toMatchObject({ durationMs: 7_000, last: [{ url: 'http://slow.test/last', end: 'ABORTED' }] })
  expect(tail.sentence).toMatch(/it waited for the first byte of an answer \(100 % of that time\), and had not ended;/)
})

test.each([
  ['hosts that end together', others],
  ['one host with an even pace', urlsOf('a.test', 50)],
  ['a run of one page', urlsOf('a.test', 1)],
])('no tail is told of %s', async (_, seeds) => {
  const job: JobInput = { seeds, item: { title: 'title' }, robots: { ignoreFor: ['a.test', 'b.test'] }, limits }
  const { report } = await simulate({ job, hosts: () => steady })
  expect(report.tail?.sentence ?? null).toBe(null)
})
