import { expect, test } from 'vitest'
import type { HostKey } from '../../src/core/url.ts'
import { createLaneStats, laneViewOf, noteLimit } from '../../src/gate/lane-stats.ts'
import { checkJob } from '../../src/job/check-job.ts'
import { hostReportsOf } from '../../src/run/host-reports.ts'

const job = checkJob({ seeds: ['http://a.test/'], item: { title: 'h1' } }, { path: 'job', baseDir: '.' })

test('a report says how many changes of a limit came before those that it shows', () => {
  const stats = createLaneStats(2)
  const reportOf = () =>
    hostReportsOf([laneViewOf('a.test' as HostKey, stats, undefined, 0, 0)], job, 0, { of: () => [] })
  noteLimit(stats, 1, 3, 'searching')
  expect(reportOf()).toMatchObject([{ limit: 3, limitChanges: [{ from: 2, to: 3 }], droppedLimitChanges: 0 }])
  for (let n = 2; n <= 100; n += 1) noteLimit(stats, n, n % 2 === 0 ? 2 : 3, n % 2 === 0 ? 'refused' : 'searching')
  const [report] = reportOf()
  expect(report).toMatchObject({ limit: 2, droppedLimitChanges: 36 })
  expect(report?.limitChanges.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 64 }, (_, n) => n + 37))
})
