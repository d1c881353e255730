import { appendFile, cp, open, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Folder,
  millrace,
  oneThread,
  type Site,
  startMillrace,
  startSite,
  temporaryFolder,
  tenPages,
} from '../cli/kit.ts'
import { killAgainAndAgain, urlsIn } from './kit.ts'

describe('kill -9', () => {
  test('at random moments loses nothing and doubles nothing in the output', async () => {
    const pages = 1000
    const fetched = new Map<string, number>()
    await using site = await startSite((request, response) => {
      const path = request.url ?? '/'
      if (path === '/robots.txt') return response.writeHead(404).end()
      fetched.set(path, (fetched.get(path) ?? 0) + 1)
      const nth = Number(path.slice(1))
      // Two links each, so that most URLs are found on the way: a binary tree of 1,000 pages, of which 200 a second come.
      const links = [2 * nth + 1, 2 * nth + 2].filter(child => child < pages).map(child => `<a href="/${child}">x</a>`)
      response.setHeader('content-type', 'text/html')
      setTimeout(() => response.end(`<title>${nth}</title>${links.join('')}`), 40)
      return undefined
    })
    await using folder = await temporaryFolder()
    await folder.write(
      'job.yaml',
      `name: tree\nseeds: ["${site.url}/0"]\nitem: { title: title }\nfollow: [a]\nlimits: { perHost: { policy: fixed, max: 8 } }\n`,
    )
    const codes = await killAgainAndAgain({ folder: folder.path, kills: 8, seed: 5, longestMs: 1000, more: oneThread })
    expect(codes.at(-1)).toBe(0)
    const urls = await urlsIn(folder.path)
    expect(urls.length).toBe(pages)
    expect(new Set(urls).size).toBe(pages)
    // A URL is asked for again only if it was under way or not yet kept when the process was killed.
    const again = [...fetched.values()].reduce((sum, times) => sum + times - 1, 0)
    expect(again).toBeLessThan(codes.length * (16 + 256))
    const report = JSON.parse(await readFile(join(folder.path, 'out', 'report.json'), 'utf8'))
    expect(report).toMatchObject({
      finished: true,
      items: pages,
      ledger: { discovered: pages, done: pages, pending: 0 },
    })
  }, 60_000)
})

describe('going on', () => {
  let folder: Folder
  let site: Site
  beforeAll(async () => {
    folder = await temporaryFolder()
    site = await startSite(tenPages)
    await folder.write('job.yaml', job())
    expect((await run('stopped', '--max-pages', '3', '--quiet')).code).toBe(0)
  })
  afterAll(async () => {
    await folder[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })
  const job = (more = ''): string => `name: ten\nseeds: ["${site.url}/0"]\nitem: { title: title }\nfollow: [a]\n${more}`
  const run = (out: string, ...more: string[]) =>
    millrace(['run', 'job.yaml', '--out', out, ...oneThread, ...more], folder.path)
  /** A run that was stopped after three pages, again and again the same one. */
  async function stopped(out: string): Promise<void> {
    await folder.write('job.yaml', job())
    await cp(join(folder.path, 'stopped'), join(folder.path, out), { recursive: true })
  }
  const titles = async (out: string): Promise<unknown[]> =>
    (await readFile(join(folder.path, out, 'items.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).title)
  const all = Array.from({ length: 10 }, (_, nth) => `Page ${nth}`)

  test('happens by running the same command, and says so', async () => {
    await stopped('same')
    expect((await titles('same')).length).toBe(3)
    const ended = await run('same')
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stderr).toContain('Going on where an earlier run stopped: 3 pages done, 1 URL to go.')
    expect(await titles('same')).toEqual(all)
  })

  test('is in the report, with what was found: its plots are of the later process alone', async () => {
    await stopped('reported')
    const reportOf = async () => JSON.parse(await readFile(join(folder.path, 'reported', 'report.json'), 'utf8'))
    expect(await reportOf()).toMatchObject({ resumed: null, items: 3, parse: { pages: 3 } })
    await run('reported', '--quiet')
    expect(await reportOf()).toMatchObject({ resumed: { done: 3, pending: 1 }, items: 10, parse: { pages: 7 } })
    const html = await readFile(join(folder.path, 'reported', 'report.html'), 'utf8')
    expect(html).toContain('where an earlier run stopped, with 3 pages done and 1 URL to go.')
  })

  test('cuts off what was written and not committed', async () => {
    await stopped('torn')
    await appendFile(join(folder.path, 'torn', 'items.jsonl'), '{"title":"half a li')
    expect((await run('torn')).code).toBe(0)
    expect(await titles('torn')).toEqual(all)
  })

  test('refuses an output that was changed, with its place', async () => {
    await stopped('flipped')
    const file = await open(join(folder.path, 'flipped', 'items.jsonl'), 'r+')
    await file.write('X', 20)
    await file.close()
    const ended = await run('flipped')
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/^SINK_FAILED .*items\.jsonl is not what was written between byte 0 and byte \d+/)
  })

  test('refuses an output that has lost bytes', async () => {
    await stopped('short')
    await truncate(join(folder.path, 'short', 'items.jsonl'), 10)
    const ended = await run('short')
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/^SINK_FAILED .*ends at byte 10.*bytes were lost/)
  })

  test('refuses a state that is damaged', async () => {
    await stopped('state')
    const file = await open(join(folder.path, 'state', 'state.db'), 'r+')
    await file.write(Buffer.alloc(8192, 0xff), 0, 8192, 0)
    await file.close()
    const ended = await run('state')
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/^STORE_FAILED .*state\.db/)
  })

  test('refuses a job that reads pages differently, and goes on with one that differs otherwise', async () => {
    await stopped('changed')
    await folder.write('job.yaml', job().replace('title: title', 'name: title'))
    const refused = await run('changed')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/^CONFIG_INVALID .*`pages\.page`: items .* would not be like those .*--restart/)
    await folder.write('job.yaml', job('timeouts: { parseMs: 9000 }\n'))
    const ended = await run('changed')
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain('The job changed since. `timeouts.parseMs`: it holds for every request from now on')
    expect(await titles('changed')).toEqual(all)
  })

  test('is refused to a second process while the first one runs', async () => {
    await using silent = await startSite(() => {})
    await folder.write('silent.yaml', `seeds: ["${silent.url}/"]\nitem: { title: title }\n`)
    const first = startMillrace(['run', 'silent.yaml', '--out', 'two'], folder.path)
    while (silent.requests < 1) await new Promise(resolve => setTimeout(resolve, 10))
    const second = await millrace(['run', 'silent.yaml', '--out', 'two'], folder.path)
    const restarted = await millrace(['run', 'silent.yaml', '--out', 'two', '--restart'], folder.path)
    first.kill('SIGKILL')
    expect(restarted.code).toBe(2)
    expect(second.code).toBe(2)
    expect(second.stderr).toMatch(/^CONFIG_INVALID .*in use by another run/)
  })
})
