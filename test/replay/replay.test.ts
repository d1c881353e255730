import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ReplayOptions, replayJob } from '../../src/bench/replay.ts'
import { checkJob } from '../../src/job/check-job.ts'
import type { JobInput } from '../../src/job/define-job.ts'
import type { Job } from '../../src/job/job.ts'
import type { Report } from '../../src/observe/report.ts'
import { openRecording } from '../../src/replay/open-recording.ts'
import { crawl } from '../../src/run/run.ts'
import { exchangeRecords } from '../../src/warc/record.ts'
import { startSite } from './site.ts'

let folder: string
let archive: string
let job: Job
let report: Report
/** Item lines of the recorded run, in order of their text. */
let recorded: readonly string[]

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .sort()

const jobFor = (origin: string, more: Partial<JobInput> = {}): Job =>
  checkJob(
    {
      name: 'recorded',
      seeds: [`${origin}/`],
      redirects: { metaRefresh: true },
      pages: [
        { name: 'list', match: '/', follow: ['a'] },
        { name: 'item', match: '/*', item: { title: 'title', words: 'p' } },
      ],
      ...more,
    },
    { path: 'job', baseDir: '.' },
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-replay-'))
  archive = join(folder, 'run.warc.gz')
  await using site = await startSite(1)
  job = jobFor(site.origin)
  report = await crawl(job, { out: join(folder, 'out'), threads: 0, record: archive }).finished()
  recorded = linesOf(await readFile(join(folder, 'out', 'items.jsonl'), 'utf8'))
})
afterAll(() => rm(folder, { recursive: true }))

async function replay(more: Partial<ReplayOptions> & Pick<ReplayOptions, 'half'>, as = job) {
  const lines: Uint8Array[] = []
  const figures = await replayJob(as, {
    ...{ archive, latency: null, seed: 1, threads: 2, signal: new AbortController().signal },
    write: each => void lines.push(each.slice()),
    ...more,
  })
  return { figures, text: Buffer.concat(lines).toString() }
}

test('the recorded run had all that makes a recording hard', () => {
  expect(report.ledger).toMatchObject({ failed: 1, pending: 0 })
  expect(report.skips).toMatchObject({ robots: 1, 'redirected-to-known': 1 })
  expect(recorded).toHaveLength(43)
})

describe('a recording that is played back', () => {
  test('gives the same items, byte for byte and in the same order, however often, in either way', async () => {
    const first = await replay({ half: 'parse' })
    const second = await replay({ half: 'parse', threads: 0 })
    const both = await replay({ half: 'both', latency: 'modelled', threads: 0 })
    expect(first.figures).toMatchObject({ pages: 44, items: 43, failed: 0, missing: 0, latency: 'none', server: null })
    // Those of the recorded run, with the time at which each page came then.
    expect(linesOf(first.text)).toEqual(recorded)
    expect(second.text).toBe(first.text)
    expect(both.text).toBe(first.text)
    expect(both.figures.sha256).toBe(first.figures.sha256)
    // Nobody else is asked: the site is gone. What was gone is, and so is a redirect to what another task had.
    expect(both.figures).toMatchObject({ failed: 2, missing: 0 })
  })

  test('fetches again what was fetched, over sockets, and drops it', async () => {
    const { text, figures } = await replay({ half: 'io' })
    expect(text).toBe('')
    expect(figures).toMatchObject({ latency: 'recorded', missing: 0, threads: 0 })
    expect(figures.recording.damage).toBeNull()
    expect(figures.server?.peak).toBeGreaterThan(1)
  })

  test('ends after the first so many pages where that is wanted', async () => {
    const { figures, text } = await replay({ half: 'parse', maxPages: 5, threads: 0 })
    expect(figures.recording.tasks).toBe(5)
    expect(linesOf(text).every(line => recorded.includes(line))).toBe(true)
  })

  test('keeps what a task is beside its URL: its depth, and what stood beside its seed', async () => {
    await using recording = await openRecording(archive)
    const depths = recording.chains.map(({ task }) => [new URL(task.askedUrl).pathname, task.depth])
    expect(Object.fromEntries(depths)).toMatchObject({ '/': 0, '/item/3': 1, '/old/1': 1 })
    const chain = recording.chains.find(({ task }) => task.askedUrl.endsWith('/busy'))
    expect(chain?.attempts.map(({ kind }) => kind)).toEqual(['barren', 'page'])
  })
})

describe('a recording', () => {
  test('of another run is not written over unasked', async () => {
    const again = crawl(job, { record: archive, threads: 0 })
    await expect(again.finished()).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: /is there already/ })
    expect((await readFile(archive)).byteLength).toBeGreaterThan(1_000)
  })

  test('has a name that says what it is', async () => {
    const run = crawl(job, { record: join(folder, 'run.txt'), threads: 0 })
    await expect(run.finished()).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: /\.warc\.gz/ })
  })

  test('that cannot be opened ends its run before anybody is asked', async () => {
    await using site = await startSite()
    await writeFile(join(folder, 'file'), '')
    const record = join(folder, 'file', 'run.warc.gz')
    await expect(crawl(jobFor(site.origin), { record, threads: 0 }).finished()).rejects.toMatchObject({
      code: 'SINK_FAILED',
    })
    expect(site.asked).toEqual([])
  })

  test('goes on with its run', async () => {
    await using site = await startSite()
    const own = jobFor(site.origin, { robots: { ignoreFor: ['127.0.0.1'] } })
    const options = { out: join(folder, 'resumed'), threads: 0, record: join(folder, 'resumed.warc.gz') }
    const cut = await crawl(own, { ...options, maxPages: 10 }).finished()
    expect(cut.finished).toBe(false)
    const whole = await crawl(own, options).finished()
    expect(whole.finished).toBe(true)
    const { text } = await replay({ half: 'parse', archive: options.record, threads: 0 }, own)
    expect(linesOf(text)).toEqual(linesOf(await readFile(join(options.out, 'items.jsonl'), 'utf8')))
  })
})

describe('the archive of somebody else', () => {
  const page = (nth: number): Uint8Array =>
    exchangeRecords(
      {
        ...{ url: `https://shop.test/${nth}`, at: '2030-01-01T00:00:00Z', userAgent: 'other/1.0', status: 200 },
        ...{ headers: { 'content-type': 'text/html' }, body: Buffer.from(`<title>Page ${nth}</title>`) },
      },
      true,
    )

  test('is played back page by page, by the rules that fit', async () => {
    const other = join(folder, 'other.warc.gz')
    await writeFile(other, Buffer.concat([1, 2, 3].map(page)))
    const { text, figures } = await replay({ half: 'parse', archive: other, threads: 0 })
    expect(linesOf(text).map(line => JSON.parse(line))).toEqual(
      [1, 2, 3].map(nth => ({
        ...{ title: `Page ${nth}`, words: null, _url: `https://shop.test/${nth}` },
        ...{ _page: 'item', _at: '2030-01-01T00:00:00Z' },
      })),
    )
    expect(figures.pages).toBe(3)
  })

  test('has no times to wait, and says so', async () => {
    const other = join(folder, 'other.warc.gz')
    await expect(replay({ half: 'io', archive: other, latency: 'modelled' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
    const quick = jobFor('https://shop.test', { limits: { delayMs: 0 }, robots: { ignoreFor: ['shop.test'] } })
    expect((await replay({ half: 'io', archive: other }, quick)).figures.latency).toBe('none')
  })

  test.each(['', 'no archive at all'])('that is none (%j) is no recording', async text => {
    const none = join(folder, 'none.warc.gz')
    await writeFile(none, text)
    await expect(replay({ half: 'parse', archive: none })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(replay({ half: 'parse', archive: `${none}.not` })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
