import { expect, test } from 'vitest'
import { millrace, startSite, temporaryFolder, tenPages } from './kit.ts'

test('plan prints what each host would get, and asks nobody for anything', async () => {
  await using folder = await temporaryFolder()
  await using site = await startSite(tenPages)
  const job = await folder.write('books.yaml', `seeds: ["${site.url}/0", "https://books.test/"]\nitem: { title: h1 }\n`)
  const { code, stdout } = await millrace(['plan', job, '--set', 'limits.globalRate.perSecond=2'], folder.path)
  expect(code).toBe(0)
  expect(stdout).toContain('books: 2 seeds on 2 hosts, preset general')
  expect(stdout).toMatch(/at most 256 requests in flight, at most 2 a second/)
  expect(stdout).toMatch(/books\.test {2}1 seed\n {2}aimd: from 2 up to 25 requests in flight/)
  expect(stdout).toContain('1.0 s to 3.0 s between departures: a page every 2.0 s or so')
  expect(site.requests).toBe(0)
})

test('plan --json is for scripts', async () => {
  await using folder = await temporaryFolder()
  const job = await folder.write('books.yaml', 'seeds: ["https://books.test/"]\nitem: { title: h1 }\n')
  const { stdout } = await millrace(['plan', job, '--json', '--preset', 'bulk'], folder.path)
  expect(JSON.parse(stdout)).toMatchObject({ preset: 'bulk', hosts: [{ host: 'books.test', spacingMs: 1_000 }] })
})
