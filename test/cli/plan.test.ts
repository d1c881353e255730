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

test('plan finds files that a run would miss, and proxies without a port, and exits as for a wrong job', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder()
  await folder.write('no.pem', 'none')
  await folder.write('other.ts', 'export const parse = 1')
  const job = 'seeds: ["http://127.0.0.1:9/"]\n'
  for (const [text, message] of [
    ['module: ./nowhere.ts', /job\.yaml: module of page rule page: .*nowhere\.ts: there is no such file/],
    ['module: ./other.ts', /other\.ts: it exports a `parse` that is no function/],
    ['item: { t: h1 }\ntls: { ca: nowhere.pem }', /job\.yaml: tls\.ca: .*nowhere\.pem cannot be read/],
    ['item: { t: h1 }\ntls: { ca: no.pem }', /tls\.ca\[0\] is no certificate/],
    ['item: { t: h1 }\nproxies: { list: [gate.test] }', /proxies\.list\[0\]: .* a port/],
  ] as const) {
    const ended = await millrace(['plan', await folder.write('job.yaml', job + text)], folder.path)
    expect(ended.stderr, text).toMatch(message)
    expect(ended, text).toMatchObject({ code: 2, stdout: '' })
  }
})

test('plan --json is for scripts', async () => {
  await using folder = await temporaryFolder()
  const job = await folder.write('books.yaml', 'seeds: ["https://books.test/"]\nitem: { title: h1 }\n')
  const { stdout } = await millrace(['plan', job, '--json', '--preset', 'bulk'], folder.path)
  expect(JSON.parse(stdout)).toMatchObject({ preset: 'bulk', hosts: [{ host: 'books.test', spacingMs: 1_000 }] })
})

test('plan says of a host of this machine that this is why so much may be in flight', async () => {
  await using folder = await temporaryFolder()
  const job = await folder.write('own.yaml', 'seeds: ["http://localhost:9/"]\nitem: { title: h1 }\n')
  const open = await millrace(['plan', job], folder.path)
  expect(open.stdout).toMatch(/^ {2}fixed: 64 requests in flight \(loopback\)$/m)
  const stated = await millrace(['plan', job, '--set', 'limits.perHost.max=4'], folder.path)
  expect(stated.stdout).not.toContain('(loopback)')
})

test('a job in a package as `npm init` makes it: the message says how to mend that', async () => {
  await using folder = await temporaryFolder()
  await folder.write('package.json', '{ "type": "commonjs" }')
  const job = await folder.write(
    'job.ts',
    'export const job = { seeds: ["http://localhost:9/"], item: { title: "h1" } }',
  )
  const { code, stderr } = await millrace(['plan', job], folder.path)
  expect(code).toBe(2)
  expect(stderr).toMatch(/job\.ts: .*Unexpected token 'export'; write "type": "module" into the package\.json/)
})

test('help tells of no default where there is none', async () => {
  await using folder = await temporaryFolder()
  const { stdout } = await millrace(['run', '--help'], folder.path)
  expect(stdout).toContain('may be repeated')
  expect(stdout).not.toContain('default: []')
})
