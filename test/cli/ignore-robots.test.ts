import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Folder, millrace, oneThread, startSite, temporaryFolder } from './kit.ts'

let folder: Folder
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

const job = (more = '') =>
  `seeds: ["https://a.test/", "https://b.test/", "https://c.test/", "https://d.test/"]\nitem: { title: h1 }\n${more}`

async function robotsOf(...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await millrace(['plan', 'job.yaml', '--json', ...args], folder.path)
  const { hosts } = JSON.parse(stdout) as { hosts: { host: string; robots: string }[] }
  return hosts.flatMap(({ host, robots }) => (robots === 'ignored' ? [host] : []))
}

test('--ignore-robots takes hosts by commas and by turns, and adds them to those of the job', async () => {
  await folder.write('job.yaml', job())
  expect(await robotsOf('--ignore-robots', 'A.test, b.test', '--ignore-robots', 'c.test')).toEqual([
    'a.test',
    'b.test',
    'c.test',
  ])
  await folder.write('job.yaml', job('robots: { ignoreFor: [d.test] }'))
  expect(await robotsOf('--ignore-robots', 'a.test')).toEqual(['a.test', 'd.test'])
})

test('--ignore-robots takes what robots.ignoreFor takes, and says the same of anything else', async () => {
  await folder.write('job.yaml', job())
  for (const command of ['run', 'plan', 'try'] as const) {
    const subject = command === 'try' ? ['https://a.test/', '--job', 'job.yaml'] : ['job.yaml']
    const ended = await millrace([command, ...subject, '--ignore-robots', 'a.test,*'], folder.path)
    expect(ended, command).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr, command).toContain(
      'job.yaml: robots.ignoreFor[1]: "*" is not accepted; expected a host name such as `books.test`',
    )
  }
  const unnamed = await millrace(['plan', 'job.yaml', '--ignore-robots'], folder.path)
  expect(unnamed).toMatchObject({ code: 2, stdout: '' })
  await folder.write('job.yaml', job('robots: never'))
  expect((await millrace(['plan', 'job.yaml', '--ignore-robots', 'a.test'], folder.path)).stderr).toContain('robots: ')
})

test('a run with --ignore-robots asks for no robots file of that host', async () => {
  const asked: (string | undefined)[] = []
  await using site = await startSite((request, response) => {
    asked.push(request.url)
    if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /\n')
    else response.setHeader('content-type', 'text/html').end('<h1>page</h1>')
  })
  await folder.write('own.yaml', `seeds: ["${site.url}/1"]\nitem: { title: h1 }\n`)
  const args = ['run', 'own.yaml', '--ignore-robots', new URL(site.url).host, '--out', '-', '--quiet', ...oneThread]
  const { code, stdout } = await millrace(args, folder.path)
  expect({ code, asked }).toEqual({ code: 0, asked: ['/1'] })
  expect(JSON.parse(stdout)).toMatchObject({ title: 'page' })
})
