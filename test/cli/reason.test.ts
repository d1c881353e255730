import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { millrace, oneThread, startSite, temporaryFolder, tenPages } from './kit.ts'

test('the reason why a host is asked faster than others is told by plan, report.json and report.html', async () => {
  await using folder = await temporaryFolder()
  await using site = await startSite(tenPages)
  const { host } = new URL(site.url)
  const job = await folder.write('raised.yaml', `seeds: ["${site.url}/0"]\nitem: { title: title }\n`)
  const raised = [job, '--set', `hosts["${host}"].max=80`]
  const refused = await millrace(['plan', ...raised], folder.path)
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/\.max: 80 .*`reason`/) })

  const reasoned = [...raised, '--set', `hosts["${host}"].reason=agreed with Ann & Bob`]
  const plan = await millrace(['plan', ...reasoned], folder.path)
  expect(plan.stdout).toContain('fixed: 80 requests in flight')
  expect(plan.stdout).toContain('; reason: agreed with Ann & Bob')

  const run = await millrace(['run', ...reasoned, '--out', 'out', '--quiet', ...oneThread], folder.path)
  expect(run.code).toBe(0)
  const report = JSON.parse(await readFile(join(folder.path, 'out', 'report.json'), 'utf8'))
  expect(report.hosts).toMatchObject([{ host, limit: 80, reason: 'agreed with Ann & Bob' }])
  expect(await readFile(join(folder.path, 'out', 'report.html'), 'utf8')).toContain('reason: agreed with Ann &amp; Bob')
})
