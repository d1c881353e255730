import { expect, test } from 'vitest'
import { crawl, type JobInput } from '../../src/index.ts'
import { startSite, tenPages } from '../cli/kit.ts'

/** Server and crawler share the loop that is blocked: no request to this site is without a stall. */
const block = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 110)
}

test.each([
  ['are dropped while our own loop is blocked', block, 2, 2],
  ['raise the limit while it is not', () => {}, 3, 8],
])('answers %s', async (_what, during, least, most) => {
  await using site = await startSite((request, response) => {
    during()
    tenPages(request, response)
  })
  const job: JobInput = {
    seeds: Array.from({ length: 10 }, (_, nth) => `${site.url}/${nth}`),
    item: { title: 'title' },
    limits: { perHost: { policy: 'aimd', start: 2, max: 8 } },
    robots: { ignoreFor: ['127.0.0.1'] },
  }
  const report = await crawl(job, { threads: 0 }).finished()
  expect(report.items).toBe(10)
  const limit = report.hosts[0]?.limit
  expect(limit).toBeGreaterThanOrEqual(least)
  expect(limit).toBeLessThanOrEqual(most)
})
