import { expect, test, vi } from 'vitest'
import { tellSummary } from '../../src/cli/summary.ts'
import { startPage } from '../../src/core/task.ts'
import type { Report } from '../../src/observe/report.ts'
import { someReport } from '../report/kit.ts'

function summaryOf(report: Report): string {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  tellSummary(report, null)
  const text = written.mock.calls.map(([line]) => String(line)).join('')
  written.mockRestore()
  return text
}

const [proxy] = someReport().proxies
const [rule] = someReport().pageRules
if (proxy === undefined || rule === undefined) throw new Error('a report with both is needed')

test('proxies that were left alone at the end are named, so that a wrong password among many is seen', () => {
  const down = { ...proxy, proxy: 'gate.test:8000', isDown: true }
  expect(summaryOf(someReport({ proxies: [proxy, down] }))).toContain(
    'Proxies: 1 of 2 was left alone at the end: gate.test:8000. `millrace proxies` says why.\n',
  )
  const many = Array.from({ length: 12 }, (_, nth) => ({ ...down, proxy: `gate-${nth}.test` }))
  expect(summaryOf(someReport({ proxies: many }))).toContain('12 of 12 were left alone at the end: gate-0.test, ')
  expect(summaryOf(someReport({ proxies: many }))).toContain('gate-9.test and 2 more.')
  expect(summaryOf(someReport())).not.toContain('Proxies')
})

test('a run that was stopped after its first page does not say that no page rule fits', () => {
  const read = { items: 0, pageRules: [{ ...rule, page: startPage, items: 0, fields: {} }] }
  const pending = { discovered: 10, done: 1, failed: 0, skipped: 0, pending: 9 }
  expect(summaryOf(someReport({ ...read, finished: false, ledger: pending }))).not.toContain('No page rule fits')
  const ended = { discovered: 1, done: 1, failed: 0, skipped: 0, pending: 0 }
  expect(summaryOf(someReport({ ...read, ledger: ended }))).toContain('No page rule fits what was read')
})
