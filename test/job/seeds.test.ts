import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import type { Job, Seed } from '../../src/job/job.ts'
import { seedOf } from '../../src/job/seed-shape.ts'
import { readSeeds, type SeedLine } from '../../src/job/seeds.ts'

const never = new AbortController().signal

const folder = mkdtempSync(join(tmpdir(), 'millrace-seeds-'))
afterAll(() => rmSync(folder, { recursive: true }))

const pages: Job['pages'] = [{ name: 'list', match: null, item: null, follow: ['a'], parser: 'fast' }]

async function linesOf(text: string, chunkLength = 7): Promise<readonly SeedLine[]> {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkLength) }, (_, index) =>
    bytes.subarray(index * chunkLength, (index + 1) * chunkLength),
  )
  return Array.fromAsync(readSeeds({ seeds: [{ kind: 'file', path: '-' }], pages }, Readable.from(chunks), never))
}
/** Seeds of lines that are all good. */
const seedsIn = (lines: readonly SeedLine[]): readonly Seed[] =>
  lines.map(line => {
    if (line.kind === 'bad') throw new Error(line.fault.message)
    return line.seed
  })
const seedsOf = async (text: string): Promise<readonly Seed[]> => seedsIn(await linesOf(text))
const urlsOf = async (text: string): Promise<readonly string[]> => (await seedsOf(text)).map(({ url }) => url)

test('seeds come in the order of the job, files line by line', async () => {
  const path = join(folder, 'urls.txt')
  writeFileSync(path, 'https://b.test/\nhttps://c.test/')
  const job = {
    pages,
    seeds: [
      { kind: 'url', seed: seedOf({ url: 'https://a.test/' }) },
      { kind: 'file', path },
      { kind: 'file', path: '-' },
    ] as const,
  }
  const stdin = Readable.from([Buffer.from('https://d.test/\n')])
  expect(seedsIn(await Array.fromAsync(readSeeds(job, stdin, never))).map(({ url }) => url)).toEqual([
    'https://a.test/',
    'https://b.test/',
    'https://c.test/',
    'https://d.test/',
  ])
})

test('blank lines, comments, blanks around and any line end do not matter', async () => {
  expect(await urlsOf('\uFEFFhttps://a.test/é\r\n\r\n  # no\n \thttps://b.test/#x \n\n')).toEqual([
    'https://a.test/é',
    'https://b.test/#x',
  ])
  expect(await urlsOf('')).toEqual([])
})

test('a line of JSON may name the page', async () => {
  expect(await seedsOf('{"url":"https://a.test/","page":"list"}\n{"url":"https://b.test/"}')).toEqual([
    seedOf({ url: 'https://a.test/', page: 'list' }),
    seedOf({ url: 'https://b.test/' }),
  ])
})

test.each([
  ['https://a.test/\nb.test\n', /^standard input:2: "b\.test" is not a URL/],
  ['\n\n{"url":', /^standard input:3: this line begins like JSON/],
  ['{"uri":"https://a.test/"}', /^standard input:1: expected \{"url".*`url` an absolute/],
  ['{"url":"https://a.test/","pgae":"list"}', /^standard input:1: unknown key `pgae`; did you mean `page`\?/],
  [
    '{"url":"https://a.test/","page":"lits"}',
    /^standard input:1: no page rule is called "lits"; did you mean `list`\?/,
  ],
  ['ftp://a.test/', /^standard input:1: "ftp:/],
])('the bad line in %j is told by file and line', async (text, message) => {
  const lines = await linesOf(text)
  expect(lines.filter(({ kind }) => kind === 'bad')).toMatchObject([
    { fault: { code: 'CONFIG_INVALID', message: expect.stringMatching(message) } },
  ])
})

test('a bad line does not end the reading', async () => {
  expect((await linesOf('https://a.test/\nnonsense\nhttps://b.test/\n')).map(({ kind }) => kind)).toEqual([
    'seed',
    'bad',
    'seed',
  ])
})

test('a line without an end is given up before it fills the memory', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(65_536, 'x')
    })(),
  )
  await expect(
    Array.fromAsync(readSeeds({ seeds: [{ kind: 'file', path: '-' }], pages }, endless, never)),
  ).rejects.toThrowError(/standard input:1: this line is too long/)
})

test('a missing file is told by its path', async () => {
  const path = join(folder, 'missing.txt')
  const seeds = readSeeds({ seeds: [{ kind: 'file', path }], pages }, Readable.from([]), never)
  await expect(Array.fromAsync(seeds)).rejects.toThrowError(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(path) }),
  )
})

test('a reader that stops early closes the file', async () => {
  const stdin = Readable.from([Buffer.from('https://a.test/\nhttps://b.test/\n')])
  for await (const line of readSeeds({ seeds: [{ kind: 'file', path: '-' }], pages }, stdin, never)) {
    expect(line).toMatchObject({ seed: { url: 'https://a.test/' } })
    break
  }
  expect(stdin.destroyed).toBe(true)
})
