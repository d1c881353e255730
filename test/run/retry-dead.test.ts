import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTaskDatabase } from '../../src/frontier/stores/task-database.ts'
import { retryDead } from '../../src/run/retry-dead.ts'
import { crawl } from '../../src/run/run.ts'
import { type Site, startSite } from '../cli/kit.ts'

let out = ''
let site: Site
let isBroken = true
beforeEach(async () => {
  isBroken = true
  out = await mkdtemp(join(tmpdir(), 'millrace-retry-'))
  site = await startSite((request, response) => {
    const path = request.url ?? '/'
    if (path === '/robots.txt' || path === '/none') return response.writeHead(404).end()
    if (path === '/old') return response.writeHead(301, { location: '/new' }).end()
    if (path === '/new' && isBroken) return response.writeHead(410).end()
    response.setHeader('content-type', 'text/html')
    return response.end(`<title>${path}</title><a href="/none">x</a><a href="/old">x</a>`)
  })
})
afterEach(async () => {
  await rm(out, { recursive: true })
  await site[Symbol.asyncDispose]()
})

async function run() {
  const from = dead('seeds.txt')
  await writeFile(from, `${site.url}/\nno url at all\n`)
  return crawl(
    { name: 'retried', seeds: [{ from }], item: { title: 'title' }, follow: ['a'] },
    { out, threads: 0 },
  ).finished()
}
const dead = (name = 'dead.jsonl'): string => join(out, name)
async function letters(): Promise<string[]> {
  const lines = (await readFile(dead(), 'utf8')).split('\n').filter(Boolean)
  return lines.map(line => JSON.parse(line).url.replace(site.url, '')).sort()
}
const titles = async (): Promise<string[]> =>
  (await readFile(join(out, 'items.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).title)
    .sort()

test('a URL that was redirected goes on where that led, and its letter goes and comes with it', async () => {
  await run()
  expect(await letters()).toEqual(['/none', '/old', 'no url at all'])
  expect(await retryDead(out, null)).toEqual({ retried: { HTTP_STATUS: 2 }, left: 1 })
  expect(await letters()).toEqual(['no url at all'])
  isBroken = false
  expect(await run()).toMatchObject({ finished: true, ledger: { discovered: 4, done: 2, failed: 2, pending: 0 } })
  expect(await letters()).toEqual(['/none', 'no url at all'])
  expect(await titles()).toEqual(['/', '/new'])
})

test('there is nothing to put back where nothing is chosen', async () => {
  await run()
  expect(await retryDead(out, ['BLOCKED'])).toEqual({ retried: {}, left: 3 })
  expect(await letters()).toEqual(['/none', '/old', 'no url at all'])
})

test.each(['before the letters were replaced', 'after it'])(
  'a process that died %s is finished by the next one',
  async when => {
    await run()
    const old = await readFile(dead())
    await retryDead(out, null)
    const next = await readFile(dead())
    if (when === 'before the letters were replaced') {
      await rename(dead(), dead('dead.jsonl.next'))
      await writeFile(dead(), old)
    }
    const database = openTaskDatabase(join(out, 'state.db'))
    database.writeMeta('dead-swap', 'yes', false)
    database.close()
    isBroken = false
    expect(await run()).toMatchObject({ finished: true })
    expect((await readFile(dead())).subarray(0, next.byteLength)).toEqual(next)
    expect(await letters()).toEqual(['/none', 'no url at all'])
  },
)

test('a process that died before its transaction has done nothing', async () => {
  await run()
  await writeFile(dead('dead.jsonl.next'), 'half a li')
  expect(await run()).toMatchObject({ finished: true })
  expect(await letters()).toEqual(['/none', '/old', 'no url at all'])
  expect((await retryDead(out, null)).retried).toEqual({ HTTP_STATUS: 2 })
})
