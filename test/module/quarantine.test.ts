import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faultOf } from '../../src/core/errors.ts'
import type { Page } from '../../src/core/page.ts'
import { newTask, noAttempts, type Task } from '../../src/core/task.ts'
import { createSuspects } from '../../src/crawl/suspects.ts'
import { crawl } from '../../src/index.ts'
import { loadJob } from '../../src/job/load-job.ts'
import { withCharge } from '../../src/pace/retry.ts'
import { createQuarantine, deadNameOf } from '../../src/sink/quarantine.ts'
import { millrace, startSite, temporaryFolder } from '../cli/kit.ts'

const task = (url: string, more: Partial<Task> = {}): Task =>
  newTask(url, new URL(url), 'page', { depth: 2, reach: 'public', ...more })

const pageOf = (url: string, more: Partial<Task> = {}): Page => ({
  task: task(url, more),
  status: 200,
  headers: { 'content-type': 'text/html', 'set-cookie': 'secret=1' },
  body: new TextEncoder().encode('<title>x</title>'),
  timing: { connectMs: 0, firstByteMs: 0, totalMs: 0 },
  reach: 'public',
})

const crashed = faultOf('PARSE_CRASHED', 'died')

/** The lines of a file of an output folder. */
const linesIn = (out: string, name: string) =>
  readFileSync(join(out, name), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

test('a page that killed its thread is fetched once more, and set aside the second time', async () => {
  const aside: string[] = []
  const suspects = createSuspects(async (_, body) => {
    aside.push(new TextDecoder().decode(body))
    return 'the command'
  })
  const page = pageOf('http://a.test/')
  expect(suspects.copyOf(page)).toBeNull()
  const cause = { code: 'PARSE_CRASHED', status: 200 } as const
  const again = { kind: 'retry', notBeforeMs: 0, charge: 'thread', cause } as const
  expect(await suspects.fateAfter(page, null, crashed)).toEqual(again)
  const suspect = pageOf('http://a.test/', withCharge(page.task, again, 0))
  expect(suspect.task).toMatchObject({ attempts: noAttempts, threadDeaths: 1 })
  const copy = suspects.copyOf(suspect)
  expect(await suspects.fateAfter(suspect, copy, crashed)).toEqual({
    kind: 'dead',
    fault: crashed,
    status: 200,
    replay: 'the command',
  })
  expect(aside).toEqual(['<title>x</title>'])
})

test('a page that took too long, or that could not be read, is never tried again', async () => {
  const suspects = createSuspects(null)
  for (const code of ['PARSE_TIMEOUT', 'PARSE_FAILED', 'DECODE_FAILED'] as const)
    expect((await suspects.fateAfter(pageOf('http://a.test/'), null, faultOf(code, ''))).kind).toBe('dead')
})

test("a page that no thread began with is fetched again three times at nobody's expense, and then given up", async () => {
  const suspects = createSuspects(null)
  const fault = faultOf('PARSE_UNBEGUN', 'waited')
  const page = pageOf('http://a.test/')
  for (let times = 0; times < 3; times += 1) {
    const fate = await suspects.fateAfter(page, suspects.copyOf(page), fault)
    expect(fate).toMatchObject({ kind: 'retry', charge: 'none', cause: { code: 'PARSE_UNBEGUN' } })
    expect(suspects.copyOf(pageOf('http://a.test/', withCharge(page.task, fate, 0)))).toBeNull()
  }
  expect(await suspects.fateAfter(page, null, fault)).toEqual({ kind: 'dead', fault, status: 200 })
})

test('of a page that was read nothing is remembered: how often no thread began with it counts anew', async () => {
  const suspects = createSuspects(null)
  const fault = faultOf('PARSE_UNBEGUN', 'waited')
  const page = pageOf('http://a.test/')
  for (let times = 0; times < 3; times += 1) await suspects.fateAfter(page, null, fault)
  suspects.cleared(page.task)
  expect(await suspects.fateAfter(page, null, fault)).toMatchObject({ kind: 'retry', charge: 'none' })
})

test('whatever a host or a URL is called, its file is a plain name in the folder, and no two share one', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: 'binary' }), fc.string(), (id, host, other) => {
      const name = deadNameOf(id, host)
      expect(name).toMatch(/^[0-9a-f]{16}-[a-z0-9._-]{0,60}\.body$/)
      if (other !== id) expect(deadNameOf(other, host)).not.toBe(name)
    }),
  )
})

test('a link that somebody put in the place of the folder, or of a file, is not followed', async () => {
  await using folder = await temporaryFolder()
  const page = pageOf('http://a.test/')
  mkdirSync(join(folder.path, 'elsewhere'))
  symlinkSync(join(folder.path, 'elsewhere'), join(folder.path, 'dead'))
  const linked = createQuarantine(join(folder.path, 'dead')).setAside(page, page.body, crashed, '')
  await expect(linked).rejects.toMatchObject({ code: 'SINK_FAILED' })
  mkdirSync(join(folder.path, 'real'))
  symlinkSync(join(folder.path, 'victim'), join(folder.path, 'real', deadNameOf('http://a.test/', 'a.test')))
  const path = await createQuarantine(join(folder.path, 'real')).setAside(page, page.body, crashed, '')
  expect(readFileSync(path, 'utf8')).toBe('<title>x</title>')
  expect(readdirSync(join(folder.path, 'elsewhere'))).toEqual([])
  expect(existsSync(join(folder.path, 'victim'))).toBe(false)
})

test('a run sets murderous pages aside with the command that reads them again', { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder()
  await using site = await startSite((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('set-cookie', 'secret=1')
    response.end(`<title>${request.url?.slice(1)}</title>`)
  })
  const module = (deed: string) => `export function parse({ $, headers, status }) {
    const title = $('title').text()
    if (title === 'bad') ${deed}
    return [{ title, status, type: headers['content-type'] }, ...(title === '1' ? [{ price: 1n }] : [])]
  }`
  await folder.write('product.ts', module('process.reallyExit(7)'))
  const urls = ['1', '2', 'bad', '3'].map(name => `${site.url}/${name}`)
  const path = await folder.write('job.yaml', `seeds: ${JSON.stringify(urls)}\nmodule: ./product.ts\n`)
  const out = join(folder.path, 'out')
  const run = crawl(await loadJob(path), { out, threads: 2, jobFile: 'job.yaml' })
  const report = await run.finished()
  expect(report.ledger).toMatchObject({ discovered: 4, done: 3, failed: 1, pending: 0 })
  expect(report.parse.restarts).toBe(2)
  expect(
    linesIn(out, 'items.jsonl')
      .map(({ title, status, type }) => `${title} ${status} ${type}`)
      .sort(),
  ).toEqual(['1', '2', '3'].map(title => `${title} 200 text/html; charset=utf-8`))
  const letters = linesIn(out, 'dead.jsonl')
  expect(letters).toHaveLength(2)
  expect(letters.find(({ code }) => code === 'PARSE_FAILED')).toMatchObject({
    url: `${site.url}/1`,
    stage: 'parse',
    message: expect.stringContaining('item 2, field price: a bigint is no JSON'),
  })
  const dead = letters.find(({ code }) => code === 'PARSE_CRASHED')
  expect(dead).toMatchObject({ url: `${site.url}/bad`, attempts: 2 })
  expect(dead.replay).toMatch(/^millrace parse job\.yaml \S+\/out\/dead\/[0-9a-f]{16}-127\.0\.0\.1_\d+\.body --replay$/)
  const names = readdirSync(join(out, 'dead')).sort()
  expect(names).toHaveLength(2)
  expect(readFileSync(join(out, 'dead', names[0] ?? ''), 'utf8')).toBe('<title>bad</title>')
  expect(readFileSync(join(out, 'dead', names[1] ?? ''), 'utf8')).not.toContain('secret')

  const replay = ['parse', 'job.yaml', join('out', 'dead'), '--replay', '--strict']
  expect(await millrace(replay, folder.path)).toMatchObject({ code: 3, stdout: '' })
  await folder.write('product.ts', module('return { title: "mended" }'))
  const mended = await millrace(replay, folder.path)
  expect(mended.code).toBe(0)
  expect(JSON.parse(mended.stdout)).toMatchObject({ title: 'mended', _url: `${site.url}/bad` })
})

test('a page whose thread dies of what the page before left in a timer loses no attempt', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder()
  await using site = await startSite((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<title>${request.url?.slice(1)}</title>`)
  })
  // A thread runs timers only while a page waits for something: that of the first page fires under the next one.
  await folder.write(
    'product.ts',
    `export async function parse({ $ }) {
      if ($('title').text() === 'first') return void setTimeout(() => process.reallyExit(3), 0)
      await new Promise(resolve => setTimeout(resolve, 300))
      throw new Error('read to its end')
    }`,
  )
  const seeds = ['first', 'next'].map(name => `${site.url}/${name}`)
  const limits = '{ perHost: { policy: fixed, max: 1 } }'
  const path = await folder.write(
    'job.yaml',
    `seeds: ${JSON.stringify(seeds)}\nmodule: ./product.ts\nlimits: ${limits}\n`,
  )
  const out = join(folder.path, 'out')
  const report = await crawl(await loadJob(path), { out, threads: 1 }).finished()
  expect(report).toMatchObject({ ledger: { done: 1, failed: 1, pending: 0 }, parse: { restarts: 1 } })
  expect(linesIn(out, 'dead.jsonl')).toMatchObject([{ url: seeds[1], code: 'PARSE_FAILED', attempts: 1 }])
})

test('a run that is stopped between the two deaths of a page goes on with the second', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder()
  let isStopped = false
  let requests = 0
  await using site = await startSite((request, response) => {
    if (request.url === '/bad') requests += 1
    response.setHeader('content-type', 'text/html')
    // The thread has died once when the page is asked for again.
    if (requests === 2 && !isStopped) stop()
    else response.end('<title>x</title>')
  })
  await folder.write('product.ts', 'export const parse = () => process.reallyExit(7)')
  const path = await folder.write('job.yaml', `seeds: ["${site.url}/bad"]\nmodule: ./product.ts\n`)
  const job = await loadJob(path)
  const out = join(folder.path, 'out')
  const first = crawl(job, { out, threads: 1 })
  const ended = first.finished()
  let closing: Promise<void> | null = null
  function stop(): void {
    isStopped = true
    closing = first.close()
  }
  expect((await ended).ledger).toMatchObject({ pending: 1, failed: 0 })
  await closing
  const report = await crawl(job, { out, threads: 1 }).finished()
  expect(report.ledger).toMatchObject({ failed: 1, pending: 0 })
  expect(linesIn(out, 'dead.jsonl')).toMatchObject([{ code: 'PARSE_CRASHED', attempts: 2 }])
  expect(readdirSync(join(out, 'dead'))).toHaveLength(2)
  // The first death, the stop, the second death.
  expect(requests).toBe(3)
})
