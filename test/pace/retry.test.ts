import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorTraits } from '../../src/core/errors.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import type { Timing } from '../../src/core/page.ts'
import { newTask, type Task } from '../../src/core/task.ts'
import { fateOf, withCharge } from '../../src/pace/retry.ts'
import { createRandom } from '../sim/random.ts'

const rules = { url: 3, proxy: 5, totalWaitMs: 60_000 }
const timing: Timing = { connectMs: 1, firstByteMs: 2, totalMs: 3 }
const url = 'https://shop.test/a'
const fresh = newTask(url, new URL(url), 'product')
const throttled = (retryAfterMs: number | null = null): Outcome => ({
  ...{ kind: 'throttled', status: 429, retryAfterMs, timing },
})
const failed = (code: ErrorCode, retryAfterMs: number | null = null): Outcome => ({
  ...{ kind: 'failed', fault: { code, message: `${code} at ${url}` }, status: null, timing: null, retryAfterMs },
})
const fate = (outcome: Outcome, task = fresh, nowMs = 1_000) => fateOf(task, outcome, rules, nowMs, createRandom(1))

/** The fates of one task that always ends like this. */
function lifeOf(outcome: Outcome, seed = 1) {
  const random = createRandom(seed)
  let task = fresh
  let nowMs = 1_000
  for (let tries = 1; tries < 10_000; tries += 1) {
    const next = fateOf(task, outcome, rules, nowMs, random)
    if (next.kind !== 'retry') return { task, next, tries, tookMs: nowMs - 1_000 }
    expect(next.notBeforeMs).toBeGreaterThanOrEqual(nowMs)
    task = withCharge(task, next, nowMs)
    nowMs = next.notBeforeMs
  }
  throw new Error('a task must end')
}

describe('a throttled task', () => {
  test('waits at least as long as Retry-After says, and pays with waiting alone', () => {
    const next = fate(throttled(20_000))
    expect(next).toEqual({ kind: 'retry', notBeforeMs: 21_000, charge: 'wait' })
    const task = withCharge(fresh, next, 1_000)
    expect(task.attempts).toEqual({ url: 0, proxy: 0, waits: 1 })
    expect(task.waitedMs).toBe(20_000)
    expect(task.notBeforeMs).toBe(21_000)
  })

  test('without Retry-After waits at least a second', () => {
    const next = fate(throttled())
    expect(next.kind === 'retry' && next.notBeforeMs).toBeGreaterThanOrEqual(2_000)
  })

  test('ends when it would have waited longer than totalWaitMs in all', () => {
    const { task, next, tries } = lifeOf(throttled(25_000))
    expect(tries).toBe(3)
    expect(task.waitedMs).toBeLessThanOrEqual(rules.totalWaitMs)
    expect(next).toMatchObject({ kind: 'dead', status: 429, fault: { code: 'THROTTLED' } })
    expect(next.kind === 'dead' && next.fault.message).toContain(url)
  })

  test('never waits longer than that in all, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        expect(lifeOf(throttled(), seed).tookMs).toBeLessThanOrEqual(rules.totalWaitMs)
      }),
    )
  })
})

describe('a failed task', () => {
  test('has as many more attempts as the rules say, later each time', () => {
    const { tries, next, task, tookMs } = lifeOf(failed('SERVER_ERROR'))
    expect(tries).toBe(1 + rules.url)
    expect(task.attempts).toEqual({ url: rules.url, proxy: 0, waits: 0 })
    expect(next).toMatchObject({ kind: 'dead', fault: { code: 'SERVER_ERROR' } })
    expect(tookMs).toBeGreaterThanOrEqual(3_000)
  })

  test('of a server error with Retry-After does not come back sooner, and pays with waiting alone', () => {
    const next = fate(failed('SERVER_ERROR', 50_000))
    expect(next).toEqual({ kind: 'retry', notBeforeMs: 51_000, charge: 'wait' })
    expect(withCharge(fresh, next, 1_000)).toMatchObject({ attempts: { url: 0, proxy: 0, waits: 1 }, waitedMs: 50_000 })
  })

  test('of server errors that ask to wait again and again ends as one that was kept waiting for too long', () => {
    const { task, next, tries } = lifeOf(failed('SERVER_ERROR', 25_000))
    expect(tries).toBe(3)
    expect(task.attempts).toEqual({ url: 0, proxy: 0, waits: 2 })
    expect(next).toMatchObject({ kind: 'dead', fault: { code: 'THROTTLED' } })
    expect(next.kind === 'dead' && next.fault.message).toContain('SERVER_ERROR at')
    expect(next.kind === 'dead' && next.fault.message).toContain('retries.totalWaitMs (60000)')
    expect(fate(failed('SERVER_ERROR', 86_400_000)).kind).toBe('dead')
  })

  test('of a server error whose Retry-After is over already pays with an attempt', () => {
    expect(lifeOf(failed('SERVER_ERROR', 0)).tries).toBe(1 + rules.url)
  })

  test('through a proxy goes to another one at once, and pays from the proxy ledger', () => {
    expect(fate(failed('PROXY_FAILED'))).toEqual({ kind: 'retry', notBeforeMs: 1_000, charge: 'proxy' })
    const { tries, task } = lifeOf(failed('PROXY_FAILED'))
    expect(tries).toBe(1 + rules.proxy)
    expect(task.attempts).toEqual({ url: 0, proxy: rules.proxy, waits: 0 })
  })

  test('that was aborted costs nothing and may go at once', () => {
    const next = fate(failed('ABORTED'))
    expect(next).toEqual({ kind: 'retry', notBeforeMs: 0, charge: 'none' })
    expect(withCharge(fresh, next, 1_000)).toEqual(fresh)
  })

  const codes = Object.keys(errorTraits) as ErrorCode[]
  test.each(codes.filter(code => errorTraits[code].retry === 'never'))('with %s is not asked again', code => {
    expect(fate(failed(code))).toMatchObject({ kind: 'dead', fault: { code } })
  })
  test.each(codes)('with %s ends after a bounded number of tries', code => {
    if (code !== 'ABORTED') expect(lifeOf(failed(code)).tries).toBeLessThanOrEqual(1 + rules.proxy)
  })
})

test('a page that is gone ends with its status', () => {
  expect(fate({ kind: 'gone', status: 404, timing })).toMatchObject({
    ...{ kind: 'dead', status: 404, fault: { code: 'HTTP_STATUS', message: `${url} answered 404` } },
  })
})

test('the ledgers are apart: a spent one does not shorten another', () => {
  const task: Task = { ...fresh, attempts: { url: 3, proxy: 0, waits: 9 }, waitedMs: 60_000 }
  expect(fate(failed('PROXY_FAILED'), task).kind).toBe('retry')
  expect(fate(failed('CONNECT_FAILED'), task).kind).toBe('dead')
})

test('pages and redirects are none of its business', () => {
  expect(() => fate({ kind: 'moved', status: 301, url, reach: 'public', timing })).toThrow(
    expect.objectContaining({ code: 'INVARIANT' }),
  )
})

test('a fate without a retry leaves the task as it is', () => {
  expect(withCharge(fresh, { kind: 'done' }, 1_000)).toBe(fresh)
})
