import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { crawl } from '../../src/run/run.ts'
import { startSite, temporaryFolder, tenPages } from '../cli/kit.ts'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

test('a run leaves report.html, and what its report says over time adds up to what it says in all', async () => {
  await using folder = await temporaryFolder()
  await using site = await startSite(tenPages)
  const job = {
    name: 'ten pages',
    seeds: [`${site.url}/0`, `${site.url}/nowhere`],
    pages: [
      { name: 'numbered', match: '/:nth(\\d+)', item: { title: 'title' }, follow: ['a'] },
      { name: 'other', item: { title: 'title' } },
    ],
  }
  const report = await crawl(job, { out: folder.path, threads: 0 }).finished()
  const { timeline, pageRules } = report
  expect(sum(timeline.pages)).toBe(report.parse.pages)
  expect(sum(timeline.bytesIn)).toBe(report.bytesIn)
  // The site has no robots file, and that is no failure.
  expect(Object.entries(timeline.errors).map(([code, counts]) => [code, sum(counts)])).toEqual([['HTTP_STATUS', 2]])
  expect((timeline.pages.length - 1) * timeline.stepMs + timeline.lastStepMs).toBeCloseTo(report.durationMs, -1)
  expect(pageRules).toMatchObject([
    { page: 'numbered', pages: 10, items: 10, failed: 1 },
    { page: 'other', pages: 0, failed: 1 },
  ])
  const html = await readFile(join(folder.path, 'report.html'), 'utf8')
  expect(html).toContain('<h1>ten pages</h1>')
  expect(JSON.parse(await readFile(join(folder.path, 'report.json'), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(report)),
  )
})
