import { describe, expect, test } from 'vitest'
import type { JobInput } from '../../src/index.ts'
import type { Outage } from '../sim/hosts.ts'
import { simulate, urlsOf } from './kit.ts'

const item = { title: 'h1' }
const minuteMs = 60_000
const [busy, other] = ['busy.test', 'other.test']
const policies = ['aimd', 'courteous', 'fixed'] as const

/** A host of 50 URLs that says nothing but "wait" for some time, beside one that is well. */
const run = (outage: Partial<Outage>, policy: (typeof policies)[number] = 'aimd', job: Partial<JobInput> = {}) =>
  simulate({
    job: {
      seeds: [...urlsOf(busy, 50), ...urlsOf(other, 50)],
      item,
      limits: { perHost: { policy, max: 4 }, rate: 'none', delayMs: 0 },
      robots: { ignoreFor: [busy, other] },
      ...job,
    },
    hosts: host => (host === busy ? { outages: [{ fromMs: 0, toMs: 1e12, as: 'unavailable', ...outage }] } : {}),
  })

type Run = Awaited<ReturnType<typeof run>>
const endsOf = ({ results }: Run) => results.filter(result => result.kind === 'dead')

describe.each(policies)('a host that only says "wait" (%s)', policy => {
  test.each([86_400, 3_600])('for %i s ends all of its URLs at once, and says why', async seconds => {
    const it = await run({ retryAfterMs: seconds * 1_000 }, policy)
    expect(it.report.ledger).toMatchObject({ done: 50, failed: 50, pending: 0 })
    expect(it.report.deadByCode).toEqual({ THROTTLED: 50 })
    expect(it.report.durationMs).toBeLessThan(minuteMs)
    expect(it.web.requestsOf(busy).length).toBeLessThanOrEqual(4)
    const unasked = endsOf(it).filter(({ message }) => message.includes('was not asked for'))
    expect(unasked.length).toBeGreaterThanOrEqual(46)
    for (const { url, message } of unasked)
      expect(message).toBe(
        `${url} was not asked for: ${busy} was given up: it asked to wait ${seconds} s, which is above retries.totalWaitMs (600000)`,
      )
  })

  test('for five minutes, again and again, ends them when that comes to more than a URL may wait', async () => {
    const it = await run({ retryAfterMs: 5 * minuteMs }, policy)
    expect(it.report.ledger).toMatchObject({ done: 50, failed: 50, pending: 0 })
    expect(it.report.deadByCode).toEqual({ THROTTLED: 50 })
    expect(it.report.durationMs).toBeGreaterThan(10 * minuteMs)
    expect(it.report.durationMs).toBeLessThan(17 * minuteMs)
    expect(it.web.requestsOf(busy).length).toBeLessThanOrEqual(12)
    const why = 'it asked to wait 300 s, and since its last good answer 900 s in all'
    expect(endsOf(it).filter(({ message }) => message.includes(why)).length).toBeGreaterThanOrEqual(40)
  })

  test('and recovers after eight minutes loses nothing', async () => {
    for (const retryAfterMs of [20_000, 2 * minuteMs, 5 * minuteMs]) {
      const { report } = await run({ toMs: 8 * minuteMs, retryAfterMs }, policy)
      expect(report.ledger).toMatchObject({ done: 100, failed: 0, pending: 0 })
    }
  })
})

test.each(policies)('a Retry-After of a 500 is waited for like that of a 503 (%s)', async policy => {
  const at = { status: 500, retryAfterMs: 20_000 }
  const back = await run({ ...at, toMs: 8 * minuteMs }, policy, { retries: { url: 0 } })
  expect(back.report.ledger).toMatchObject({ done: 100, failed: 0, pending: 0 })
  const forEver = await run({ ...at, retryAfterMs: 5 * minuteMs }, policy)
  expect(forEver.report.ledger).toMatchObject({ done: 50, failed: 50, pending: 0 })
  expect(forEver.report.deadByCode).toEqual({ THROTTLED: 50 })
  expect(forEver.report.durationMs).toBeLessThan(17 * minuteMs)
  expect(forEver.web.requestsOf(busy).length).toBeLessThanOrEqual(12)
  const aDay = await run({ ...at, retryAfterMs: 86_400_000 }, policy)
  expect(aDay.report.ledger).toMatchObject({ done: 50, failed: 50, pending: 0 })
  expect(aDay.report.deadByCode).toEqual({ THROTTLED: 50 })
  expect(aDay.web.requestsOf(busy).length).toBeLessThanOrEqual(4)
})

test('a host that says "wait" and never for how long ends its URLs too, asked by single probes', async () => {
  const it = await run({})
  expect(it.report.ledger).toMatchObject({ done: 50, failed: 50, pending: 0 })
  expect(it.report.durationMs).toBeLessThan(20 * minuteMs)
  expect(it.web.requestsOf(busy).length).toBeLessThan(60)
})

test('another host goes on as if nothing were', async () => {
  const [alone, beside] = [await run({ toMs: 0 }), await run({ retryAfterMs: 86_400_000 })]
  const lastAtMs = ({ web }: Run): number => web.requestsOf(other).at(-1)?.endedAtMs ?? 0
  expect(lastAtMs(beside)).toBeLessThanOrEqual(lastAtMs(alone) * 1.05)
})

test('a robots file that is answered so ends the URLs that wait for it', async () => {
  const it = await run({ retryAfterMs: 86_400_000 }, 'aimd', { robots: 'obey' })
  expect(it.report.deadByCode).toEqual({ THROTTLED: 50 })
  expect(it.web.requestsOf(busy).length).toBe(1)
  expect(it.report.durationMs).toBeLessThan(minuteMs)
})
