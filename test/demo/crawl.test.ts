import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Item } from '../../src/core/wire.ts'
import { demoJob } from '../../src/demo/job.ts'
import { startDemoSite } from '../../src/demo/site.ts'
import { crawl } from '../../src/index.ts'
import { checkJob } from '../../src/job/check-job.ts'
import { demoExpectation } from './expected.ts'

test('the demo job gives every product of the shop with its true values, over real sockets and threads', async () => {
  await using site = await startDemoSite({ slowMs: 200 })
  const out = await mkdtemp(join(tmpdir(), 'millrace-demo-test-'))
  const expected = demoExpectation(site.catalogue, site.urls)
  const job = checkJob(demoJob(site.urls), { path: 'demo', baseDir: '.' })
  const report = await crawl(job, { out, threads: 2, restart: true }).finished()
  expect(report.ledger).toEqual(expected.ledger)
  expect(report.finished).toBe(true)
  const items: Item[] = (await readFile(join(out, 'items.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(items.length).toBe(300)
  for (const item of items) {
    const own = Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith('_')))
    expect(own).toEqual(expected.items.get(String(item.sku)))
  }
  const dead: { readonly url: string; readonly code: string }[] = (await readFile(join(out, 'dead.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(dead.map(({ url }) => url).sort()).toEqual([...expected.deadUrls].sort())
  // The server's own count of what was under way at once, against the bound of each host.
  for (const peak of Object.values(site.stats().peakInFlightByHost)) expect(peak).toBeLessThanOrEqual(64)
  await rm(out, { recursive: true })
})
