import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rebuildReport, writeReportFiles } from '../../src/run/report-files.ts'
import { someReport } from '../report/kit.ts'
import { millrace, temporaryFolder } from './kit.ts'

test('report.html is made again from report.json alone, as it was', async () => {
  await using folder = await temporaryFolder()
  await writeReportFiles(folder.path, someReport())
  const path = join(folder.path, 'report.html')
  const before = await readFile(path, 'utf8')
  await rm(path)
  const { code, stdout } = await millrace(['report', '.'], folder.path)
  expect({ code, stdout: stdout.trim().endsWith('report.html') }).toEqual({ code: 0, stdout: true })
  expect(await readFile(path, 'utf8')).toBe(before)
})

test('report.json is what it is written from, with rows of numbers a line each', async () => {
  await using folder = await temporaryFolder()
  const report = someReport({ name: '[\n 1,\n 2 ]' })
  await writeReportFiles(folder.path, report)
  const text = await readFile(join(folder.path, 'report.json'), 'utf8')
  expect(JSON.parse(text)).toEqual(report)
  expect(text).toContain('"refused": [0, 0, 0, 1, 1, 0, 0, 0, 0, 0]')
})

test('a report of an older version is shown as far as it goes', async () => {
  await using folder = await temporaryFolder()
  const { timeline: _, pageRules: _rules, stageTimes: _times, whatIf: _whatIf, traps: _traps, ...older } = someReport()
  await writeFile(join(folder.path, 'report.json'), JSON.stringify(older))
  const html = await readFile(await rebuildReport(folder.path), 'utf8')
  expect(html).toContain('first byte')
  expect(html).not.toMatch(/NaN|undefined/)
})

test('a folder without a report, and a file that is none, are refused by name', async () => {
  await using folder = await temporaryFolder()
  await expect(rebuildReport(folder.path)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  for (const text of ['no JSON', '[]', '{}', '{"name": 1}', 'null']) {
    await writeFile(join(folder.path, 'report.json'), text)
    await expect(rebuildReport(folder.path), text).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  }
})
