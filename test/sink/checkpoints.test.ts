import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyFile } from '../../src/sink/checkpoints.ts'
import { createLineFile } from '../../src/sink/line-file.ts'
import type { Position } from '../../src/sink/sink.ts'
import { createRandom } from '../sim/random.ts'

/** No disk is waited for where there is one in memory. */
const memoryDisk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const lines = Array.from({ length: 200 }, (_, nth) => `${JSON.stringify({ nth, text: 'x'.repeat(nth % 17) })}\n`)
const content = Buffer.from(lines.join(''))

/** A commit for every ten lines. */
const checkpoints: readonly Position[] = Array.from({ length: 20 }, (_, nth) => {
  const bytes = Buffer.from(lines.slice(0, 10 * (nth + 1)).join(''))
  return { bytes: bytes.byteLength, lines: 10 * (nth + 1), crc: crc32(bytes) }
})

let path = ''
beforeAll(() => {
  path = join(mkdtempSync(join(memoryDisk, 'millrace-checkpoints-')), 'items.jsonl')
})
afterAll(() => rmSync(join(path, '..'), { recursive: true }))

test('a flipped bit is told with the commits that it lies between, in a thousand places', async () => {
  const random = createRandom(11)
  for (let nth = 0; nth < 1_000; nth += 1) {
    const at = Math.floor(random() * content.byteLength)
    const flipped = Buffer.from(content)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    writeFileSync(path, flipped)
    const thrown = await verifyFile(path, checkpoints).catch((error: Error & { code: string }) => error)
    expect(thrown, `flipped at byte ${at}`).toMatchObject({ code: 'SINK_FAILED' })
    const [, from, to] = /between byte (\d+) and byte (\d+)/.exec(String((thrown as Error).message)) ?? []
    expect(Number(from)).toBeLessThanOrEqual(at)
    expect(Number(to)).toBeGreaterThan(at)
  }
})

test('a file that was cut at any byte of its last three lines is told, as these lines were committed', async () => {
  const from = Buffer.from(lines.slice(0, -3).join('')).byteLength
  for (let at = from; at < content.byteLength; at += 1) {
    writeFileSync(path, content)
    truncateSync(path, at)
    await expect(verifyFile(path, checkpoints)).rejects.toMatchObject({
      code: 'SINK_FAILED',
      message: expect.stringContaining(`ends at byte ${at},`),
    })
  }
})

test('a file that was cut at any byte of its last three lines opens with all that was committed, where these were not', async () => {
  const committed = checkpoints.at(-2)
  if (committed === undefined) throw new Error('no checkpoint')
  const from = Buffer.from(lines.slice(0, -3).join('')).byteLength
  for (let at = from; at <= content.byteLength; at += 1) {
    writeFileSync(path, content.subarray(0, at))
    await verifyFile(path, checkpoints.slice(0, -1))
    await using file = await createLineFile(path, committed)
    expect(file.position).toEqual(committed)
    expect(readFileSync(path).equals(content.subarray(0, committed.bytes)), `cut at byte ${at}`).toBe(true)
  }
})
