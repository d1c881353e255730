import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { tellSummary } from '../../src/cli/summary.ts'
import type { Report } from '../../src/observe/report.ts'
import { writeReportFiles } from '../../src/run/report-files.ts'
import { temporaryFolder } from '../cli/kit.ts'
import { simulate, urlsOf } from '../crawl/kit.ts'
import { createSimParser } from '../sim/parser.ts'

/** A crawl of some seconds, whose four threads have so much to do for each page. */
const reportOfPages = async (pageMs: number): Promise<Report> => {
  const { report } = await simulate({
    job: {
      name: 'idle',
      seeds: urlsOf('a.test', 400),
      item: { title: 'title' },
      robots: { ignoreFor: ['a.test'] },
      limits: { perHost: { policy: 'fixed', max: 8 }, delayMs: 0, rate: 'none' },
    },
    hosts: { 'a.test': { latency: { kind: 'constant', ms: 100 }, page: () => '<title>a page</title>' } },
    parser: ({ clock, random }) =>
      createSimParser({ clock, random, threads: 4, law: { kind: 'constant', ms: pageMs } }),
  })
  return report
}

const summaryOf = (report: Report): string => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  tellSummary(report, null)
  const text = written.mock.calls.map(([line]) => String(line)).join('')
  written.mockRestore()
  return text
}

const advice = /Worker threads were idle 9\d % of the time: 1 thread would do \(--threads 1\)\./

test('a run whose threads were idle ends with how many would have done, on the terminal and in its report', async () => {
  const report = await reportOfPages(2)
  expect(summaryOf(report)).toMatch(advice)
  await using folder = await temporaryFolder()
  await writeReportFiles(folder.path, report)
  const read = (name: string): Promise<string> => readFile(join(folder.path, name), 'utf8')
  expect(JSON.parse(await read('report.json')).parse).toMatchObject({
    threads: 4,
    advice: expect.stringMatching(advice),
  })
  expect(await read('report.html')).toMatch(advice)
})

test('a run whose threads had enough to do ends without such advice', async () => {
  const report = await reportOfPages(45)
  expect(report.parse.advice).toBeNull()
  expect(summaryOf(report)).not.toContain('would do')
})
