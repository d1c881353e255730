import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRecordFile, wholeBytes } from '../../src/replay/record-file.ts'
import { attemptRecords } from '../../src/warc/attempt.ts'
import { readWarc } from '../../src/warc/read.ts'
import { infoRecord } from '../../src/warc/record.ts'

const memberStart = Buffer.from([0x1f, 0x8b, 0x08])

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-record-'))
})
afterAll(() => rm(folder, { recursive: true }))

const head = infoRecord('tests', '2030-01-01T00:00:00.000Z', true)
const task = { askedUrl: 'https://shop.test/', page: 'p', depth: 0, session: null, meta: null }
const records = (nth: number): Uint8Array =>
  attemptRecords(
    {
      ...{ url: `https://shop.test/${nth}`, at: '2030-01-01T00:00:00.000Z', task, tookMs: 1 },
      ended: { kind: 'page', status: 200, headers: {}, timing: { connectMs: 0, firstByteMs: 1, totalMs: 1 } },
    },
    Buffer.from(`<p>${'lorem ipsum '.repeat(nth)}`),
    'tests/1.0',
  )

/** Where each gzip member ends; these bytes have no beginning of one by chance. */
function memberEnds(bytes: Buffer): number[] {
  const starts: number[] = []
  for (let at = bytes.indexOf(memberStart); at >= 0; at = bytes.indexOf(memberStart, at + 1)) starts.push(at)
  return [...starts.slice(1), bytes.byteLength]
}

async function urlsIn(bytes: Uint8Array): Promise<string[]> {
  const urls: string[] = []
  for await (const record of readWarc(Readable.from([bytes]), ({ 'warc-type': type }) => type === 'response', 1e6)) {
    if ('reason' in record) throw new Error(record.reason)
    urls.push(record.fields['warc-target-uri'] ?? '')
  }
  return urls
}

test('wherever a file is cut, it ends behind its last whole record', async () => {
  const path = join(folder, 'cut.warc.gz')
  const pieces = [head, ...[1, 2, 3].map(records)]
  const whole = Buffer.concat(pieces)
  // A page is two records: where it came, and what was asked.
  const ends = memberEnds(whole)
  expect(ends).toHaveLength(7)
  for (let bytes = whole.byteLength; bytes >= (ends.at(-5) ?? 0); bytes -= 1) {
    await writeFile(path, whole.subarray(0, bytes))
    const file = openSync(path, 'r')
    try {
      expect(wholeBytes(file), `cut at ${bytes}`).toBe(ends.findLast(end => end <= bytes))
    } finally {
      closeSync(file)
    }
  }
})

test('what is written later is behind the last whole record, and readers come to it', async () => {
  const path = join(folder, 'later.warc.gz')
  await writeFile(path, Buffer.concat([head, records(1), records(2)]).subarray(0, -9))
  const file = openRecordFile(path, true, head)
  file.write(records(9))
  file.close()
  expect(await urlsIn(await readFile(path))).toEqual([1, 2, 9].map(nth => `https://shop.test/${nth}`))
})

test('a file with nothing whole in it begins anew, and so does one of another run', async () => {
  const path = join(folder, 'anew.warc.gz')
  for (const [before, goesOn] of [
    [head.subarray(0, 20), true],
    [Buffer.from('no archive'), true],
    [Buffer.concat([head, records(1)]), false],
  ] as const) {
    await writeFile(path, before)
    const file = openRecordFile(path, goesOn, head)
    file.write(records(2))
    file.close()
    expect(await urlsIn(await readFile(path))).toEqual(['https://shop.test/2'])
  }
})

test('a last record above a megabyte is found, too', async () => {
  const path = join(folder, 'large.warc.gz')
  // Random bytes are as long when they are compressed.
  const body = crypto.getRandomValues(new Uint8Array(65_536))
  const large = attemptRecords(
    {
      ...{ url: 'https://shop.test/large', at: '2030-01-01T00:00:00.000Z', task, tookMs: 1 },
      ended: { kind: 'page', status: 200, headers: {}, timing: { connectMs: 0, firstByteMs: 1, totalMs: 1 } },
    },
    Buffer.concat(Array.from({ length: 40 }, () => crypto.getRandomValues(body.slice()))),
    'tests/1.0',
  )
  await writeFile(path, Buffer.concat([head, records(1), large]).subarray(0, -300))
  const file = openRecordFile(path, true, head)
  file.write(records(2))
  file.close()
  const urls = await urlsIn(await readFile(path))
  expect(urls).toContain('https://shop.test/1')
  expect(urls.at(-1)).toBe('https://shop.test/2')
})
