import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSite } from '../replay/site.ts'
import { type Folder, millrace, oneThread, temporaryFolder } from './kit.ts'

const jobOf = (origin: string): string => `name: recorded
seeds: ["${origin}/"]
redirects: { metaRefresh: true }
pages:
  - name: list
    match: /
    follow: [a]
  - name: item
    match: /*
    item: { title: title, words: p }
`

let folder: Folder
let job: string

const itemsIn = (name: string): Promise<string> => readFile(join(folder.path, name, 'items.jsonl'), 'utf8')
const sorted = (text: string): readonly string[] => text.split('\n').sort()

beforeAll(async () => {
  folder = await temporaryFolder()
  await using site = await startSite()
  job = await folder.write('job.yaml', jobOf(site.origin))
  const { code, stderr } = await millrace(
    ['run', job, '--out', 'run', '--record', 'run.warc.gz', ...oneThread],
    folder.path,
  )
  expect(code, stderr).toBe(0)
}, 30_000)
afterAll(() => folder[Symbol.asyncDispose]())

/** The site is gone: all there is is the recording. */
async function replay(half: string, ...more: readonly string[]) {
  const args = ['bench', job, '--replay', 'run.warc.gz', '--half', half, '--json', '--out', half, ...oneThread, ...more]
  const { code, stdout, stderr } = await millrace(args, folder.path)
  expect(code, stderr).toBe(0)
  const figures = JSON.parse(stdout)
  expect(figures).toEqual(JSON.parse(await readFile(join(folder.path, half, 'replay.json'), 'utf8')))
  return { figures, stderr }
}

test('either half of a recorded run that reads pages gives its items, byte for byte, on the command line too', async () => {
  const parse = await replay('parse')
  const both = await replay('both', '--waits', 'modelled', '--seed', '7')
  expect(parse.figures).toMatchObject({ half: 'parse', latency: 'none', missing: 0, server: null, threads: 1 })
  expect(both.figures).toMatchObject({ half: 'both', latency: 'modelled', seed: 7, missing: 0, threads: 1 })
  const items = await itemsIn('parse')
  expect(items.length).toBeGreaterThan(1_000)
  expect(await itemsIn('both')).toBe(items)
  expect(both.figures.sha256).toBe(parse.figures.sha256)
  expect(sorted(items)).toEqual(sorted(await itemsIn('run')))
  expect(both.stderr).toContain('waits modelled, seed 7')
}, 40_000)

test('the half that fetches drops what comes, and waits for nothing where it is told to', async () => {
  const { figures, stderr } = await replay('io', '--waits', 'none', '--max-pages', '20')
  expect(figures).toMatchObject({ half: 'io', latency: 'none', missing: 0, items: 0, recording: { tasks: 20 } })
  expect(figures.server.peak).toBeGreaterThan(0)
  expect(await itemsIn('io')).toBe('')
  expect(stderr).toContain('pages fetched and dropped, waits none')
}, 30_000)

test('a recording without a job that reads it is refused', async () => {
  const { code, stderr } = await millrace(['bench', '--replay', 'run.warc.gz'], folder.path)
  expect(code).toBe(2)
  expect(stderr).toContain('--replay: a job that reads the pages of the recording must be named too')
})
