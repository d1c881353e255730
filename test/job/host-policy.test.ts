import { expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { checkJob } from '../../src/job/check-job.ts'
import { hostOverrideOf, hostPolicyOf } from '../../src/job/host-policy.ts'

const job = checkJob(
  {
    seeds: ['https://books.test/'],
    item: { title: 'h1' },
    headers: { 'accept-language': 'en', 'x-a': '1' },
    userAgent: 'ExampleBot/1.0',
    hosts: {
      'books.test': { max: 8, headers: { 'X-A': '2' } },
      'books.test:8080': { policy: 'fixed', max: 3, reason: 'our own' },
      'open.test': { rate: 'none', delayMs: 0, reason: 'our own' },
      'slow.test': { rate: { perMinute: 30 } },
      localhost: { delayMs: 50 },
    },
    limits: { rate: { perSecond: 4 } },
  },
  { path: 'job.yaml', baseDir: '/' },
)
const host = (key: string): HostKey => key as HostKey

test('a host that the job does not name has the limits of the job', () => {
  expect(hostPolicyOf(job, host('other.test'))).toEqual({
    perHost: { policy: 'aimd', start: 2, max: 25 },
    rate: { tokensPerSecond: 4, burst: 1 },
    delayMs: { min: 1_000, max: 3_000 },
  })
})

test('a host is found by its key first and then by its name for every port', () => {
  expect(hostPolicyOf(job, host('books.test:8080')).perHost).toEqual({ policy: 'fixed', max: 3 })
  expect(hostPolicyOf(job, host('books.test:9090')).perHost).toEqual({ policy: 'aimd', start: 2, max: 8 })
  expect(hostPolicyOf(job, host('books.test')).perHost).toEqual({ policy: 'aimd', start: 2, max: 8 })
})

test('a rate of none lifts the rate of the job for one host', () => {
  expect(hostPolicyOf(job, host('open.test'))).toMatchObject({ rate: null, delayMs: { min: 0, max: 0 } })
  expect(hostPolicyOf(job, host('slow.test')).rate).toEqual({ tokensPerSecond: 0.5, burst: 1 })
})

test('a loopback host is open except for what the job states', () => {
  expect(hostPolicyOf(job, host('127.0.0.1:8080'))).toEqual({
    perHost: { policy: 'fixed', max: 64 },
    rate: { tokensPerSecond: 4, burst: 1 },
    delayMs: { min: 0, max: 0 },
  })
  expect(hostPolicyOf(job, host('localhost:8080')).delayMs).toEqual({ min: 50, max: 50 })
})

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'a host called %s has nothing of its own',
  name => {
    expect(hostOverrideOf(job, host(name))).toBeNull()
    expect(hostPolicyOf(job, host(name)).perHost.max).toBe(25)
  },
)

test('headers of a host are one record, however often it is asked for', () => {
  const { headers } = hostOverrideOf(job, host('books.test')) ?? {}
  expect(headers).toEqual({ 'x-a': '2' })
  expect(hostOverrideOf(job, host('books.test'))?.headers).toBe(headers)
})
