import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { version } from '../../src/version.ts'
import {
  type Folder,
  millrace,
  oneThread,
  type Site,
  startMillrace,
  startSite,
  temporaryFolder,
  tenPages,
} from './kit.ts'

let folder: Folder
let site: Site
beforeAll(async () => {
  folder = await temporaryFolder()
  site = await startSite(tenPages)
})
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

const linesOf = async (...path: string[]): Promise<Record<string, unknown>[]> =>
  (await readFile(join(folder.path, ...path), 'utf8'))
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

const jobText = (seed: string): string => `name: ten\nseeds: ["${seed}"]\nitem: { title: title }\nfollow: [a]\n`

describe('a job that runs to its end', () => {
  test('leaves its items, dead letters and report, and exits with 0', async () => {
    const job = await folder.write('ten.yaml', jobText(`${site.url}/0`))
    const ended = await millrace(['run', job, '--out', 'ten'], folder.path)
    expect(ended.stderr).toContain('Finished ten')
    expect(ended.code).toBe(0)
    const items = await linesOf('ten', 'items.jsonl')
    expect(items.map(({ title }) => title).sort()).toEqual(Array.from({ length: 10 }, (_, nth) => `Page ${nth}`))
    expect(Object.keys(items[0] ?? {})).toEqual(['title', '_url', '_page', '_at'])
    expect(await linesOf('ten', 'dead.jsonl')).toMatchObject([
      {
        url: `${site.url}/10`,
        code: 'HTTP_STATUS',
        blame: 'content',
        stage: 'fetch',
        status: 404,
        attempts: 1,
        proxyAttempts: 0,
        waits: 0,
      },
    ])
    const report = JSON.parse(await readFile(join(folder.path, 'ten', 'report.json'), 'utf8'))
    expect(report).toMatchObject({
      finished: true,
      items: 10,
      ledger: { discovered: 11, done: 10, failed: 1, skipped: 0, pending: 0 },
    })
    for (const key of [
      'durationMs',
      'pagesPerSecond',
      'bytesIn',
      'peakInFlight',
      'peakInFlightByHost',
      'loopDelayMs',
      'cpuMs',
      'stages',
      'bottleneck',
      'tail',
      'hosts',
      'proxies',
      'parse',
    ])
      expect(report, key).toHaveProperty(key)
  })

  test('is said to be finished already when it is run again, and does nothing', async () => {
    const before = site.requests
    const ended = await millrace(['run', 'ten.yaml', '--out', 'ten'], folder.path)
    expect(ended.code).toBe(0)
    expect(ended.stderr).toMatch(/finished already/)
    expect(site.requests).toBe(before)
  })

  test('begins anew with --restart, and says what it removes', async () => {
    const ended = await millrace(
      ['run', 'ten.yaml', '--out', 'ten', '--restart', '--max-pages', '3', ...oneThread],
      folder.path,
    )
    expect(ended.code).toBe(0)
    expect(ended.stderr).toMatch(/removes? .*items\.jsonl/i)
    expect((await linesOf('ten', 'items.jsonl')).length).toBe(3)
  })

  test('exits with 3 under --strict when a URL ended dead, and again when it is run again and does nothing', async () => {
    const args = ['run', 'ten.yaml', '--out', 'strict', '--strict', '--quiet', ...oneThread]
    expect((await millrace(args, folder.path)).code).toBe(3)
    const again = await millrace(args, folder.path)
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('finished already') })
  })

  test('prints its report as JSON on standard output with --json, and nothing else there', async () => {
    const ended = await millrace(
      [
        'run',
        'ten.yaml',
        `${site.url}/5`,
        '--out',
        'json',
        '--json',
        '--quiet',
        '--set',
        'limits.inFlight=2',
        ...oneThread,
      ],
      folder.path,
    )
    expect(JSON.parse(ended.stdout)).toMatchObject({ name: 'ten', peakInFlight: 2 })
    expect(ended.stderr).toBe('')
  })

  test('takes a TypeScript module as its job', async () => {
    const job = await folder.write(
      'job.ts',
      `export const job: object = { seeds: ['${site.url}/9'], item: { title: 'title' } }\n`,
    )
    expect((await millrace(['run', job, '--out', 'ts', '--quiet', ...oneThread], folder.path)).code).toBe(0)
    expect(await linesOf('ts', 'items.jsonl')).toMatchObject([{ title: 'Page 9' }])
  })

  test('reads seeds from standard input', async () => {
    const job = await folder.write('stdin.yaml', 'seeds: [{ from: "-" }]\nitem: { title: title }\n')
    const ended = await millrace(
      ['run', job, '--out', 'stdin', '--quiet', ...oneThread],
      folder.path,
      `${site.url}/1\n# a comment\n${site.url}/2\n`,
    )
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect((await linesOf('stdin', 'items.jsonl')).length).toBe(2)
  })
})

describe('bad input is one clear line with a code and exit code 2', () => {
  const cases: readonly (readonly [string, string | null, RegExp])[] = [
    ['a missing job file', null, /CONFIG_INVALID .*missing\.yaml/],
    ['a bad line of YAML', 'seeds: [http://a.test/\nitem: {', /CONFIG_INVALID .*bad\.yaml:\d+:\d+/],
    ['an unknown key', 'seeds: [http://a.test/]\nitem: { a: b }\nlimts: {}\n', /CONFIG_INVALID .*limts.*limits/],
    ['a selector that does not parse', 'seeds: [http://a.test/]\nitem: { a: "b[" }\n', /CONFIG_INVALID .*item\.a/],
    ['a seed that is no URL', 'seeds: [nonsense]\nitem: { a: b }\n', /CONFIG_INVALID .*seeds\[0\].*nonsense/],
    ['no seed at all', 'seeds: []\nitem: { a: b }\n', /CONFIG_INVALID .*seeds/],
    [
      'a value out of range',
      'seeds: [http://a.test/]\nitem: { a: b }\nlimits: { inFlight: 0 }\n',
      /CONFIG_INVALID .*limits\.inFlight/,
    ],
  ]
  for (const [what, text, expected] of cases)
    test(what, async () => {
      if (text !== null) await folder.write('bad.yaml', text)
      const ended = await millrace(['run', text === null ? 'missing.yaml' : 'bad.yaml', '--out', 'bad'], folder.path)
      expect(ended.stderr.trimEnd()).toMatch(expected)
      expect(ended.stderr.trimEnd().split('\n').length).toBe(1)
      expect(ended.code).toBe(2)
      expect(await readdir(folder.path)).not.toContain('bad')
    })

  test('an unknown option', async () => {
    const ended = await millrace(['run', 'ten.yaml', '--ouz', 'x'], folder.path)
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('--out')
  })

  test('an unknown command', async () => {
    const ended = await millrace(['rum'], folder.path)
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('run')
  })
})

test('how often each field had a value is in the report, and those that never had one are named at the end', async () => {
  await folder.write('bad-seeds.txt', `${site.url}/8\nnonsense\n`)
  await folder.write(
    'empty.yaml',
    'seeds: [{ from: bad-seeds.txt }]\nitem: { title: title, price: .price, next: { selector: "a[href$=\\"9\\"]", value: href } }\nfollow: [a]\n',
  )
  const ended = await millrace(['run', 'empty.yaml', '--out', 'empty', ...oneThread], folder.path)
  expect(ended.stderr).toContain('Page rule page: no item has a value for price.')
  const report = JSON.parse(await readFile(join(folder.path, 'empty', 'report.json'), 'utf8'))
  expect(report.pageRules).toContainEqual(
    expect.objectContaining({ page: 'page', fields: { title: 1, price: 0, next: 0.5 } }),
  )
  const html = await readFile(join(folder.path, 'empty', 'report.html'), 'utf8')
  expect(html).toContain('Fields, by how many of the items')
  // A line that is no URL was never asked for.
  expect(await linesOf('empty', 'dead.jsonl')).toContainEqual(
    expect.objectContaining({ url: 'nonsense', code: 'CONFIG_INVALID', stage: 'seed', attempts: 0 }),
  )
})

describe('an output that cannot be written', () => {
  test('is one clear line, exit code 1, and nothing half-written', async () => {
    const ended = await millrace(['run', 'ten.yaml', '--out', '/proc/x'], folder.path)
    expect(ended.stderr).toMatch(/^SINK_FAILED .*\/proc\/x/)
    expect(ended.stderr.trimEnd().split('\n').length).toBe(1)
    expect(ended.code).toBe(1)
  })

  test('is a wrong command line where --out names a file', async () => {
    await folder.write('blocked', 'a file where the folder should be')
    const ended = await millrace(['run', 'ten.yaml', '--out', 'blocked'], folder.path)
    expect(ended.stderr).toMatch(/^CONFIG_INVALID .*blocked .* --out\n$/)
    expect(ended.code).toBe(2)
  })

  test('is told of a folder without the right to write too', async () => {
    if (process.getuid?.() === 0) return console.log('skipped: root may write everywhere')
    await mkdir(join(folder.path, 'closed'))
    await chmod(join(folder.path, 'closed'), 0o500)
    expect((await millrace(['run', 'ten.yaml', '--out', 'closed/x'], folder.path)).code).toBe(1)
  })
})

describe('signals', () => {
  test('the first one drains: what was written is kept, every line is whole, and the exit code tells', async () => {
    await using slow = await startSite((request, response) => void setTimeout(() => tenPages(request, response), 150))
    await folder.write('slow.yaml', `${jobText(`${slow.url}/0`)}`)
    const child = startMillrace(['run', 'slow.yaml', '--out', 'slow', ...oneThread], folder.path)
    while (slow.requests < 4) await new Promise(resolve => setTimeout(resolve, 10))
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect(code).toBe(130)
    const items = await linesOf('slow', 'items.jsonl')
    expect(items.length).toBeGreaterThanOrEqual(2)
    const report = JSON.parse(await readFile(join(folder.path, 'slow', 'report.json'), 'utf8'))
    expect(report.finished).toBe(false)
    expect(report.ledger.done).toBe(items.length)
  })

  test('the second one leaves at once', async () => {
    await using silent = await startSite(
      (request, response) => void (request.url === '/robots.txt' && response.writeHead(404).end()),
    )
    await folder.write('silent.yaml', jobText(`${silent.url}/0`))
    const child = startMillrace(['run', 'silent.yaml', '--out', 'silent', ...oneThread], folder.path)
    while (silent.requests < 2) await new Promise(resolve => setTimeout(resolve, 10))
    child.kill('SIGTERM')
    await once(child.stderr, 'data')
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect(code).toBe(143)
  })
})

test('--version and --help answer and exit with 0', async () => {
  expect(await millrace(['--version'], folder.path)).toMatchObject({ code: 0, stdout: `${version}\n` })
  const help = await millrace(['--help'], folder.path)
  expect(help.code).toBe(0)
  for (const command of ['run', 'try', 'demo', 'schema']) expect(help.stdout).toContain(command)
})

test('try shows what would be extracted from a file, and with which engine', async () => {
  const page = await folder.write('page.html', '<title>A &amp; B</title><h1>One</h1><h1>Two</h1>')
  const ended = await millrace(['try', page, '--select', 'h1', '--select', 'title'], folder.path)
  expect(ended.code).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({ h1: ['One', 'Two'], title: ['A & B'] })
  expect(ended.stderr).toMatch(/stream engine/)
})

test('try fetches a URL and reads it as the job would', async () => {
  const ended = await millrace(['try', `${site.url}/3`, '--job', 'ten.yaml'], folder.path)
  expect(JSON.parse(ended.stdout)).toMatchObject({ title: 'Page 3' })
  expect(ended.stderr).toContain(`${site.url}/4`)
})

test('schema prints a JSON Schema', async () => {
  expect(JSON.parse((await millrace(['schema'], folder.path)).stdout)).toMatchObject({ type: 'object' })
})
